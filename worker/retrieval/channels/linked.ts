/** The linked channel: records that are linked to the first hits of an answer. Only `assemble` uses it. */

import { depthOf } from '../question/budget.ts'
import { selectTopOfEach } from '../question/key-parts.ts'
import type { Question } from '../question/question.ts'
import { columnOf, constant, notRun, type OpenChannel } from './channel.ts'

export function linkedChannel({ store, plan, parts, isInScope }: Question): OpenChannel<'linked'> {
  const depth = depthOf(plan, 'linked')
  const strengths = new Map<number, number>()
  const columns = (rows: Parameters<typeof columnOf>[1]) => ({ linked: columnOf(strengths, rows) })
  if (plan.linked === null || depth === 0) {
    const why = depth === 0 ? 'the policy does not use it' : 'nothing is linked that was asked for'
    return constant({ keys: [], plan: notRun(why), columns })
  }
  const all = new Map<number, number>()
  for (const [id, strength] of plan.linked) {
    const key = store.keyOf(id)
    if (key !== undefined && isInScope(key)) all.set(key, strength)
  }
  const strengthOf = (key: number) => all.get(key) ?? 0
  const keys = selectTopOfEach(Uint32Array.from(all.keys()), parts, strengthOf, depth, store)
  for (const key of keys) strengths.set(key, strengthOf(key))
  const scanned = plan.linked.size
  const found = { ran: true, mode: 'exact', scanned, matched: all.size, complete: keys.length === all.size } as const
  return constant({ keys, plan: found, columns })
}
