/** Builds the receipt of a selection: it identifies an answer, and replays one. */

import { vectorsDigest } from '../ingest/vectors-digest.ts'
import type { Policy } from '../model/policy.ts'
import type { QueryPlan } from '../model/query-plan.ts'
import type { Hit, Receipt } from '../model/result.ts'
import { canonicalJson } from '../text/hash/canonical.ts'
import { sha256Hex } from '../text/hash/sha256.ts'

export function receiptOf(
  plan: QueryPlan,
  revision: number,
  hits: readonly Hit[],
  /** The ids of the ledger, one per line; null without a ledger. */
  dropped: string | null,
): Receipt {
  const queryHash = sha256Hex(canonicalJson(identityOf(plan)))
  const ofPolicy = policyHash(plan.policy)
  const ids = hits.map((hit) => hit.id)
  const identity = [queryHash, ofPolicy, revision, ...ids].join('\n')
  return {
    id: `sel-${sha256Hex(identity).slice(0, 16)}`,
    storeRevision: revision,
    policyHash: ofPolicy,
    queryHash,
    now: plan.now,
    ids,
    digest: sha256Hex(JSON.stringify(hits.map((hit) => [hit.id, hit.score]))),
    ...(dropped === null ? {} : { ledgerDigest: sha256Hex(dropped) }),
  }
}

const policyHashes = new WeakMap<Policy, string>()

/** SHA-256 hex of the policy's canonical JSON. */
export function policyHash(policy: Policy): string {
  const known = policyHashes.get(policy)
  if (known !== undefined) return known
  const hash = sha256Hex(canonicalJson(policy))
  policyHashes.set(policy, hash)
  return hash
}

/** What identifies a query: all of it except the clock, its zone and what only adds to the answer or shortens it. */
function identityOf({ query, limit, vector }: QueryPlan): unknown {
  const {
    now: _now,
    timeZone: _timeZone,
    ledger: _ledger,
    explain: _explain,
    capture: _capture,
    select: _select,
    snippetLength: _snippetLength,
    passages: _passages,
    policy: _policy,
    vector: _vector,
    ...asked
  } = query
  return { ...asked, limit, vector: vector === null ? null : vectorsDigest([vector]) }
}
