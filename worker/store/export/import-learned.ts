/** Unites what an import says of a record, its links and files with what the store has learned. Which version wins does not matter [R6]. */
import { mergeLinks, weightOf } from '../../../src/core/merge/links.ts'
import { linkStateFrom } from '../../../src/core/merge/portable-links.ts'
import { mergePredictions } from '../../../src/core/merge/predictions.ts'
import { mergeProposals } from '../../../src/core/merge/proposals.ts'
import { settledBy } from '../../../src/core/merge/fold-reports.ts'
import { mergeReports } from '../../../src/core/merge/reports.ts'
import type { Stamp } from '../../../src/core/merge/stamp.ts'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { stampFrom } from '../../../src/core/merge/portable-stamp.ts'
import type { StagedImport, StagedRecord } from '../../export-format/staging.ts'
import { costs, createPace, type Steps } from '../../scheduling/steps.ts'
import { type Database, first } from '../../sqlite/database.ts'
import type { NewEvent } from '../rows/event-rows.ts'
import { stampOfFile } from '../rows/file-states.ts'
import { readWeight } from '../rows/learned/link-rows.ts'
import { keysInOrder, readLinkState, writeLinkState } from '../rows/learned/link-states.ts'
import { readPredictions, writePredictions } from '../rows/learned/prediction-rows.ts'
import { readScopedProposals, writeProposals } from '../rows/learned/proposal-rows.ts'
import { readReports, writeReports } from '../rows/learned/report-rows.ts'

/** Unites reports, predictions and proposals of the same life. Returns whether any of them is new here. */
export function mergeLearned(
  database: Database,
  key: number,
  staging: Pick<StagedRecord, 'reports' | 'predictions' | 'proposals'>,
): boolean {
  if (staging.reports.length + staging.predictions.length + staging.proposals.length === 0) return false
  const known = readReports(database, key)
  const reports = mergeReports(known, staging.reports)
  const isTold = differs(known, reports)
  if (isTold) writeReports(database, key, known, reports)
  const predictions = readPredictions(database, key)
  const foreseen = mergePredictions(predictions, staging.predictions)
  const isForeseen = differs(predictions, foreseen)
  if (isForeseen) writePredictions(database, key, foreseen)
  const proposals = readScopedProposals(database, key)
  const proposed = mergeProposals(proposals, staging.proposals, settledBy(reports))
  const isProposed = differs(proposals, proposed)
  if (isProposed) writeProposals(database, key, proposed)
  return isTold || isForeseen || isProposed
}

/** Makes the learned state of a record equal to that in the rows of another node. */
export function setLearned(
  database: Database,
  key: number,
  staging: Pick<StagedRecord, 'reports' | 'predictions' | 'proposals'>,
): void {
  for (const table of ['reports', 'report_summaries']) database.execute(`DELETE FROM ${table} WHERE key = ?`, [key])
  writeReports(database, key, [], staging.reports)
  writePredictions(database, key, staging.predictions)
  writeProposals(database, key, staging.proposals)
}

/** Deletes the learned state of a life that ended on another device. */
export function endLearned(database: Database, key: number): void {
  for (const table of ['reports', 'report_summaries', 'learned', 'accesses', 'predictions', 'proposals'])
    database.execute(`DELETE FROM ${table} WHERE key = ?`, [key])
  for (const table of ['links', 'link_states'])
    for (const column of ['key', 'other']) database.execute(`DELETE FROM ${table} WHERE ${column} = ?`, [key])
}

/** Merges links between the lives of both records. */
export function* mergeImportedLinks(
  database: Database,
  records: readonly StagedRecord[],
  at: number,
): Steps<readonly NewEvent[]> {
  const pace = createPace()
  const events: NewEvent[] = []
  const lives = new Map(records.map(({ record, life }) => [record.id, life]))
  const keyOf = (id: string) =>
    first(database, `SELECT key FROM records WHERE id = ? AND life = ?`, [id, lives.get(id) ?? 0], (row) =>
      row.number(0),
    )
  for (const { record, links } of records) {
    if (links.length === 0) continue
    const key = keyOf(record.id)
    if (key === undefined) continue
    for (const { id, ...link } of links) {
      if (pace.isDue(costs.read)) yield records.length
      const other = keyOf(id)
      if (other === undefined) continue
      const keys = keysInOrder(database, key, other)
      const stored = readLinkState(database, keys)
      const merged = stored === undefined ? linkStateFrom(link) : mergeLinks(stored, linkStateFrom(link))
      if (stored !== undefined && !differs(stored, merged)) continue
      const before = readWeight(database, key, other) ?? 0
      writeLinkState(database, keys, merged)
      const weight = weightOf(merged)
      events.push({
        kind: weight === 0 && before > 0 ? 'unlink' : 'link',
        id: record.id,
        at,
        detail: { other: id, weight },
      })
    }
  }
  return events
}

/** All stamps that an import contains. */
export function* stampsOf({
  records,
  tombstones,
  files,
}: Pick<StagedImport, 'records' | 'tombstones' | 'files'>): Generator<Stamp> {
  for (const { stamp } of tombstones) yield stamp
  for (const file of files) yield stampOfFile(file)
  for (const { stamp, reports, predictions, proposals, links } of records) {
    if (stamp !== null) yield stamp
    for (const { summary, listed } of reports) {
      if (summary !== null) yield summary.through
      for (const report of listed) yield report.stamp
    }
    for (const { made, resolvedBy } of predictions) yield resolvedBy ?? made
    for (const proposal of proposals) yield proposal.stamp
    for (const link of links) {
      if (link.stamp !== undefined) yield stampFrom(link.stamp)
      for (const [, added] of link.added ?? []) yield stampFrom(added)
    }
  }
}

function differs(a: unknown, b: unknown): boolean {
  return canonicalJson(a) !== canonicalJson(b)
}
