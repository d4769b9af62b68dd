/** A live query as a store of Svelte: `$answer` in a component. */
import { type Readable, readable } from 'svelte/store'
import type { Live, LiveOptions } from '../client/api/recall.ts'
import type { RecallQuery } from '../core/model/query.ts'
import type { RecallResult } from '../core/model/result.ts'

export interface LiveAnswer {
  /** The last answer; undefined before the first. */
  readonly result: RecallResult | undefined
  /** Why the query failed; undefined if it did not. The next change of the store runs it again. */
  readonly error: unknown
  /** `idle` without store or query, `pending` until the first answer. */
  readonly status: 'idle' | 'pending' | 'ready' | 'error'
}

/** The method of a store that is used. */
export interface LiveStore {
  subscribe(live: Live, listener: (result: RecallResult) => void, options?: LiveOptions): () => void
}

const idle: LiveAnswer = { result: undefined, error: undefined, status: 'idle' }
const pending: LiveAnswer = { ...idle, status: 'pending' }

/** Runs while a component subscribes. For a query that changes, create it again: `$derived(liveRecall(store, text))`. */
export function liveRecall(
  store: LiveStore | null | undefined,
  query: string | RecallQuery | null | undefined,
): Readable<LiveAnswer> {
  if (!store || query === null || query === undefined) return readable(idle)
  return readable(pending, (_set, update) => {
    const ending = new AbortController()
    const fail = (error: unknown) => {
      if (!ending.signal.aborted) update(({ result }) => ({ result, error, status: 'error' }))
    }
    try {
      store.subscribe(
        { query },
        (result) => {
          if (!ending.signal.aborted) update(() => ({ result, error: undefined, status: 'ready' }))
        },
        { signal: ending.signal, onError: fail },
      )
    } catch (error) {
      fail(error)
    }
    return () => ending.abort()
  })
}
