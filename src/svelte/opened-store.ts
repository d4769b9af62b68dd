/** Opens a store as long as a component subscribes. */
import { type Readable, readable } from 'svelte/store'
import type { OpenOptions } from '../client/api/open-options.ts'
import type { Recall } from '../client/api/recall.ts'
import { openRecall } from '../client/open.ts'

export interface OpenedStore {
  /** The open store; undefined before, and after an error. */
  readonly store: Recall | undefined
  /** Why it could not be opened. */
  readonly error: unknown
  readonly status: 'opening' | 'ready' | 'error'
}

/** Opens with the first subscriber and closes after the last. */
export function openedStore(options: OpenOptions = {}): Readable<OpenedStore> {
  return readable<OpenedStore>({ store: undefined, error: undefined, status: 'opening' }, (set) => {
    let isOver = false
    const opening = openRecall(options)
    opening.then(
      (store) => {
        if (!isOver) set({ store, error: undefined, status: 'ready' })
      },
      (error: unknown) => {
        if (!isOver) set({ store: undefined, error, status: 'error' })
      },
    )
    return () => {
      isOver = true
      set({ store: undefined, error: undefined, status: 'opening' })
      // An open that is under way is closed when it is done.
      opening.then((store) => store.close()).catch(() => undefined)
    }
  })
}
