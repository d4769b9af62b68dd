/** Orama with its default tokeniser and weights, in its three modes over the same vectors. */
import { create, insertMultiple, type Results, search } from '@orama/orama'
import { questionWords } from '../../../../src/core/text/stop-words.ts'
import { dimensions, type Records, rowOf } from '../load-collection.ts'
import type { Peer } from './peer.ts'

/**
 * Least cosine of a vector hit. Orama's default, .8, finds next to nothing with MiniLM (nDCG@10 .218 on locomo turns);
 * of 0, .2, .3, .4, .5 and .8 this one was its best on locomo and scifact, at the speed of the others.
 */
const similarity = 0.3

/** Few enough that the plain arrays Orama insists on do not pile up. */
const insertBatch = 1000

/** `content` gives Orama the question words as its stop words. */
export async function createOrama({ records, vectors }: Records, words: 'all' | 'content'): Promise<Peer> {
  const database = create({
    schema: { id: 'string', text: 'string', tags: 'enum[]', embedding: `vector[${dimensions}]` },
    ...(words === 'content'
      ? { components: { tokenizer: { language: 'english', stemming: false, stopWords: [...questionWords] } } }
      : {}),
  } as const)
  for (let from = 0; from < records.length; from += insertBatch) {
    const batch = records.slice(from, from + insertBatch).map(({ id, text, tags }, i) => ({
      id,
      text,
      tags: [...tags],
      embedding: Array.from(rowOf(vectors, from + i)),
    }))
    await insertMultiple(database, batch, insertBatch)
  }
  return {
    search({ mode, text, vector, tag }) {
      const found = search(database, {
        mode: mode === 'lexical' ? 'fulltext' : mode,
        ...(mode === 'vector' ? {} : { term: text, properties: ['text'] }),
        ...(mode === 'lexical' ? {} : { vector: { value: vector, property: 'embedding' }, similarity }),
        ...(tag === null ? {} : { where: { tags: { containsAll: [tag] } } }),
        limit: 10,
      } as Parameters<typeof search>[1])
      // Without hooks Orama answers at once; a promise's turn of the queue is not its time.
      const { hits } = found as Results<{ readonly id: string; readonly text: string }>
      return {
        ids: hits.map(({ id }) => id),
        records: hits.map(({ document: { id, text: body } }) => ({ id, text: body })),
      }
    },
  }
}
