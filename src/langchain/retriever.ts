/** A retriever: hybrid search with evidence and reasons. */
import { BaseRetriever, type BaseRetrieverInput } from '@langchain/core/retrievers'
import type { Recall } from '../client/api/recall.ts'
import type { RecallQuery } from '../core/model/query.ts'
import { documentOf } from './documents.ts'

export interface RecallRetrieverInput extends BaseRetrieverInput {
  readonly store: Pick<Recall, 'recall'>
  /** Most documents. Default 4, as in LangChain. */
  readonly k?: number | undefined
  /** More of the query, such as `scope`, `policy` or `minEvidence`. */
  readonly query?: Omit<RecallQuery, 'text' | 'limit'> | undefined
}

/** Documents best first. `metadata.scrubjay` has id, title, kind, tags, score, reasons and the evidence of the answer. */
export class RecallRetriever extends BaseRetriever {
  lc_namespace = ['scrubjay', 'retrievers']
  readonly #input: RecallRetrieverInput

  static override lc_name() {
    return 'RecallRetriever'
  }

  constructor(input: RecallRetrieverInput) {
    super(input)
    this.#input = input
  }

  override async _getRelevantDocuments(text: string) {
    const { store, k = 4, query } = this.#input
    const { hits, evidence } = await store.recall({ ...query, text, limit: k })
    return hits.map(({ record, score, reasons }) => documentOf(record, { score, reasons, evidence: evidence.strength }))
  }
}
