/** The anchors channel: records of the preferred project, kind or topic, newest first. */

import { holdsKey } from '../../../src/core/collections/key-set.ts'
import { selectTop } from '../../../src/core/collections/select-top.ts'
import { depthOf } from '../question/budget.ts'
import { partition } from '../question/key-parts.ts'
import type { Question } from '../question/question.ts'
import { constant, notRun, type OpenChannel } from './channel.ts'

export function preferredChannel({ store, plan, parts, preferences, isInScope }: Question): OpenChannel<'anchors'> {
  const depth = depthOf(plan, 'anchors')
  if (preferences === null || depth === 0) {
    const why = preferences === null ? 'the query prefers none' : 'the policy lets preferences boost, not find'
    const columns = (rows: { readonly keys: Uint32Array }) => ({ anchors: new Float64Array(rows.keys.length) })
    return constant({ keys: [], plan: notRun(why), columns })
  }
  const fields = Object.values(preferences).filter((field) => field !== null)
  const preferred = new Set<number>()
  for (const field of fields) for (const key of field.keys) if (isInScope(key)) preferred.add(key)
  const updatedAt = store.numbers('updatedAt')
  const { eligible, filtered } = partition(Uint32Array.from(preferred), parts)
  const keys = [...eligible, ...filtered].flatMap((part) =>
    selectTop(part, (key) => updatedAt[key]!, depth, store.idOf),
  )
  const { size } = preferred
  return constant({
    keys,
    plan: { ran: true, mode: 'exact', scanned: size, matched: size, complete: keys.length === size },
    // Number of preferred fields that the record has.
    columns: (rows) => ({
      anchors: Float64Array.from(rows.keys, (key) => fields.filter((field) => holdsKey(field, key)).length),
    }),
  })
}
