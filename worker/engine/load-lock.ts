/**
 * Loads the file with the ciphers. In Node it is a neighbouring module. In bundles, `worker-plugins.ts` replaces the import by a URL, as for
 * `load-hnsw.ts`; errors then have a class of that file, so they are built again here.
 */
import { RecallError } from '../../src/core/model/errors.ts'
import type { LockChunk } from '../storage/common/lock-port.ts'

export async function loadLock(): Promise<LockChunk> {
  const { createKeyring, openKeyFile, unlockBytes, checkStoredLock } = await importLock()
  return {
    createKeyring(lock, place) {
      const { open, create } = createKeyring(lock, place)
      return { open: withOwnErrors(open), create: withOwnErrors(create) }
    },
    openKeyFile: withOwnErrors(openKeyFile),
    unlockBytes: withOwnErrors(unlockBytes),
    checkStoredLock: withOwnErrors(checkStoredLock),
  }
}

function importLock(): Promise<LockChunk> {
  return import('../storage/locked.ts')
}

function withOwnErrors<Given extends readonly unknown[], Answer>(work: (...given: Given) => Promise<Answer>) {
  return async (...given: Given): Promise<Answer> => {
    try {
      return await work(...given)
    } catch (error) {
      const { toDetails } = error as Partial<RecallError>
      throw toDetails === undefined || error instanceof RecallError ? error : new RecallError(toDetails.call(error))
    }
  }
}
