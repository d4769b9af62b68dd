/** Links each captured run of the sample to the records of its files. Existing links stay unchanged. */
import type { Recall, RecordInput } from 'scrubjay'

export async function linkSample(recall: Recall, records: readonly RecordInput[]): Promise<void> {
  const ids = new Set(records.map(({ id }) => id))
  for (const { id, kind, files = [] } of records) {
    if (kind !== 'run' || id === undefined) continue
    for (const { path } of files) if (ids.has(path)) await recall.link(id, path)
  }
}
