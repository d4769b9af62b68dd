/** Hook for a live query. An answer to a previous query is never marked as the answer to the current one. */
import { useEffect, useState } from 'react'
import type { Live, LiveOptions } from '../client/api/recall.ts'
import type { RecallQuery } from '../core/model/query.ts'
import type { RecallResult } from '../core/model/result.ts'
import { keyOf } from './key-of.ts'

export interface UsedRecall {
  /** The last answer. Until a new query is answered, the answer to the previous one; undefined before the first. */
  readonly result: RecallResult | undefined
  /** Why the query failed; undefined if it did not. The next change of the store runs the query again. */
  readonly error: unknown
  /** `idle` without store or query, `pending` until this query is answered for the first time. */
  readonly status: 'idle' | 'pending' | 'ready' | 'error'
}

/** The method of a store that the hook uses. */
export interface LiveStore {
  subscribe(live: Live, listener: (result: RecallResult) => void, options?: LiveOptions): () => void
}

interface Answer {
  readonly recall: object
  readonly key: string
  readonly result: RecallResult | undefined
  readonly error: unknown
}

/**
 * Runs a live query while the component is mounted, and renders again when the answer changes because of any tab. The query is compared
 * by value, so it can be a literal in the component. `null` for either runs none.
 */
export function useRecall(
  recall: LiveStore | null | undefined,
  query: string | RecallQuery | null | undefined,
): UsedRecall {
  const key = !recall || query === null || query === undefined ? null : keyOf(query)
  const [answer, setAnswer] = useState<Answer | null>(null)

  useEffect(() => {
    if (!recall || key === null) return undefined
    const ending = new AbortController()
    const tell = (change: Pick<Answer, 'error'> | Pick<Answer, 'result'>) => {
      // Ignore an answer that arrives after the query has changed.
      if (ending.signal.aborted) return
      setAnswer((before) => ({ result: before?.result, error: undefined, ...change, recall, key }))
    }
    const onError = (error: unknown) => tell({ error })
    try {
      recall.subscribe({ query: query! }, (result) => tell({ result }), {
        signal: ending.signal,
        onError,
      })
    } catch (error) {
      onError(error)
    }
    return () => ending.abort()
    // `key` is `query` as text: an equal query does not ask again.
  }, [recall, key])

  if (key === null) return { result: undefined, error: undefined, status: 'idle' }
  if (answer?.recall !== recall || answer?.key !== key) {
    return { result: answer?.result, error: undefined, status: 'pending' }
  }
  const { result, error } = answer
  return { result, error, status: error === undefined ? 'ready' : 'error' }
}
