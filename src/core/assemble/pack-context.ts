/**
 * Builds a context package from pulled and surfaced records: merges them, applies limits and budget, formats them, and lists
 * what was left out and why. Pure: applies no effects.
 */

import type {
  AssemblyEffects,
  AssemblyMetadata,
  AssemblyReceipt,
  AssemblyStage,
  ContextPackage,
  PackageLedgerEntry,
} from '../model/assemble.ts'
import type { ResolvedAuthority } from '../model/authority.ts'
import type { Policy } from '../model/policy.ts'
import type { StoredRecord } from '../model/record.ts'
import type { Evidence, Hit, Plan, Warning } from '../model/result.ts'
import { tuning } from '../model/tuning.ts'
import { authorityContextOf } from '../present/authority-context.ts'
import { type PackedLedger, packEntries } from '../present/ledger.ts'
import { policyHash } from '../present/receipt.ts'
import type { ParsedAssembly } from '../query/parse-assemble.ts'
import { excludedReason } from '../select/gate.ts'
import { quotaOf } from '../select/quota.ts'
import { canonicalJson } from '../text/hash/canonical.ts'
import { sha256Hex } from '../text/hash/sha256.ts'
import { fitBudget, fitParts, type LongSegment } from './budget.ts'
import { arrange, writtenOrder } from './arrange.ts'
import { type Entry, type Formatter, formatterOf } from './formats.ts'
import { type LongRecord, longRecordOf, type PackedPart } from './long-records.ts'
import { merge } from './merge.ts'
import { orderingHints } from './ordering-hints.ts'
import { type Places, placesOfStanding } from './standing-places.ts'

/** A record that surfaced unasked. */
export interface Pushed {
  readonly id: string
  readonly score: number
  readonly record: StoredRecord
  readonly freshness: Hit['freshness']
}

export interface AssemblyFacts {
  readonly request: ParsedAssembly
  readonly policy: Policy
  readonly authority: ResolvedAuthority | null
  readonly now: number
  readonly revision: number
  /** Pulled records, best first; empty without a query. */
  readonly pulled: readonly Hit[]
  readonly pushed: readonly Pushed[]
  /** What has a place of its own. */
  readonly places: Places
  /** The records that each side lost before merging. */
  readonly left: readonly PackageLedgerEntry[]
  readonly evidence: Evidence
  readonly plan: Plan
  readonly warnings: readonly Warning[]
  /** A hash of the query's vector, if there is one: part of the request's identity. */
  readonly queryHash: string
  readonly autoLink: boolean
  readonly countTokens: (text: string) => number
}

/** A package without quality and time. The ledger is packed. */
export type PackedPackage = Omit<ContextPackage, 'ledger'> & { readonly ledger: PackedLedger<AssemblyStage> }

