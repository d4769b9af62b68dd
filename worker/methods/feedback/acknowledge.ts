/**
 * acknowledge: what became of the records of an answer. All effects land in one transaction: confidence, decay clock,
 * reads, cycles, pressure, open predictions, proposals, and links between what was used together. What a receipt was
 * acknowledged with before is not applied again.
 */
import { applyOutcome, withoutRead } from '../../../src/core/learning/apply-outcome.ts'
import { strengthenedWeight } from '../../../src/core/learning/co-occurrence.ts'
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

/** A record that something became of. */
interface Judged {
  readonly id: string
  readonly key: number
  readonly outcome: Outcome
  /** False when this receipt has told it before. */
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

/** Records with an outcome, in the order of the answer. Of a receipt's, those forgotten since are left out. */
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
    // Deferred is what would have been without a word: a counted read is discarded below, and pressure goes on building.
    if (key === undefined || outcome === 'deferred') continue
    judged.push({ id, key, outcome, isNews: isNews(changes, acknowledged.receipt, id, outcome) })
  }
  return judged
}

/** Remembers each outcome of a receipt; the name says nothing of the record. */
function isNews(changes: LearningChanges, receipt: string | null, id: string, outcome: Outcome): boolean {
  if (receipt === null) return true
  const operation = `ack-${sha256Hex(receipt, '\n', id, '\n', outcome).slice(0, 32)}`
  if (changes.isDone(operation)) return false
  changes.markDone(operation)
  return true
}

interface Judging {
  /** Links that this outcome made stronger. */
  readonly linked: number
  readonly nowMs: number
  readonly rule: ConfidenceRule
  /** When the read was counted that this outcome confirms or takes back; null when it was not. */
  readonly readAt: number | null
}

function judge(changes: LearningChanges, { id, key, outcome }: Judged, { linked, nowMs, rule, readAt }: Judging): void {
  const stored = changes.stateOf(key)
  const before = readAt === null ? stored : withoutRead(stored, readAt)
  const open = changes.openPrediction(key)
  const { state, predictionError } = applyOutcome(before, outcome, {
    nowMs,
    hasOpenPrediction: open !== undefined,
    rule,
  })
  changes.setState(key, stored, state)
  changes.log('outcome', id, { outcome, ...(linked > 0 ? { linked } : {}) })
  if (state.confidence !== before.confidence) {
    const { confidence, evidence } = state.confidence
    changes.log('confidence', id, { confidence, evidence })
  }
  if (open !== undefined && predictionError !== null) {
    changes.resolvePrediction(key, open.createdAt, null, predictionError)
    changes.log('resolve', id, { error: predictionError })
  }
  for (const scope of changes.settle(key)) changes.log('settle', id, { outcome, scope })
}

/** Answers when the read of a record was counted that this acknowledgement settles; null where there is none, or no more. */
type ReadAt = (id: string) => number | null

/**
 * The reads that were counted when a package was handed out. The first outcome of a record confirms its read or takes it
 * back; a later one finds it settled.
 */
function countedReads(changes: LearningChanges, store: Store, { receipt, assembled }: Acknowledged): ReadAt {
  if (receipt === null || assembled === null || !readsWereCounted(changes, receipt)) return () => null
  const counted = new Set(assembled.effects.reads)
  return (id) => {
    if (!counted.has(id) || store.keyOf(id) === undefined) return null
    const settled = `read-${sha256Hex(receipt, '\n', id).slice(0, 32)}`
    if (changes.isDone(settled)) return null
    changes.markDone(settled)
    return assembled.at
  }
}

/** Takes back the counted reads of records that are deferred, by name or for want of an outcome. */
function discardReads(
  changes: LearningChanges,
  store: Store,
  { assembled, outcomes: told }: Acknowledged,
  readAt: ReadAt,
): void {
  for (const id of assembled?.effects.reads ?? []) {
    const key = store.keyOf(id)
    if (key === undefined || (told.get(id) ?? 'deferred') !== 'deferred') continue
    const at = readAt(id)
    if (at === null) continue
    const before = changes.stateOf(key)
    changes.setState(key, before, withoutRead(before, at))
    changes.log('outcome', id, { outcome: 'deferred' })
  }
}

/** What else comes of a package: proposals of those nobody said anything about, less trust in what was pulled for nothing. */
function applyOthers(
  changes: LearningChanges,
  store: Store,
  { receipt, assembled, outcomes: told }: Acknowledged,
  rule: ConfidenceRule,
): void {
  if (receipt === null || assembled === null) return
  const waiting = assembled.effects.surfaced.filter((id) => (told.get(id) ?? 'deferred') === 'deferred')
  applyEffects(changes, store, { ...assembled.effects, surfaced: waiting }, { digest: receipt, rule })
}

/** Strengthens the link of every two that were used, unless both were told before; answers how many each got. */
function linkUsed(changes: LearningChanges, judged: readonly Judged[]): ReadonlyMap<string, number> {
  const used = judged.filter(({ outcome }) => outcomes[outcome].confirmsRead).slice(0, tuning.maxAutoLinked)
  const linked = new Map<string, number>()
  for (const [i, a] of used.entries()) {
    for (const b of used.slice(i + 1)) {
      if (!a.isNews && !b.isNews) continue
      changes.setLink(a.key, b.key, strengthenedWeight(changes.weightOf(a.key, b.key)))
      for (const { id } of [a, b]) linked.set(id, (linked.get(id) ?? 0) + 1)
    }
  }
  return linked
}
