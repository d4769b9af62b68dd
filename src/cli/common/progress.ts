/** Shows the progress of long work: one line that changes on a terminal, else a line for each step. */
import type { Writable } from 'node:stream'
import type { Recall } from '../../client/api/recall.ts'

export interface Progress {
  /** Shows a line, unless the last one had the same step. */
  show(line: string, step: string): void
  end(): void
}

export const noProgress: Progress = { show: () => undefined, end: () => undefined }

export function openProgress(errors: Writable & { readonly isTTY?: boolean | undefined }): Progress {
  const isTerminal = errors.isTTY === true
  let shown = ''
  return {
    show(line, step) {
      const key = isTerminal ? line : step
      if (key === shown) return
      shown = key
      errors.write(isTerminal ? `\r\u001B[K${line}` : `${line}\n`)
    },
    end() {
      if (isTerminal && shown !== '') errors.write('\r\u001B[K')
    },
  }
}

/** Shows the long operations of a store, in tenths. Returns a function that ends this. */
export function followStore(store: Pick<Recall, 'subscribe'>, progress: Progress): () => void {
  return store.subscribe((event) => {
    if (event.type !== 'progress' || event.total === 0) return
    const { operation, done, total } = event
    progress.show(`${operation}: ${done} of ${total}`, `${operation} ${Math.floor((10 * done) / total)}`)
  })
}
