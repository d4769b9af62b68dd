/** How many days a memory lives under a product policy: by the first of the policy's tags that it carries. */

import { holdsKey } from '../../src/core/collections/key-set.ts'
import type { FactNeeds } from '../../src/core/model/fact-needs.ts'
import type { Store } from '../store/port/store.ts'

export function lifeDaysOf(
  { byDefault, byTag }: NonNullable<FactNeeds['lifeDays']>,
  keys: Uint32Array,
  store: Store,
): Float64Array {
  const lives = byTag.map(([tag, days]) => ({ days, members: store.members({ tags: { any: [tag] } }) }))
  return Float64Array.from(
    keys,
    (key) => lives.find(({ members }) => members === null || holdsKey(members, key))?.days ?? byDefault,
  )
}
