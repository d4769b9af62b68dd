/** proposals: the pushed records that wait for their outcome, without expired ones, and the contradictions that wait to be settled. */
import type { Proposal } from '../../../src/core/model/learned.ts'
import type { Scope } from '../../../src/core/model/query.ts'
import { tuning } from '../../../src/core/model/tuning.ts'
import { parseScope } from '../../../src/core/query/parse-query.ts'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import type { Store } from '../../store/port/store.ts'

/** `scope`: exactly the scope in which they were proposed; undefined: all scopes. */
export function proposals(store: Store, scope: Scope | undefined, now: number): readonly Proposal[] {
  const scopeJson = scope === undefined ? null : canonicalJson(parseScope(scope))
  const surfaced = store.learning.proposals(scopeJson, now - tuning.proposalTtlMs)
  const contradictions = store.learning.contradictions().flatMap(({ project, agent, bank, ...pair }): Proposal[] => {
    const named = Object.entries({ project, agent, bank }).filter(([, value]) => value !== null)
    const proposal = { ...pair, scope: canonicalJson(Object.fromEntries(named)) }
    return scopeJson === null || proposal.scope === scopeJson ? [proposal] : []
  })
  return [...surfaced, ...contradictions]
}
