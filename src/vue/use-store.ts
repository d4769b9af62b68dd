/** Composable that opens a store and closes it when its scope ends. */
import { onScopeDispose, type ShallowRef, shallowRef } from 'vue'
import type { OpenOptions } from '../client/api/open-options.ts'
import type { Recall } from '../client/api/recall.ts'
import { openRecall } from '../client/open.ts'

export interface UsedStore {
  /** The open store; undefined before, and after an error. */
  readonly store: Readonly<ShallowRef<Recall | undefined>>
  /** Why it could not be opened. */
  readonly error: Readonly<ShallowRef<unknown>>
  readonly status: Readonly<ShallowRef<'opening' | 'ready' | 'error'>>
}

/** Opens a store. Components with equal names share one engine. */
export function useStore(options: OpenOptions = {}): UsedStore {
  const store = shallowRef<Recall>()
  const error = shallowRef<unknown>()
  const status = shallowRef<'opening' | 'ready' | 'error'>('opening')
  let isOver = false
  const opening = openRecall(options)
  opening.then(
    (open) => {
      if (isOver) return
      store.value = open
      status.value = 'ready'
    },
    (reason: unknown) => {
      error.value = reason
      status.value = 'error'
    },
  )
  onScopeDispose(() => {
    isOver = true
    store.value = undefined
    // An open that is under way is closed when it is done.
    opening.then((open) => open.close()).catch(() => undefined)
  })
  return { store, error, status }
}
