/**
 * Represents what a record has learned as a set of reports: outcomes, reads and signals, each with its stamp. Two sets merge by union, so no
 * report is lost and none counts twice; `foldReports` computes the learned state from the set. Only its own device shortens a list:
 * it folds its oldest reports into a summary, so that a device that was away for long loses nothing.
 */
import { canonicalJson } from '../text/hash/canonical.ts'
import { compareCodePoints } from '../text/hash/code-point-order.ts'
import { mergeTuning } from './merge-tuning.ts'
import type { Report } from './report.ts'
import { compareStamps } from './stamp.ts'
import { type Summary, summarise } from './summary.ts'

/** The reports of one device about one record. */
export interface DeviceReports {
  readonly device: string
  /** The reports that are no longer listed; null if all are. */
  readonly summary: Summary | null
  /** By stamp, all after `summary.through`. */
  readonly listed: readonly Report[]
}

/** By device. */
export type Reports = readonly DeviceReports[]

/** Adds a report of its own device. Lists at most `most` of them; the oldest go into the summary. */
export function addReport(reports: Reports, report: Report, most: number = mergeTuning.maxReports): Reports {
  const { device } = report.stamp
  if (report.mark !== null && isReported(reports, report.mark)) return reports
  const own = reports.find((entry) => entry.device === device) ?? { device, summary: null, listed: [] }
  const listed = [...own.listed, report]
  const excess = listed.splice(0, Math.max(0, listed.length - most))
  const counting = new Set(countedReports(reports))
  // Another device may have reported the same first; then it counts there.
  const summary = excess.reduce(
    (sum: Summary | null, old) => summarise(sum, old, counting.has(old) || old === report),
    own.summary,
  )
  return sorted([...reports.filter((entry) => entry !== own), { device, summary, listed }])
}

/** Whether an outcome with this mark is known. */
export function isReported(reports: Reports, mark: string): boolean {
  return reports.some(
    ({ summary, listed }) => marksOf(summary).has(mark) || listed.some((other) => other.mark === mark),
  )
}

/** The listed reports that count, by stamp: of equal marks the first, unless a summary contains the mark. */
export function countedReports(reports: Reports): readonly Report[] {
  const marks = new Set(reports.flatMap(({ summary }) => [...marksOf(summary)]))
  const all = reports.flatMap(({ listed }) => listed).sort((a, b) => compareStamps(a.stamp, b.stamp))
  return all.filter(({ mark }) => {
    if (mark === null) return true
    if (marks.has(mark)) return false
    marks.add(mark)
    return true
  })
}

/** The union: for each device the further summary, and all listed reports after it. */
export function mergeReports(a: Reports, b: Reports): Reports {
  const others = new Map(b.map((entry) => [entry.device, entry]))
  const merged = a.map((mine) => {
    const theirs = others.get(mine.device)
    others.delete(mine.device)
    return theirs === undefined ? mine : mergeDevice(mine, theirs)
  })
  return sorted([...merged, ...others.values()])
}

function mergeDevice(a: DeviceReports, b: DeviceReports): DeviceReports {
  const summary = greaterSummary(a.summary, b.summary)
  const byStamp = new Map<string, Report>()
  for (const report of [...a.listed, ...b.listed]) {
    if (summary !== null && compareStamps(report.stamp, summary.through) <= 0) continue
    const name = `${report.stamp.at} ${report.stamp.count}`
    const other = byStamp.get(name)
    // They differ only if a device was restored from a backup and used its stamps again.
    byStamp.set(name, other === undefined ? report : greater(report, other))
  }
  return { device: a.device, summary, listed: [...byStamp.values()].sort((x, y) => compareStamps(x.stamp, y.stamp)) }
}

function greaterSummary(a: Summary | null, b: Summary | null): Summary | null {
  if (a === null || b === null) return a ?? b
  const order = compareStamps(a.through, b.through)
  if (order !== 0) return order > 0 ? a : b
  return greater(a, b)
}

/** The one with the greater canonical JSON: any total order serves. */
function greater<T>(a: T, b: T): T {
  return a === b || compareCodePoints(canonicalJson(a), canonicalJson(b)) >= 0 ? a : b
}

function sorted(reports: Reports): Reports {
  return reports.toSorted((a, b) => compareCodePoints(a.device, b.device))
}

function marksOf(summary: Summary | null): ReadonlySet<string> {
  return new Set(summary?.marks.map(({ mark }) => mark))
}
