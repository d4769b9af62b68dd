/** The lifetime of each record in days under a product policy: that of the first of the policy's tags that the record has. */

import { holdsKey } from '../../../src/core/collections/key-set.ts'
import type { FactNeeds } from '../../../src/core/model/fact-needs.ts'
import type { Store } from '../../store/port/store.ts'

export function lifeDaysOf(
  { byDefault, byTag }: NonNullable<FactNeeds['lifeDays']>,
  keys: Uint32Array,
  store: Store,
): Float64Array {
  const lives = byTag.map(([tag, days]) => ({ days, scopeKeys: store.scopeKeys({ tags: { any: [tag] } }) }))
  return Float64Array.from(
    keys,
    (key) => lives.find(({ scopeKeys }) => scopeKeys === null || holdsKey(scopeKeys, key))?.days ?? byDefault,
  )
}
