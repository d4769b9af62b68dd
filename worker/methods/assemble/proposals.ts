/** proposals: what was surfaced unasked and still waits for its outcome; what has waited too long does not. */
import type { Proposal } from '../../../src/core/model/learned.ts'
import type { Scope } from '../../../src/core/model/query.ts'
import { tuning } from '../../../src/core/model/tuning.ts'
import { parseScope } from '../../../src/core/query/parse-query.ts'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import type { Store } from '../../store/port/store.ts'

/** `scope`: the very scope they were made in; undefined: every one. */
export function proposals(store: Store, scope: Scope | undefined, now: number): readonly Proposal[] {
  const made = scope === undefined ? null : canonicalJson(parseScope(scope))
  return store.learning.proposals(made, now - tuning.proposalTtlMs)
}
