/** Compares the last acknowledged revision with the revision of the store that opens. */
import { recallError } from '../../../src/core/model/errors.ts'
import type { OpenStorage } from './port.ts'

/** Throws STORE_CORRUPT, once, if acknowledged changes are missing. The next opening goes on without them. */
export function checkAcknowledged({ acknowledged }: OpenStorage, revision: number): void {
  acknowledged?.opened?.(revision)
  const latest = acknowledged?.latest() ?? 0
  if (latest <= revision) return
  acknowledged?.note(revision)
  throw recallError('STORE_CORRUPT', `The journal is damaged: the last ${latest - revision} changes are lost`, {
    value: revision,
    hint: 'Open the store again to go on without them, or import the latest export under another name.',
  })
}
