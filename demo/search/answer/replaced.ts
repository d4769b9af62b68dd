/** Knows which superseded records each record replaces, so that a hit can show them struck through. */
import type { Recall, StoredRecord } from 'scrubjay'

export interface Replaced {
  of(id: string): readonly StoredRecord[]
  read(): Promise<void>
}

const mostRecords = 1000

export function createReplaced(recall: Recall): Replaced {
  let bySuccessor = new Map<string, StoredRecord[]>()
  return {
    of: (id) => bySuccessor.get(id) ?? [],
    async read() {
      const { items } = await recall.list({ status: 'superseded', limit: mostRecords })
      const next = new Map<string, StoredRecord[]>()
      for (const record of items)
        if (record.supersededBy !== null)
          next.set(record.supersededBy, [...(next.get(record.supersededBy) ?? []), record])
      bySuccessor = next
    },
  }
}
