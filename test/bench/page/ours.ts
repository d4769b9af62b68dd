/**
 * Runs Scrubjay as an app uses it: the built package, its public client, the store in OPFS, vectors made beforehand.
 */
import { openRecall, type PolicyName, type Recall, type RecallQuery } from 'scrubjay'
import { precomputed } from 'scrubjay/embedders'
import type { BatchTimings } from './bench-api.ts'
import { changedRow } from './changes.ts'
import type { Ask, Contender } from './contender.ts'
import { dimensions, type Records, rowOf } from './load-collection.ts'

export function openStore(name: string): Promise<Recall> {
  return openRecall({ name, storage: 'opfs', embedder: precomputed(dimensions, 'all-MiniLM-L6-v2') })
}

/** Each batch waits for the receipt of the one before: timed batches are stored durably. */
export async function putAll(
  recall: Recall,
  { records, vectors }: Records,
  batches: readonly { readonly batchSize: number; readonly upTo: number }[],
  isSpread: boolean,
): Promise<readonly BatchTimings[]> {
  const timings: BatchTimings[] = []
  const endMs = Date.now()
  let from = 0
  for (const { batchSize, upTo } of batches) {
    const startedFrom = from
    const batchMs: number[] = []
    while (from < Math.min(upTo, records.length)) {
      const batch = records.slice(from, Math.min(from + batchSize, upTo)).map(({ id, text, tags }, i) => ({
        id,
        body: text,
        tags,
        vectors: rowOf(vectors, from + i),
        ...(isSpread ? { createdAt: endMs - (1 - (from + i) / records.length) * yearMs } : {}),
      }))
      const startedMs = performance.now()
      const receipt = await recall.put(batch)
      batchMs.push(performance.now() - startedMs)
      const rejected = receipt.records.find((record) => record.outcome !== 'inserted')
      if (rejected !== undefined) throw new Error(`${rejected.id} was ${rejected.outcome}: ${rejected.message}`)
      if (receipt.durability !== 'committed') throw new Error(`a batch was ${receipt.durability}, not committed`)
      from += batch.length
    }
    timings.push({ batchSize, records: from - startedFrom, batchMs })
  }
  return timings
}

/** `records` is called only before changes: a contender that only answers does not hold them. */
export function ourContender(recall: Recall, records: () => Promise<Records>): Contender {
  return {
    async change(verb, rows) {
      const all = await records()
      const changed = rows.map((row) => changedRow(all, row))
      const startedMs = performance.now()
      if (verb === 'supersede') {
        for (const { record } of changed) await recall.patch(record.id, { status: 'superseded' })
        return performance.now() - startedMs
      }
      const receipt =
        verb === 'remove'
          ? await recall.forget({ ids: changed.map(({ record }) => record.id) })
          : await recall.put(
              changed.map(({ record: { id, text, tags }, vector }) => ({ id, body: text, tags, vectors: vector })),
            )
      const tookMs = performance.now() - startedMs
      if (receipt.durability !== 'committed') throw new Error(`a batch was ${receipt.durability}, not committed`)
      return tookMs
    },
    setEf: async () => {
      throw new Error('Scrubjay searches no graph here')
    },
    wasmBytes: async () => null,
    async ask(ask) {
      if (ask.mode === 'assemble') {
        const { records, metadata } = await recall.assemble({ text: ask.text, vector: ask.vector, maxTokens: 2000 })
        return { ids: records.map(({ id }) => id), tookMs: metadata.timingMs }
      }
      const { hits, tookMs } = await recall.recall(queryOf(ask))
      return { ids: hits.map((hit) => hit.id), tookMs }
    },
    leave: () => recall.close(),
  }
}

const yearMs = 365 * 86_400_000

function queryOf({ mode, text, vector, tag }: Ask): RecallQuery {
  if (mode === 'hybrid, of last week') return { text: `${text} last week`, vector, collapse: 'none', limit: 10 }
  if (mode === 'hybrid, some superseded') return { text, vector, collapse: 'none', limit: 10 }
  const [, policy, explain] = mode.split(', ')
  if (policy !== undefined)
    return { text, vector, policy: policy as PolicyName, explain: explain !== undefined, limit: 10 }
  return {
    ...(mode === 'vector' ? {} : { text }),
    ...(mode === 'lexical' ? {} : { vector }),
    ...(tag === null ? {} : { scope: { tags: { all: [tag] } } }),
    // Peers collapse no copies, and judgements name each copy of a text.
    collapse: 'none',
    limit: 10,
  }
}
