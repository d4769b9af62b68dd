/**
 * Adapts Orama, or its fork ZBSearch, in three modes over the same vectors: with defaults, and with the best settings
 * found for it (stop words out, weights of a hybrid answer, BM25's `d`).
 */
import type * as orama from '@orama/orama'
import type { Results } from '@orama/orama'
import { questionWords } from '../../../../src/core/text/tokenise/stop-words.ts'
import type { ServedRecord } from '../bench-api.ts'
import { dimensions, type Records, rowOf } from '../load-collection.ts'
import type { Peer } from './peer.ts'

/**
 * Least cosine of a vector hit. Orama's default, .8, finds almost nothing with MiniLM (nDCG@10 .218 on locomo turns);
 * of 0, .2, .3, .4, .5 and .8 this one was its best on locomo and scifact, at the speed of the others.
 */
const similarity = 0.3

/**
 * Documented options of a search, for `content`. Weights .3/.7 lift its hybrid nDCG@10 on scifact from .646 to .681; `d` of 5
 * instead of .5 lifts its words on locomo turns from .309 to .376. Stemming, `exact` and `threshold: 0` were tried and are worse.
 */
const bestOptions = { hybridWeights: { text: 0.3, vector: 0.7 }, relevance: { k: 1.2, b: 0.75, d: 5 } }

/** Few enough that the plain arrays Orama requires do not pile up. */
const insertBatch = 1000

/** `content` gives Orama the question words as its stop words, and `bestOptions`. */
export async function createOrama(
  { create, insertMultiple, removeMultiple, search, updateMultiple }: typeof orama,
  { records, vectors }: Records,
  words: 'all' | 'content',
): Promise<Peer> {
  const database = create({
    schema: { id: 'string', text: 'string', tags: 'enum[]', embedding: `vector[${dimensions}]` },
    ...(words === 'content'
      ? { components: { tokenizer: { language: 'english', stemming: false, stopWords: [...questionWords] } } }
      : {}),
  } as const)
  for (let from = 0; from < records.length; from += insertBatch) {
    const batch = records
      .slice(from, from + insertBatch)
      .map((record, i) => documentOf(record, rowOf(vectors, from + i)))
    await insertMultiple(database, batch, insertBatch)
  }
  return {
    search({ mode, text, vector, tag }) {
      const found = search(database, {
        mode: mode === 'lexical' ? 'fulltext' : mode,
        ...(mode === 'vector' ? {} : { term: text, properties: ['text'] }),
        ...(mode === 'lexical' ? {} : { vector: { value: vector, property: 'embedding' }, similarity }),
        ...(tag === null ? {} : { where: { tags: { containsAll: [tag] } } }),
        ...(words === 'content' ? bestOptions : {}),
        limit: 10,
      } as Parameters<typeof search>[1])
      // Without hooks Orama answers at once; the microtask of a promise is not its time.
      const { hits } = found as Results<{ readonly id: string; readonly text: string }>
      return {
        ids: hits.map(({ id }) => id),
        records: hits.map(({ document: { id, text: body } }) => ({ id, text: body })),
      }
    },
    async update(changed) {
      const ids = changed.map(({ record }) => record.id)
      await updateMultiple(
        database,
        ids,
        changed.map(({ record, vector }) => documentOf(record, vector)),
      )
    },
    async remove(rows) {
      await removeMultiple(
        database,
        rows.map(({ record }) => record.id),
      )
    },
  }
}

function documentOf({ id, text, tags }: ServedRecord, vector: Float32Array) {
  return { id, text, tags: [...tags], embedding: Array.from(vector) }
}
