/** A query that stays answered, as a hook. Stale answers are never shown as those of the query that is asked now. */
import { useEffect, useState } from 'react'
import type { Live, LiveOptions } from '../client/api/recall.ts'
import type { RecallQuery } from '../core/model/query.ts'
import type { RecallResult } from '../core/model/result.ts'
import { keyOf } from './key-of.ts'

export interface UsedRecall {
  /** The last answer; of the query before while the new one is not answered yet, undefined before the first. */
  readonly result: RecallResult | undefined
  /** Why the query could not be answered, until it is; the next change of the store asks again. */
  readonly error: unknown
  /** `idle` without store or query, `pending` until this query is answered for the first time. */
  readonly status: 'idle' | 'pending' | 'ready' | 'error'
}

/** The part of a store that is used. */
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
 * Subscribes to a query while the component is mounted: renders again when its answer changes, in whichever tab. The query is
 * compared by value, so a literal in the component is fine. `null` for either asks nothing.
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
      // An answer that was on its way when the query changed.
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
    // By value: `key` says all that `query` does.
  }, [recall, key])

  if (key === null) return { result: undefined, error: undefined, status: 'idle' }
  if (answer?.recall !== recall || answer?.key !== key) {
    return { result: answer?.result, error: undefined, status: 'pending' }
  }
  const { result, error } = answer
  return { result, error, status: error === undefined ? 'ready' : 'error' }
}
