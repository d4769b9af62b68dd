/** Merges the proposals of a record: of each scope the latest, unless a later outcome settled it. */
import { canonicalJson } from '../text/hash/canonical.ts'
import { compareCodePoints } from '../text/hash/code-point-order.ts'
import { compareStamps, type Stamp } from './stamp.ts'

export interface ScopedProposal {
  /** Canonical JSON. */
  readonly scope: string
  /** ms. */
  readonly createdAt: number
  /** Null: it expired. It stays until an outcome, so that another device does not bring it back. */
  readonly reason: string | null
  readonly stamp: Stamp
}

/** By scope. `settled`: the latest outcome of the record. */
export function mergeProposals(
  a: readonly ScopedProposal[],
  b: readonly ScopedProposal[],
  settled: Stamp | null,
): readonly ScopedProposal[] {
  const merged = new Map<string, ScopedProposal>()
  for (const proposal of [...a, ...b]) {
    if (settled !== null && compareStamps(proposal.stamp, settled) < 0) continue
    const other = merged.get(proposal.scope)
    if (other === undefined || compareProposals(proposal, other) > 0) merged.set(proposal.scope, proposal)
  }
  return [...merged.values()].sort((x, y) => compareCodePoints(x.scope, y.scope))
}

function compareProposals(a: ScopedProposal, b: ScopedProposal): number {
  return compareStamps(a.stamp, b.stamp) || compareCodePoints(canonicalJson(a), canonicalJson(b))
}
