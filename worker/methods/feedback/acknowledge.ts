/**
 * acknowledge: applies the outcomes of the records of an answer. One transaction has all effects: confidence, decay clock,
 * reads, cycles, pressure, open predictions, proposals, and links between records that were used together. The same outcome
 * of the same receipt is applied only once.
 */
import { outcomes } from '../../../src/core/learning/outcomes.ts'
import type { ConfidenceRule } from '../../../src/core/learning/update-confidence.ts'
import { recallError } from '../../../src/core/model/errors.ts'
import type { Outcome } from '../../../src/core/model/learned.ts'
import type { Receipt } from '../../../src/core/model/result.ts'
import { tuning } from '../../../src/core/model/tuning.ts'
import { type Acknowledged, parseAcknowledged } from '../../../src/core/query/parse-feedback.ts'
import { sha256Hex } from '../../../src/core/text/hash/sha256.ts'
import type { LearningChanges } from '../../store/port/learning.ts'
import type { Store } from '../../store/port/store.ts'
import { applyEffects, readsWereCounted } from '../assemble/assembly-effects.ts'
import { learn } from '../common/learn.ts'
import type { Ports } from '../common/ports.ts'

export interface AcknowledgeRequest {
  readonly of: Receipt | readonly string[]
  readonly outcomes: Readonly<Record<string, Outcome>>
}

/** A record with an outcome. */
interface Judged {
  readonly id: string
  readonly key: number
  readonly outcome: Outcome
  /** Hash of receipt, record and outcome; null without a receipt. It does not reveal the record. */
  readonly mark: string | null
  /** False if this outcome of this receipt was applied before. */
  readonly isNews: boolean
}

export async function acknowledge(ports: Ports, request: AcknowledgeRequest, now: number): Promise<void> {
  const acknowledged = parseAcknowledged(request.of, request.outcomes)
  const rule = ports.policy.confidenceRule
  await learn(ports, now, (changes) => {
    const judged = judgedOf(ports, acknowledged, changes)
    const linked = ports.options.autoLink ? linkUsed(changes, judged) : new Map<string, number>()
    const readAt = countedReads(changes, ports.store, acknowledged)
    for (const record of judged) {
      if (!record.isNews) continue
      judge(changes, record, { linked: linked.get(record.id) ?? 0, nowMs: now, rule, readAt: readAt(record.id) })
    }
    discardReads(changes, ports.store, acknowledged, readAt)
    applyOthers(changes, ports.store, acknowledged, rule)
    return {}
  })
}

/** Records with an outcome, in the order of the answer. Skips records of a receipt that are forgotten by now. */
function judgedOf({ store }: Ports, acknowledged: Acknowledged, changes: LearningChanges): readonly Judged[] {
  const judged: Judged[] = []
  for (const [id, outcome] of acknowledged.outcomes) {
    const key = store.keyOf(id)
    if (key === undefined && acknowledged.receipt === null)
      throw recallError('INVALID_ARGUMENT', 'must be the ids of stored records', {
        field: 'ids',
        value: id,
        hint: 'Leave it out.',
      })
    // `deferred` equals no outcome: a counted read is discarded below, and pressure continues to build.
    if (key === undefined || outcome === 'deferred') continue
    const { receipt } = acknowledged
    const mark = receipt === null ? null : sha256Hex(receipt, '\n', id, '\n', outcome).slice(0, 32)
    judged.push({ id, key, outcome, mark, isNews: isNews(changes, key, mark) })
  }
  return judged
}

/** Marks an outcome of a receipt as applied. Another device may have applied it, too. */
function isNews(changes: LearningChanges, key: number, mark: string | null): boolean {
  if (mark === null) return true
  const operation = `ack-${mark}`
  if (changes.isDone(operation)) return false
  changes.markDone(operation)
  return !changes.isReported(key, mark)
}

interface Judging {
  /** Number of links that this outcome strengthened. */
  readonly linked: number
  readonly nowMs: number
  readonly rule: ConfidenceRule
  /** When the read was counted that this outcome confirms or takes back; null if none was counted. */
  readonly readAt: number | null
}

