/** Links each captured run of the sample with the records of the files it speaks of; links that are there stay as they are. */
import type { Recall, RecordInput } from 'scrubjay'

export async function linkSample(recall: Recall, records: readonly RecordInput[]): Promise<void> {
  const known = new Set(records.map(({ id }) => id))
  for (const { id, kind, files = [] } of records) {
    if (kind !== 'run' || id === undefined) continue
    for (const { path } of files) if (known.has(path)) await recall.link(id, path)
  }
}
