/** Composable for a live query. An answer to a previous query is never marked as the answer to the current one. */
import { type MaybeRefOrGetter, onScopeDispose, type ShallowRef, shallowRef, toValue, watch } from 'vue'
import type { Live, LiveOptions } from '../client/api/recall.ts'
import type { RecallQuery } from '../core/model/query.ts'
import type { RecallResult } from '../core/model/result.ts'

export interface UsedRecall {
  /** The last answer. Until a new query is answered, the answer to the previous one; undefined before the first. */
  readonly result: Readonly<ShallowRef<RecallResult | undefined>>
  /** Why the query failed; undefined if it did not. The next change of the store runs it again. */
  readonly error: Readonly<ShallowRef<unknown>>
  /** `idle` without store or query, `pending` until this query is answered for the first time. */
  readonly status: Readonly<ShallowRef<'idle' | 'pending' | 'ready' | 'error'>>
}

/** The method of a store that is used. */
export interface LiveStore {
  subscribe(live: Live, listener: (result: RecallResult) => void, options?: LiveOptions): () => void
}

/** Runs a live query until its scope ends. Store and query may be refs, getters or values; null for either runs none. */
export function useRecall(
  store: MaybeRefOrGetter<LiveStore | null | undefined>,
  query: MaybeRefOrGetter<string | RecallQuery | null | undefined>,
): UsedRecall {
  const result = shallowRef<RecallResult>()
  const error = shallowRef<unknown>()
  const status = shallowRef<'idle' | 'pending' | 'ready' | 'error'>('idle')
  let ending = new AbortController()
  const stop = () => ending.abort()

  watch(
    [() => toValue(store), () => JSON.stringify(toValue(query), vectorsAsNumbers)] as const,
    ([open, key]) => {
      stop()
      ending = new AbortController()
      const { signal } = ending
      const asked = toValue(query)
      error.value = undefined
      if (!open || key === undefined || asked === null || asked === undefined) {
        result.value = undefined
        status.value = 'idle'
        return
      }
      status.value = 'pending'
      const fail = (reason: unknown) => {
        if (signal.aborted) return
        error.value = reason
        status.value = 'error'
      }
      try {
        const answer = (found: RecallResult) => {
          if (signal.aborted) return
          result.value = found
          error.value = undefined
          status.value = 'ready'
        }
        open.subscribe({ query: asked }, answer, { signal, onError: fail })
      } catch (reason) {
        fail(reason)
      }
    },
    { immediate: true },
  )
  onScopeDispose(stop)
  return { result, error, status }
}

function vectorsAsNumbers(_name: string, part: unknown): unknown {
  return ArrayBuffer.isView(part) ? Array.from(part as unknown as ArrayLike<number>) : part
}
