/** why: a recall as it would be, and one record's way through it. Writes nothing (D2). */
import { deciding } from '../../src/core/decide.ts'
import { explain, type Whereabouts } from '../../src/core/explain.ts'
import type { Facts } from '../../src/core/fusion/facts.ts'
import { recallError } from '../../src/core/model/errors.ts'
import type { Explanation } from '../../src/core/model/explanation.ts'
import type { RecallQuery } from '../../src/core/model/query.ts'
import type { QueryPlan } from '../../src/core/query/plan-query.ts'
import type { Selection } from '../../src/core/select/select.ts'
import { type Gathering, gather } from '../gather/gather.ts'
import { isMember } from '../gather/reference-channels.ts'
import type { Ports } from '../ports.ts'
import { planOf } from './recall.ts'

export async function why(ports: Ports, input: RecallQuery, id: string, now: number): Promise<Explanation> {
  if (typeof id !== 'string')
    throw recallError('INVALID_ARGUMENT', 'is not a string', {
      field: 'id',
      value: id,
      cure: 'Give the id of a record.',
    })
  const plan = await planOf(ports, input, now)
  return ports.store.reading(() => {
    const gathering = gather(plan, ports)
    let selection: Selection | null = null
    const steps = deciding(plan, gathering.facts, (made) => {
      selection = made
    })
    let step = steps.next()
    for (; !step.done; step = steps.next()) gathering.read(step.value.need)
    const where = whereabouts(plan, ports, gathering, id)
    if (where.row !== null) readAround(gathering, where.row, selection as unknown as Selection)
    return explain(id, plan, gathering.facts, step.value, selection as unknown as Selection, where)
  })
}

function whereabouts(plan: QueryPlan, { store }: Ports, gathering: Gathering, id: string): Whereabouts {
  const nowhere = { row: null, ranks: {}, cosine: null }
  const key = store.keyOf(id)
  if (key === undefined) return { stored: false, outside: [], ...nowhere }
  const outside = Object.entries(plan.scope)
    .filter(([field, value]) => {
      const members = value === undefined ? null : store.members({ [field]: value })
      return members !== null && !isMember(members, key)
    })
    .map(([field]) => field)
  if (outside.length > 0) return { stored: true, outside, ...nowhere }
  const row = gathering.facts.candidates.ids.indexOf(id)
  if (row !== -1) return { stored: true, outside, row, ranks: {}, cosine: null }
  return { stored: true, outside, row: null, ...gathering.lookAt(key) }
}

/** The row's own cosine, and those that could rank on either side of it. */
function readAround(gathering: Gathering, row: number, selection: Selection): void {
  const { cosineLow, cosineHigh, length } = gathering.facts.candidates as Facts['candidates']
  gathering.read({ records: [row], cosines: [row] })
  const cosine = cosineLow[row] as number
  const near: number[] = []
  for (let other = 0; other < length; other++) {
    if ((cosineLow[other] as number) <= cosine && (cosineHigh[other] as number) >= cosine) near.push(other)
  }
  gathering.read({ records: [], cosines: near })
  selection.scoring.bounds.refresh([row])
}
