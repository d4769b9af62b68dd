/**
 * Reads and writes the reports of a record, and keeps its learned state in step: that is derived from them [R6]. Each change of the set computes
 * it again, from at most 64 reports of a device and its summary.
 */
import { foldReports } from '../../../../src/core/merge/fold-reports.ts'
import type { LearnedState } from '../../../../src/core/learning/apply-outcome.ts'
import { type PortableEffect, portableEffect, reportFrom } from '../../../../src/core/merge/portable-reports.ts'
import { unstamped } from '../../../../src/core/merge/portable-stamp.ts'
import { addReport, type DeviceReports, type Reports } from '../../../../src/core/merge/reports.ts'
import type { Stamp } from '../../../../src/core/merge/stamp.ts'
import type { Summary } from '../../../../src/core/merge/summary.ts'
import { canonicalJson } from '../../../../src/core/text/hash/canonical.ts'
import { compareCodePoints } from '../../../../src/core/text/hash/code-point-order.ts'
import { type Database, first } from '../../../sqlite/database.ts'
import type { NewReport } from '../../port/learning.ts'
import { readCycleRows, readLearned, writeLearned } from './learned-rows.ts'

export function readReports(database: Database, key: number): Reports {
  const devices = new Map<string, { summary: Summary | null; listed: DeviceReports['listed'][number][] }>()
  const of = (device: string) => {
    const known = devices.get(device) ?? { summary: null, listed: [] }
    devices.set(device, known)
    return known
  }
  database.each(`SELECT device, summary FROM report_summaries WHERE key = ?`, [key], (row) => {
    of(row.text(0)).summary = JSON.parse(row.text(1)) as Summary
  })
  database.each(
    `SELECT device, stamp_at, stamp_count, mark, effect FROM reports WHERE key = ? ORDER BY device, stamp_at, stamp_count`,
    [key],
    (row) => {
      const device = row.text(0)
      const effect = JSON.parse(row.text(4)) as PortableEffect
      of(device).listed.push(reportFrom(device, [row.number(1), row.number(2), row.textOrNull(3), effect]))
    },
  )
  return [...devices]
    .map(([device, { summary, listed }]) => ({ device, summary, listed }))
    .sort((a, b) => compareCodePoints(a.device, b.device))
}

/** Adds reports of this device. Returns the learned state after them. */
export function tellReports(
  database: Database,
  key: number,
  added: readonly NewReport[],
  takeStamp: () => Stamp,
): LearnedState {
  const before = readReports(database, key)
  const after = added.reduce<Reports>(
    (reports, { effect, mark = null }) => addReport(reports, { stamp: takeStamp(), mark, effect }),
    before,
  )
  return writeReports(database, key, before, after)
}

/** Writes what differs, then the learned state that follows. */
export function writeReports(database: Database, key: number, before: Reports, after: Reports): LearnedState {
  const known = new Map(before.map((entry) => [entry.device, entry]))
  for (const entry of after) {
    const old = known.get(entry.device)
    if (old !== entry) writeDevice(database, key, old, entry)
  }
  return deriveLearned(database, key, after)
}

function writeDevice(database: Database, key: number, old: DeviceReports | undefined, entry: DeviceReports): void {
  const { device, summary, listed } = entry
  if (summary !== null && summary !== old?.summary) {
    database.execute(`INSERT OR REPLACE INTO report_summaries VALUES (?, ?, ?)`, [key, device, canonicalJson(summary)])
    database.execute(`DELETE FROM reports WHERE key = ? AND device = ? AND (stamp_at, stamp_count) <= (?, ?)`, [
      key,
      device,
      summary.through.at,
      summary.through.count,
    ])
  }
  const stored = new Set(old?.listed)
  for (const report of listed) {
    if (stored.has(report)) continue
    const { stamp, mark, effect } = report
    database.execute(`INSERT OR REPLACE INTO reports VALUES (?, ?, ?, ?, ?, ?)`, [
      key,
      device,
      stamp.at,
      stamp.count,
      mark,
      canonicalJson(portableEffect(effect)),
    ])
  }
}

/** Computes the learned state of a record from its reports, and writes what differs. */
export function deriveLearned(database: Database, key: number, reports = readReports(database, key)): LearnedState {
  const before = readLearned(database, key)
  const after = computeLearned(database, key, reports)
  // The same times as a list of its own would be written again.
  const isSame = canonicalJson(before.accessedAt) === canonicalJson(after.accessedAt)
  const isConfident = canonicalJson(before.confidence) === canonicalJson(after.confidence)
  const state = {
    ...after,
    accessedAt: isSame ? before.accessedAt : after.accessedAt,
    confidence: isConfident ? before.confidence : after.confidence,
  }
  writeLearned(database, key, before, state)
  return state
}

export function computeLearned(database: Database, key: number, reports: Reports): LearnedState {
  const cycles = readCycleRows(database, key)
  return foldReports(reports, {
    amplitudes: cycles.map(({ given, start }) => start?.amplitude ?? given),
    since: cycles.map(({ start }) => start?.stamp ?? null),
    changed: readChanged(database, key),
  })
}

/** The stamp of the record's version. */
function readChanged(database: Database, key: number): Stamp {
  const sql = `SELECT stamp_at, stamp_count, stamp_device, updated_at FROM records WHERE key = ?`
  const stamp = first(database, sql, [key], (row) =>
    row.numberOrNull(0) === null
      ? unstamped(row.number(3))
      : { at: row.number(0), count: row.number(1), device: row.text(2) },
  )
  return stamp ?? unstamped(0)
}

/** Whether a record has anything that follows from reports. */
export function hasLearned(database: Database, key: number): boolean {
  const sql = `SELECT 1 WHERE EXISTS (SELECT 1 FROM learned WHERE key = ?1) OR EXISTS (SELECT 1 FROM cycles WHERE key = ?1)
    OR EXISTS (SELECT 1 FROM reports WHERE key = ?1)`
  return first(database, sql, [key], () => true) ?? false
}
