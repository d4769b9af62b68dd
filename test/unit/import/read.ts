/** Reads given files for tests of readers: the records, and the report when they are all read. */
import type { RecordInput } from '../../../src/core/model/record.ts'
import { type GivenFiles, type ImportOptions, type ImportReport, readExport } from '../../../src/import/index.ts'

export async function read(files: GivenFiles, options: ImportOptions = {}) {
  const imported = readExport(files, { timeZone: 'UTC', ...options })
  const records: RecordInput[] = []
  for await (const record of imported) records.push(record)
  return { records, report: imported.report, byId: new Map(records.map((record) => [record.id, record])) }
}

/** Everything that was found is a record, part of one, or listed. */
export function isComplete({ parts, records, joined, left }: ImportReport): boolean {
  return parts === records + joined + left
}
