/** Computes the components of a record's composite score. Some of its inputs only the store knows. */
import type { LearnedState } from '../learning/apply-outcome.ts'
import type { CompositeComponent } from '../learning/composite-score.ts'
import { cyclicScore } from '../learning/cyclic-score.ts'
import { decayScore } from '../learning/decay-score.ts'
import { priorityOf } from '../learning/write-decision.ts'
import type { StoredRecord } from '../model/record.ts'
import { tuning } from '../model/tuning.ts'

export type RecordState = Pick<LearnedState, 'touchedAt' | 'resolvedAt' | 'accessCount'>

/** The state without a store: age from updatedAt, never resolved, never read. */
export const unknownState: RecordState = Object.freeze({ touchedAt: null, resolvedAt: null, accessCount: 0 })

export function componentsOf(
  record: StoredRecord,
  nowMs: number,
  { touchedAt, resolvedAt, accessCount }: RecordState = unknownState,
): Readonly<Record<CompositeComponent, number>> {
  const { importance, confidence, updatedAt, cycles, pressureRate, writeScore } = record
  const aged = { importance, confidence, ageDays: (nowMs - (touchedAt ?? updatedAt)) / tuning.msPerDay }
  const isCyclic = cycles.length > 0 || pressureRate > 0
  return {
    decay: decayScore(aged),
    cyclic: isCyclic ? cyclicScore({ ...aged, nowMs, cycles, pressureRate, lastResolvedMs: resolvedAt }) : 0,
    confidence,
    access: accessCount,
    priority: priorityOf(writeScore),
  }
}
