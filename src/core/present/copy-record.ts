/** Copies a record for an answer, because a store keeps the records that it reads, and an app may change what it gets. */
import type { StoredRecord } from '../model/record.ts'

/** The fields whose values can be changed in place. The compiler refuses a list that lacks one. */
type Changeable = {
  readonly [K in keyof StoredRecord as StoredRecord[K] extends object ? K : never]: StoredRecord[K]
}

export function copyRecord(record: StoredRecord): StoredRecord {
  const { tags, files, terms, anchors, reasons, risks, relations, cycles, metadata } = record
  const own: Changeable = {
    tags: [...tags],
    files: files.map(copyOf),
    terms: terms.map(copyOf),
    anchors: anchors.map(copyOf),
    reasons: reasons.map(copyOf),
    risks: risks.map(copyOf),
    relations: relations.map(copyOf),
    cycles: cycles.map(copyOf),
    metadata: JSON.parse(JSON.stringify(metadata)) as StoredRecord['metadata'],
  }
  return { ...record, ...own }
}

/** Rows of lists have no objects inside. */
function copyOf<T extends object>(row: T): T {
  return { ...row }
}
