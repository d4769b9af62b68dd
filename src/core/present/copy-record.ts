/** Copies a record for an answer, because a store keeps the records that it reads, and an app may change what it gets. */
import type { StoredRecord } from '../model/record.ts'

export function copyRecord(record: StoredRecord): StoredRecord {
  const { tags, files, terms, anchors, reasons, risks, relations, cycles, metadata } = record
  return {
    ...record,
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
}

/** Rows of lists have no objects inside. */
function copyOf<T extends object>(row: T): T {
  return { ...row }
}
