/** Shows the progress of long operations: one line that changes on a terminal, else a line for each tenth. */
import type { Recall } from '../../client/api/recall.ts'
import type { Io } from './io.ts'

/** Returns a function that ends this. */
export function showProgress(store: Pick<Recall, 'subscribe'>, errors: Io['errors']): () => void {
  let shown = ''
  const stop = store.subscribe((event) => {
    if (event.type !== 'progress' || event.total === 0) return
    const { operation, done, total } = event
    const share = Math.floor((10 * done) / total)
    const line = `${operation}: ${done} of ${total}`
    const key = errors.isTTY === true ? line : `${operation} ${share}`
    if (key === shown) return
    shown = key
    errors.write(errors.isTTY === true ? `\r\u001B[K${line}` : `${line}\n`)
  })
  return () => {
    stop()
    if (errors.isTTY === true && shown !== '') errors.write('\r\u001B[K')
  }
}
