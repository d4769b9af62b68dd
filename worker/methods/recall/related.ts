/** related: the records that are most like a stored one, by its most telling words and its own vector. Writes nothing [D2]. */
import { refuse } from '../../../src/core/ingest/parse-fields.ts'
import type { RelatedRequest } from '../../../src/core/model/query.ts'
import type { Hit } from '../../../src/core/model/result.ts'
import { parseRelated } from '../../../src/core/query/parse-related.ts'
import { wordsOfRecord } from '../../../src/core/query/words-of-record.ts'
import type { RequestContext } from '../../../src/protocol/engine-api.ts'
import { answerFirst } from '../../retrieval/answer-first.ts'
import type { Ports } from '../common/ports.ts'
import { planOf } from './recall.ts'

export async function related(
  ports: Ports,
  id: string,
  input: RelatedRequest | undefined,
  context: RequestContext,
): Promise<readonly Hit[]> {
  const request = parseRelated(id, input)
  const plan = await planOf(ports, { ...request, ...likeRecord(ports, id) }, context)
  return ports.store.reading(() => answerFirst(plan, ports).decision.hits)
}

/** The question that the record is. Its own vector needs no embedder. */
function likeRecord({ store, index }: Ports, id: string) {
  return store.reading(() => {
    const key = store.keyOf(id)
    const [record] = key === undefined ? [] : store.hydrate([key])
    if (key === undefined || record === undefined)
      throw refuse('id', id, 'must be the id of a stored record', 'Give the id of a hit or of a list item.', invalid)
    const records = store.statistics(null).records
    const words = wordsOfRecord(record, records, (word) => store.vocabulary.records(word))
    const [vector] = index === null || index.standsIn?.() === true ? [] : store.cached.vectorsOf(key)
    const own = { text: words.join(' '), exclude: [id], times: 'off', typos: 'off', changes: 'off' } as const
    return vector === undefined ? own : { ...own, vector: vector.slice() }
  })
}

const invalid = 'INVALID_ARGUMENT'
