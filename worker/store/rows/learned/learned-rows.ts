/**
 * Reads and writes the learned state of a record: its row in `learned`, the amplitudes of its cycles, its access times. All of it is derived
 * from reports (report-rows.ts).
 */
import { type LearnedState, nothingLearned } from '../../../../src/core/learning/apply-outcome.ts'
import { type PortableStamp, stampFrom } from '../../../../src/core/merge/portable-stamp.ts'
import type { Stamp } from '../../../../src/core/merge/stamp.ts'
import type { Cycle } from '../../../../src/core/model/record.ts'
import { all, type Database, first } from '../../../sqlite/database.ts'

export function readLearned(database: Database, key: number): LearnedState {
  const amplitudes = all(database, `SELECT amplitude FROM cycles WHERE key = ? ORDER BY position`, [key], (row) =>
    row.number(0),
  )
  const learned = first(
    database,
    `SELECT confidence, evidence, corroborations, contradictions, touched_at, resolved_at, access_count FROM learned WHERE key = ?`,
    [key],
    (row) => ({
      confidence: {
        confidence: row.number(0),
        evidence: row.number(1),
        corroborations: row.number(2),
        contradictions: row.number(3),
      },
      touchedAt: row.numberOrNull(4),
      resolvedAt: row.numberOrNull(5),
      accessCount: row.number(6),
    }),
  )
  if (learned === undefined) return nothingLearned(amplitudes)
  return {
    ...learned,
    accessedAt: all(database, `SELECT at FROM accesses WHERE key = ? ORDER BY at, occurrence`, [key], (row) =>
      row.number(0),
    ),
    amplitudes,
  }
}

/** Writes only what changed. */
export function writeLearned(database: Database, key: number, before: LearnedState, after: LearnedState): void {
  const { confidence, touchedAt, resolvedAt, accessCount, accessedAt, amplitudes } = after
  const isSame =
    confidence === before.confidence &&
    touchedAt === before.touchedAt &&
    resolvedAt === before.resolvedAt &&
    accessCount === before.accessCount
  if (!isSame) {
    database.execute(
      `INSERT INTO learned (key, confidence, evidence, corroborations, contradictions, touched_at, resolved_at, access_count)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (key) DO UPDATE SET confidence = excluded.confidence, evidence = excluded.evidence,
          corroborations = excluded.corroborations, contradictions = excluded.contradictions,
          touched_at = excluded.touched_at, resolved_at = excluded.resolved_at, access_count = excluded.access_count`,
      [
        key,
        confidence.confidence,
        confidence.evidence,
        confidence.corroborations,
        confidence.contradictions,
        touchedAt,
        resolvedAt,
        accessCount,
      ],
    )
  }
  if (accessedAt !== before.accessedAt) writeAccesses(database, key, accessedAt)
  for (const [position, amplitude] of amplitudes.entries()) {
    if (amplitude === before.amplitudes[position]) continue
    database.execute(`UPDATE cycles SET amplitude = ? WHERE key = ? AND position = ?`, [amplitude, key, position])
  }
}

/** Rewrites all access times: there are at most 100, so tracking the oldest one would not pay. */
function writeAccesses(database: Database, key: number, accessedAt: readonly number[]): void {
  database.execute(`DELETE FROM accesses WHERE key = ?`, [key])
  const occurrences = new Map<number, number>()
  for (const at of accessedAt) {
    const occurrence = occurrences.get(at) ?? 0
    occurrences.set(at, occurrence + 1)
    database.execute(`INSERT INTO accesses VALUES (?, ?, ?)`, [key, at, occurrence])
  }
}

/** The cycles as the caller set them. */
export function readGivenCycles(database: Database, key: number): Cycle[] {
  // Without the columns that a damaged store of an older version lacks.
  return all(
    database,
    `SELECT period_seconds, phase_seconds, amplitude_given FROM cycles WHERE key = ? ORDER BY position`,
    [key],
    (row) => ({ periodSeconds: row.number(0), amplitude: row.number(2), phaseSeconds: row.number(1) }),
  )
}

export interface CycleRow {
  readonly periodSeconds: number
  readonly phaseSeconds: number
  readonly given: number
  readonly amplitude: number
  /** The amplitude from which its outcomes count, and the stamp after which they do. Null: as given, and all outcomes of the record. */
  readonly start: CycleStart | null
}

export interface CycleStart {
  readonly amplitude: number
  readonly stamp: Stamp
}

export function readCycleRows(database: Database, key: number): CycleRow[] {
  return all(
    database,
    `SELECT period_seconds, phase_seconds, amplitude_given, amplitude, start_amplitude, start_stamp FROM cycles WHERE key = ?
      ORDER BY position`,
    [key],
    (row) => {
      const stamp = row.textOrNull(5)
      return {
        periodSeconds: row.number(0),
        phaseSeconds: row.number(1),
        given: row.number(2),
        amplitude: row.number(3),
        start:
          stamp === null ? null : { amplitude: row.number(4), stamp: stampFrom(JSON.parse(stamp) as PortableStamp) },
      }
    },
  )
}
