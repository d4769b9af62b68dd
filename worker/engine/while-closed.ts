/** Works on the bytes of a store that no tab has open. */
import { recallError } from '../../src/core/model/errors.ts'
import { channelName } from '../tabs/broadcast.ts'
import { findTabsPlatform } from '../tabs/find-platform.ts'

/** A tab that opens the store meanwhile waits. Rejects with STORE_BUSY while a tab has it open. */
export async function whileClosed<Answer>(name: string, work: () => Promise<Answer>): Promise<Answer> {
  const locks = findTabsPlatform()?.locks
  if (locks === undefined) return work()
  return locks.request(channelName(name), { ifAvailable: true }, async (lock) => {
    if (lock !== null) return work()
    throw recallError('STORE_BUSY', 'must name a closed store, but a tab or worker has it open', {
      field: 'name',
      value: name,
      hint: 'Close it in every tab. Nothing was changed.',
    })
  })
}