function judge(changes: LearningChanges, judged: Judged, { linked, nowMs, rule, readAt }: Judging): void {
  const { id, key, outcome, mark } = judged
  const before = changes.stateOf(key).confidence
  const open = changes.openPrediction(key)
  const predictionError = open === undefined ? null : outcomes[outcome].predictionError
  const effect = { kind: 'outcome', outcome, atMs: nowMs, hasOpenPrediction: open !== undefined, rule } as const
  const { confidence: after } = changes.report(key, [
    ...(readAt === null ? [] : [{ effect: { kind: 'unread', atMs: readAt } as const }]),
    { effect, mark },
  ])
  changes.log('outcome', id, { outcome, ...(linked > 0 ? { linked } : {}) })
  if (after.evidence !== before.evidence)
    changes.log('confidence', id, { confidence: after.confidence, evidence: after.evidence })
  if (predictionError !== null) {
    changes.resolvePrediction(key, null, predictionError)
    changes.log('resolve', id, { error: predictionError })
  }
  for (const scope of changes.endProposals(key)) changes.log('settle', id, { outcome, scope })
  // A record that was only used may still contradict another.
  if (outcome !== 'used') changes.settleContradictions(key, outcome === 'dismissed')
}

/** Returns when the open counted read of a record was counted, and closes it; null if there is none. */
type ReadAt = (id: string) => number | null

/**
 * The reads that were counted when a package was assembled. The first outcome of a record confirms its read or takes it
 * back; later outcomes do not change it.
 */
function countedReads(changes: LearningChanges, store: Store, { receipt, assembled }: Acknowledged): ReadAt {
  if (receipt === null || assembled === null || !readsWereCounted(changes, receipt)) return () => null
  const counted = new Set(assembled.effects.reads)
  return (id) => {
    if (!counted.has(id) || store.keyOf(id) === undefined) return null
    const mark = `read-${sha256Hex(receipt, '\n', id).slice(0, 32)}`
    if (changes.isDone(mark)) return null
    changes.markDone(mark)
    return assembled.at
  }
}

/** Takes back the counted reads of records whose outcome is `deferred` or missing. */
function discardReads(
  changes: LearningChanges,
  store: Store,
  { assembled, outcomes: outcomeOf }: Acknowledged,
  readAt: ReadAt,
): void {
  for (const id of assembled?.effects.reads ?? []) {
    const key = store.keyOf(id)
    if (key === undefined || (outcomeOf.get(id) ?? 'deferred') !== 'deferred') continue
    const at = readAt(id)
    if (at === null) continue
    changes.report(key, [{ effect: { kind: 'unread', atMs: at } }])
    changes.log('outcome', id, { outcome: 'deferred' })
  }
}

/** Applies the other effects of a package: proposals of pushed records without an outcome, lower confidence of suppressed records. */
function applyOthers(
  changes: LearningChanges,
  store: Store,
  { receipt, assembled, outcomes: outcomeOf }: Acknowledged,
  rule: ConfidenceRule,
): void {
  if (receipt === null || assembled === null) return
  const waiting = assembled.effects.surfaced.filter((id) => (outcomeOf.get(id) ?? 'deferred') === 'deferred')
  applyEffects(changes, store, { ...assembled.effects, surfaced: waiting }, { digest: receipt, rule })
}

/** Strengthens the link of each pair of used records, unless both outcomes were applied before. Returns the number of links per record. */
function linkUsed(changes: LearningChanges, judged: readonly Judged[]): ReadonlyMap<string, number> {
  const used = judged.filter(({ outcome }) => outcomes[outcome].confirmsRead).slice(0, tuning.maxAutoLinked)
  const linked = new Map<string, number>()
  for (const [i, a] of used.entries()) {
    for (const b of used.slice(i + 1)) {
      if (!a.isNews && !b.isNews) continue
      changes.strengthenLink(a.key, b.key, tuning.linkStrengthening)
      for (const { id } of [a, b]) linked.set(id, (linked.get(id) ?? 0) + 1)
    }
  }
  return linked
}