export function packContext(facts: AssemblyFacts): PackedPackage {
  const { request, policy, now } = facts
  const { maxItems } = request
  const reserve = request.reserveProactive ?? policy.assembly.reserveProactive
  const { pushed, folded } = withoutCopies(facts)
  const startQuota = () => {
    const quota = quotaOf({ query: request.query, policy })
    return ({ record }: Merging) => quota?.admit(record.source) ?? null
  }
  const formatter = formatterOf(request.format, now)
  const asked = request.query.text ?? ''
  const arranged = arrange(facts.pulled, withProfileOf(facts, formatter), { roles: request.roles, asked })
  const merged = merge(
    arranged.entries.map(({ record, hit }) => (hit === null ? placedEntry(record) : pulledEntry(hit, facts.pulled))),
    pushed.map(pushedEntry),
    maxItems,
    reserve,
    startQuota,
  )
  const { beyond, skipped } = merged
  const written = writtenOrder(
    merged.entries.map(({ record }) => record),
    asked,
    new Set([
      ...facts.places.later.map(({ id }) => id),
      ...facts.pulled.flatMap(({ changes = [] }) => changes.flatMap(({ earlier, later }) => [earlier, later])),
    ]),
  )
  const entries = written.map((i) => merged.entries[i]!)
  const order = merged.order.map((i) => written.indexOf(i))
  const budget = {
    formatter,
    countTokens: facts.countTokens,
    maxTokens: request.maxTokens,
    overflow: request.overflow ?? policy.assembly.overflow,
  }
  const long = entries.map(({ hit }) =>
    hit === undefined || request.maxTokens === undefined ? null : longRecordOf(hit),
  )
  const segments = entries.map((entry, i) => formatter.segment({ ...entry, ...long[i]?.passage }))
  const parts = entries.map((entry, i) => longSegmentOf(entry, long[i] ?? null, formatter))
  const fitted = fitParts(fitBudget(segments, order, budget), order, segments, parts, budget)
  const selected = fitted.kept.map((index) => entries[index]!)
  const records = selected.map(({ record }) => record)
  const surfaced = selected.filter(({ way }) => way === 'push')
  const ledger = ledgerOf(facts, selected, [
    ...fitted.dropped.map(
      ({ index, reason }): PackageLedgerEntry => ({ id: entries[index]!.id, reason, stage: 'tokens' }),
    ),
    ...beyond.map(({ id }): PackageLedgerEntry => ({ id, reason: `beyond maxItems ${maxItems}`, stage: 'items' })),
    ...skipped.map(({ entry, reason }): PackageLedgerEntry => ({ id: entry.id, reason, stage: 'quota' })),
    ...folded,
    ...arranged.left.map((one): PackageLedgerEntry => ({ ...one, stage: 'gate' })),
  ])
  const metadata: AssemblyMetadata = {
    scores: Object.fromEntries(selected.map(({ id, score }) => [id, score])),
    pullCount: selected.length - surfaced.length,
    pushCount: surfaced.length,
    tokenCount: fitted.tokenCount,
    timingMs: 0,
    totalCandidates: entries.length + beyond.length + skipped.length,
    overflow: fitted.overflow,
  }
  const effects = effectsOf(facts, selected)
  return {
    records,
    proactive: surfaced.map(({ record }) => record),
    formatted: fitted.formatted,
    metadata,
    effects,
    ledger: packEntries(ledger),
    evidence: facts.evidence,
    plan: facts.plan,
    warnings: facts.warnings,
    authorityContext: authorityContextOf(selected, facts.authority),
    receipt: receiptOf(facts, selected, ledger, effects),
    orderingHints: orderingHints(records, new Set(surfaced.map(({ id }) => id)), now),
  }
}

function longSegmentOf(entry: Entry, long: LongRecord | null, formatter: Formatter): LongSegment<PackedPart> | null {
  if (long === null) return null
  return {
    whole: long.whole,
    longer: long.wider,
    shorter: long.sentences,
    segmentOf: (part) => formatter.segment({ ...entry, ...part }),
  }
}

interface Merging extends Entry {
  readonly id: string
  /** Of a pulled record. */
  readonly hit?: Hit | undefined
  readonly way: 'pull' | 'push'
}

function pulledEntry(hit: Hit, pulled: readonly Hit[]): Merging {
  const { id, score, record, freshness, matched, changes } = hit
  const entry: Merging = { id, score, record, freshness, matched, way: 'pull', hit }
  const later = changes?.find(({ earlier }) => earlier === id)?.later
  const by = later === undefined ? undefined : pulled.find((other) => other.id === later)?.record
  return by === undefined ? entry : { ...entry, replacedAt: by.occurredAt ?? by.createdAt }
}

/** A record with a place of its own that no channel found. */
function placedEntry(record: StoredRecord): Merging {
  const freshness = record.files.length === 0 ? 'unverifiable' : 'unknown'
  return { id: record.id, score: 0, record, freshness, matched: [], way: 'pull' }
}

/** The places, with as much of the profile as its tokens allow. */
function withProfileOf({ places, request, countTokens }: AssemblyFacts, formatter: Formatter): Places {
  const { profileTokens, profileShare } = placesOfStanding
  let left = Math.min(profileTokens, profileShare * (request.maxTokens ?? Number.POSITIVE_INFINITY))
  const profile = places.profile.filter((record) => {
    const tokens = countTokens(formatter.segment(placedEntry(record)))
    if (tokens > left) return false
    left -= tokens
    return true
  })
  return { ...places, profile }
}

