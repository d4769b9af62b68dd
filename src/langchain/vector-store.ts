/** A vector store: documents by the cosine of their vectors. For questions of words and vectors use the retriever. */
import type { DocumentInterface } from '@langchain/core/documents'
import type { EmbeddingsInterface } from '@langchain/core/embeddings'
import { VectorStore } from '@langchain/core/vectorstores'
import type { Recall } from '../client/api/recall.ts'
import { RecallError, recallError } from '../core/model/errors.ts'
import type { Scope } from '../core/model/query.ts'
import { documentOf, recordOf } from './documents.ts'

/** The methods of a store that are used. */
export type VectorStoreRecall = Pick<Recall, 'put' | 'recall' | 'forget'>

/**
 * The store must be open with `langchainEmbedder(embeddings, …)`, or with another embedder of the same space. A filter is a scope. Scores are
 * cosines, −1 to 1.
 */
export class RecallVectorStore extends VectorStore {
  declare FilterType: Scope
  override lc_namespace = ['scrubjay', 'vectorstores']
  readonly #store: VectorStoreRecall

  constructor(embeddings: EmbeddingsInterface, { store }: { readonly store: VectorStoreRecall }) {
    super(embeddings, {})
    this.#store = store
  }

  override _vectorstoreType() {
    return 'scrubjay'
  }

  /** Stores documents with their vectors and returns their ids. `ids`, else the id of a document, replaces the record with the same id. */
  override async addVectors(
    vectors: number[][],
    documents: DocumentInterface[],
    options: { readonly ids?: readonly string[] } = {},
  ): Promise<string[]> {
    const { ids } = options
    for (const [field, length] of [
      ['vectors', vectors.length],
      ...(ids === undefined ? [] : [['ids', ids.length]]),
    ] as const) {
      if (length === documents.length) continue
      throw recallError('INVALID_ARGUMENT', `must have ${documents.length} elements, one for each document`, {
        field: field as string,
        got: String(length),
        hint: 'Give as many as documents.',
      })
    }
    const records = documents.map((document, i) => ({
      ...recordOf(document),
      ...(ids === undefined ? {} : { id: ids[i]! }),
      vectors: Float32Array.from(vectors[i]!),
    }))
    if (records.length === 0) return []
    const receipt = await this.#store.put(records)
    return receipt.records.map(
      ({ id, outcome, code = 'INVALID_RECORD', message = 'A document was rejected.', field, hint }) => {
        if (outcome === 'rejected') throw new RecallError({ code, message, field, hint })
        return id
      },
    )
  }

  override async addDocuments(documents: DocumentInterface[], options?: { readonly ids?: readonly string[] }) {
    const vectors = await this.embeddings.embedDocuments(documents.map(({ pageContent }) => pageContent))
    return this.addVectors(vectors, documents, options)
  }

  /** Deletes the documents with these ids and erases their text, or those of a scope. */
  override async delete({ ids, filter }: { readonly ids?: readonly string[]; readonly filter?: Scope } = {}) {
    if (ids === undefined && filter === undefined) {
      throw recallError('INVALID_ARGUMENT', 'must be given', { field: 'ids', hint: 'Give { ids } or { filter }.' })
    }
    await this.#store.forget(ids ?? filter!)
  }

  override async similaritySearchVectorWithScore(
    query: number[],
    k: number,
    filter?: Scope,
  ): Promise<[DocumentInterface, number][]> {
    const { hits } = await this.#store.recall({
      vector: Float32Array.from(query),
      limit: k,
      ...(filter === undefined ? {} : { scope: filter }),
    })
    return hits
      .flatMap(({ record, contributions }): [DocumentInterface, number][] => {
        const cosine = contributions.find(({ signal }) => signal === 'cosine')
        return cosine === undefined ? [] : [[documentOf(record, {}), cosine.value]]
      })
      .sort(([, a], [, b]) => b - a)
  }

  static override async fromTexts(
    texts: string[],
    metadatas: object[] | object,
    embeddings: EmbeddingsInterface,
    config: { readonly store: VectorStoreRecall },
  ): Promise<RecallVectorStore> {
    const documents = texts.map((pageContent, i) => ({
      pageContent,
      metadata: (Array.isArray(metadatas) ? metadatas[i] : metadatas) ?? {},
    }))
    return RecallVectorStore.fromDocuments(documents, embeddings, config)
  }

  static override async fromDocuments(
    documents: DocumentInterface[],
    embeddings: EmbeddingsInterface,
    config: { readonly store: VectorStoreRecall },
  ): Promise<RecallVectorStore> {
    const vectors = new RecallVectorStore(embeddings, config)
    await vectors.addDocuments(documents)
    return vectors
  }
}
