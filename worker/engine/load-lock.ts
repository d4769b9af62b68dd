/**
 * Loads the file with the ciphers. In Node it is a neighbouring module. In bundles, `worker-plugins.ts` replaces the import by a URL, as for
 * `load-hnsw.ts`; errors then have a class of that file, so they are built again here.
 */
import { RecallError } from '../../src/core/model/errors.ts'
import type { Keyring, StorageCiphers } from '../storage/common/lock-port.ts'
import type { ServedEngine } from '../tabs/port.ts'
import type { Engine } from './engine.ts'

/** The file with the ciphers. */
export interface LockChunk extends StorageCiphers {
  holdLocks(engine: Engine, wipe: () => void, place: string): Engine
  serveLocks(engine: ServedEngine, keyring: Keyring): ServedEngine
  /** For a store that is not locked. */
  serveExports(engine: ServedEngine, keyring: null): ServedEngine
}

export async function loadLock(): Promise<LockChunk> {
  const chunk = await importLock()
  const { changeLock, createKeyring, openKeyFile, unlockBytes, checkStoredLock, holdLocks, serveLocks, serveExports } =
    chunk
  return {
    createKeyring(lock, place) {
      const keyring = createKeyring(lock, place)
      const { open, create, check } = keyring
      return { ...keyring, open: withOwnErrors(open), create: withOwnErrors(create), check: withOwnErrors(check) }
    },
    holdLocks: (engine, wipe, place) => withCall(holdLocks(engine, wipe, place)),
    serveLocks: (engine, keyring) => withCall(serveLocks(engine, keyring)),
    serveExports: (engine) => withCall(serveExports(engine, null)),
    openKeyFile: withOwnErrors(openKeyFile),
    unlockBytes: withOwnErrors(unlockBytes),
    checkStoredLock: withOwnErrors(checkStoredLock),
    changeLock: withOwnErrors(changeLock),
  }
}

function importLock(): Promise<LockChunk> {
  return import('./locked.ts')
}

function withCall<T extends ServedEngine>(engine: T): T {
  return { ...engine, call: withOwnErrors(engine.call) }
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
