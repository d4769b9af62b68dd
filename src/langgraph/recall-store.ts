/** Keeps the items of LangGraph's long-term memory as records. `search` with a query ranks by words and vectors. */
import {
  BaseStore,
  type Item,
  type ListNamespacesOperation,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
  validateNamespace,
} from '@langchain/langgraph-checkpoint'
import type { Recall } from '../client/api/recall.ts'
import { RecallError } from '../core/model/errors.ts'
import type { StoredRecord } from '../core/model/record.ts'
import { idOf, itemOf, namespaceOf, recordOf, scopeOf } from './item-records.ts'
import { isMatch, passesFilter } from './matching.ts'

/** The methods of a store that are used. */
export type ItemStore = Pick<Recall, 'put' | 'get' | 'list' | 'recall' | 'forget' | 'tags'>

export interface RecallStoreOptions {
  /** `bank` of the items' records, which separates them from other records and other stores of LangGraph. Default `langgraph`. */
  readonly bank?: string | undefined
  /** Paths of the texts that `search` reads, such as `text` or `chapters[*].content`. Default: every text of the value. */
  readonly fields?: readonly string[] | undefined
}

const mostHits = 1000

/**
 * A `BaseStore`. Namespaces, filters, pages and batches work as in LangGraph's `InMemoryStore`; a batch reads before it writes. `search` with a
 * query puts the matching items first, best first, with a score; others follow without one. Values are JSON of at most 16 kB, or 1 MiB if all
 * of their text may be searched. Errors of the store are `RecallError`; wrong namespaces are `InvalidNamespaceError`.
 */
export class RecallStore extends BaseStore {
  readonly #store: ItemStore
  readonly #bank: string
  readonly #fields: readonly string[] | undefined

  constructor(store: ItemStore, { bank = 'langgraph', fields }: RecallStoreOptions = {}) {
    super()
    this.#store = store
    this.#bank = bank
    this.#fields = fields
  }

  override async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    const writes = new Map<string, PutOperation>()
    const results: unknown[] = []
    for (const operation of operations) {
      if ('namespacePrefix' in operation) results.push(await this.#search(operation))
      else if ('key' in operation && 'value' in operation) {
        validateNamespace(operation.namespace, { allowReservedRoot: true })
        // The last write of a key counts.
        writes.set(idOf(this.#bank, operation.namespace, operation.key), operation)
        results.push(null)
      } else if ('key' in operation) results.push(await this.#get(operation.namespace, operation.key))
      else results.push(await this.#listNamespaces(operation))
    }
    await this.#write([...writes.values()])
    return results as OperationResults<Op>
  }

  async #get(namespace: string[], key: string): Promise<Item | null> {
    validateNamespace(namespace, { allowReservedRoot: true })
    const record = await this.#store.get(idOf(this.#bank, namespace, key))
    return record === undefined ? null : itemOf(record)
  }

  async #write(operations: readonly PutOperation[]): Promise<void> {
    const gone = operations.filter(({ value }) => value === null)
    // A value that no record can hold changes nothing, so records are made before anything is removed.
    const kept = operations
      .filter(({ value }) => value !== null)
      .map((operation) => recordOf(this.#bank, operation, this.#fields))
    if (gone.length > 0) await this.#store.forget(gone.map(({ namespace, key }) => idOf(this.#bank, namespace, key)))
    if (kept.length === 0) return
    const { records } = await this.#store.put(kept)
    for (const { outcome, code = 'INVALID_RECORD', message = 'The item was rejected.', field, hint } of records)
      if (outcome === 'rejected') throw new RecallError({ code, message, field, hint })
  }

  async #search(operation: SearchOperation): Promise<SearchItem[]> {
    const { namespacePrefix, query, filter, limit = 10, offset = 0 } = operation
    validateNamespace(namespacePrefix, { allowEmpty: true, allowReservedRoot: true })
    const scope = scopeOf(this.#bank, namespacePrefix)
    const found: SearchItem[] = []
    const seen = new Set<string>()
    if (query !== undefined && query.trim() !== '') {
      const { hits } = await this.#store.recall({ text: query, scope, limit: mostHits })
      for (const { id, score, record } of hits) {
        seen.add(id)
        const item = itemOf(record)
        if (passesFilter(item.value, filter)) found.push({ ...item, score })
      }
    }
    for await (const record of this.#all(scope)) {
      if (found.length >= offset + limit) break
      if (seen.has(record.id)) continue
      const item = itemOf(record)
      if (passesFilter(item.value, filter)) found.push(item)
    }
    return found.slice(offset, offset + limit)
  }

  async *#all(scope: ReturnType<typeof scopeOf>): AsyncIterable<StoredRecord> {
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<ItemStore['list']>> = await this.#store.list({
        ...scope,
        order: { by: 'createdAt', direction: 'asc' },
        cursor,
      })
      yield* page.items
      cursor = page.nextCursor
    } while (cursor !== null)
  }

  async #listNamespaces(operation: ListNamespacesOperation): Promise<string[][]> {
    const { matchConditions = [], maxDepth, limit, offset = 0 } = operation
    const tags = await this.#store.tags({ bank: this.#bank })
    const namespaces = tags.flatMap(({ tag }) => {
      const namespace = namespaceOf(tag)
      return namespace !== null && matchConditions.every((one) => isMatch(one, namespace)) ? [namespace] : []
    })
    const cut = new Map(namespaces.map((one) => one.slice(0, maxDepth)).map((one) => [one.join('\0'), one]))
    const sorted = [...cut.values()].sort((a, b) => (a.join(':') < b.join(':') ? -1 : 1))
    return sorted.slice(offset, offset + (limit ?? sorted.length))
  }
}
