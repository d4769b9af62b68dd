/** Lists the newest records of the scope that state what holds on, from the index on them. */
import { placesOfStanding, type Standing } from '../../../src/core/assemble/standing-places.ts'
import { holdsKey } from '../../../src/core/collections/key-set.ts'
import type { QueryPlan } from '../../../src/core/model/query-plan.ts'
import { gateReason } from '../../../src/core/select/gate.ts'
import type { Store } from '../../store/port/store.ts'
import { keysWithExcluded } from '../words/word-forms.ts'

/** Newest first, without those that a gate, an exclusion or a word of the query keeps out. */
export function standingRecords(plan: QueryPlan, store: Store): readonly Standing[] {
  const scopeKeys = store.scopeKeys(plan.scope)
  const excluded = new Set(plan.query.exclude)
  const excludedNumbers = keysWithExcluded(plan, store)
  const gated = store.gated()
  const { places } = store.newestFirst('createdAt')
  const kinds = store.standing()
  return [...kinds]
    .filter(
      ([key]) =>
        (scopeKeys === null || holdsKey(scopeKeys, key)) &&
        !excludedNumbers.has(key) &&
        gateReason(plan, gated.get(key)) === null &&
        !(excluded.size > 0 && excluded.has(store.idOf(key))),
    )
    .sort(([a], [b]) => places[a]! - places[b]!)
    .slice(0, placesOfStanding.read)
    .flatMap(([key, kind]): Standing[] => {
      const record = store.cached.hydrate(key)
      return record === undefined ? [] : [{ kind, record }]
    })
}
