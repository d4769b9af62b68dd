/** Lists records that can surface, from the index on cycles and pressure. The cost is linear in their number or in the size of the scope, whichever is smaller. */
import type { CanSurface } from '../../../src/core/assemble/surface.ts'
import { holdsKey } from '../../../src/core/collections/key-set.ts'
import type { QueryPlan } from '../../../src/core/model/query-plan.ts'
import { excludedReason, gateReason } from '../../../src/core/select/gate.ts'
import type { Store } from '../../store/port/store.ts'
import { keysWithExcluded } from '../words/word-forms.ts'

export function dueRecords(plan: QueryPlan, store: Store): readonly CanSurface[] {
  const scopeKeys = store.scopeKeys(plan.scope)
  const due = store.due()
  const keys =
    scopeKeys !== null && scopeKeys.keys.length < due.size
      ? scopeKeys.keys.filter((key) => due.has(key))
      : [...due.keys()].filter((key) => scopeKeys === null || holdsKey(scopeKeys, key))
  const excluded = new Set(plan.query.exclude)
  const excludedNumbers = keysWithExcluded(plan, store)
  const reasonOfWord = (key: number) => plan.without?.[(excludedNumbers.get(key) ?? 0) - 1]?.reason
  const gated = store.gated()
  const numberOf = (name: Parameters<Store['numbers']>[0]) => {
    const column = store.numbers(name)
    return (key: number) => column[key]!
  }
  const importance = numberOf('importance')
  const confidence = numberOf('confidence')
  const touchedAt = numberOf('touchedAt')
  const updatedAt = numberOf('updatedAt')
  return Array.from(keys, (key): CanSurface => {
    const id = store.idOf(key)
    return {
      ...due.get(key)!,
      id,
      importance: importance(key),
      confidence: confidence(key),
      touchedAt: touchedAt(key),
      updatedAt: updatedAt(key),
      closed: excluded.has(id) ? excludedReason : (reasonOfWord(key) ?? gateReason(plan, gated.get(key))),
    }
  })
}
