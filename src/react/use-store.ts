/** Hook that opens a store when the component mounts and closes it when it unmounts. */
import { useEffect, useState } from 'react'
import type { OpenOptions } from '../client/api/open-options.ts'
import type { Recall } from '../client/api/recall.ts'
import { openRecall } from '../client/open.ts'
import { keyOf } from './key-of.ts'

export interface UsedStore {
  /** The open store; undefined before, and after an error. */
  readonly store: Recall | undefined
  /** Why it could not be opened. */
  readonly error: unknown
  readonly status: 'opening' | 'ready' | 'error'
}

const opening: UsedStore = { store: undefined, error: undefined, status: 'opening' }

/**
 * Opens a store. Options are compared by value, functions in them not at all, so they can be a literal in the component; other options close
 * the store and open another. Components with equal names share one engine.
 */
export function useStore(options: OpenOptions = {}): UsedStore {
  const key = keyOf(options)
  const [opened, setOpened] = useState<{ readonly key: string; readonly used: UsedStore }>({ key, used: opening })

  useEffect(() => {
    let isOver = false
    const store = openRecall(options)
    store.then(
      (open) => {
        if (!isOver) setOpened({ key, used: { store: open, error: undefined, status: 'ready' } })
      },
      (error: unknown) => {
        if (!isOver) setOpened({ key, used: { store: undefined, error, status: 'error' } })
      },
    )
    return () => {
      isOver = true
      setOpened({ key, used: opening })
      // An open that is under way is closed when it is done.
      store.then((open) => open.close()).catch(() => undefined)
    }
    // `key` is `options` as text: equal options do not open again.
  }, [key])

  return opened.key === key ? opened.used : opening
}