function pushedEntry({ id, score, record, freshness }: Pushed): Merging {
  return { id, score, record, freshness, matched: [], way: 'push' }
}

/** The surfaced records without those of the same content as a pulled one, or one that surfaced before [S2]. */
function withoutCopies({ policy, pulled, pushed }: AssemblyFacts) {
  if (policy.collapse === 'none') return { pushed, folded: [] }
  const contentOf = ({ contentHash, authorityTier }: StoredRecord) => `${contentHash} ${authorityTier ?? ''}`
  const known = new Map(pulled.map(({ id, record }) => [contentOf(record), id]))
  const folded: PackageLedgerEntry[] = []
  const kept = pushed.filter(({ id, record }) => {
    const content = contentOf(record)
    const other = known.get(content) ?? id
    known.set(content, other)
    if (other !== id) folded.push({ id, reason: `same content as ${other}`, stage: 'collapse' })
    return other === id
  })
  return { pushed: kept, folded }
}

/** Every candidate that was not selected, once, with its first reason: pulled ones, then surfaced ones. */
function ledgerOf(
  { request, left }: AssemblyFacts,
  selected: readonly Merging[],
  cut: readonly PackageLedgerEntry[],
): readonly PackageLedgerEntry[] {
  const known = new Set(selected.map(({ id }) => id))
  const shown = new Set(request.shown)
  const excluded = new Set(request.exclude ?? [])
  const ledger: PackageLedgerEntry[] = []
  const add = (entry: PackageLedgerEntry) => {
    if (known.has(entry.id)) return
    known.add(entry.id)
    const isShown = entry.reason === excludedReason && shown.has(entry.id) && !excluded.has(entry.id)
    ledger.push(isShown ? { ...entry, reason: shownReason } : entry)
  }
  for (const entry of cut) add(entry)
  for (const entry of left) add(entry)
  return ledger
}

export const shownReason = 'shown in this conversation already'

function effectsOf(
  { request, policy, pulled, autoLink }: AssemblyFacts,
  selected: readonly Merging[],
): AssemblyEffects {
  const ids = new Set(selected.map(({ id }) => id))
  const reads = selected.flatMap(({ id, way }) => (way === 'pull' ? [id] : []))
  const suppresses = typeof request.suppress === 'boolean' ? request.suppress : policy.assembly.suppresses
  const used = autoLink ? reads.slice(0, tuning.maxAutoLinked) : []
  return {
    reads,
    surfaced: selected.flatMap(({ id, way }) => (way === 'push' ? [id] : [])),
    suppressed: suppresses ? pulled.flatMap(({ id }) => (ids.has(id) ? [] : [id])) : [],
    links: used.flatMap((a, i) => used.slice(i + 1).map((b) => [a, b] as const)),
    scope: canonicalJson(request.query.scope ?? {}),
  }
}

function receiptOf(
  { request, policy, revision, now, queryHash: vectorHash }: AssemblyFacts,
  selected: readonly Merging[],
  ledger: readonly PackageLedgerEntry[],
  effects: AssemblyEffects,
): AssemblyReceipt {
  const { now: _now, policy: _policy, vector: _vector, query: _query, commitEffects: _commits, ...asked } = request
  const queryHash = sha256Hex(canonicalJson({ ...asked, vector: vectorHash }))
  const ids = selected.map(({ id }) => id)
  const dropped = ledger.map(({ id }) => id)
  return {
    id: `sel-${sha256Hex(queryHash, '\n', ids.join('\n'), '\n\n', dropped.join('\n')).slice(0, 16)}`,
    storeRevision: revision,
    policyHash: policyHash(policy),
    queryHash,
    now,
    ids,
    digest: sha256Hex(JSON.stringify(selected.map(({ id, score }) => [id, score]))),
    effects,
  }
}
