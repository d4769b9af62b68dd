/** Checks the lock of a tab that follows another one, which has the store open: it must open the store itself when the other one ends. */
import { databasePrefix, directoryName } from '../../src/protocol/store-directory.ts'
import type { Keyring } from './common/lock-port.ts'
import { readLocation } from './common/storage-location.ts'
import { openIdbToRead } from './indexeddb/idb-byte-store.ts'
import { checkLocks } from './indexeddb/encrypted-bytes.ts'
import { checkKeyFile } from './opfs/key-file.ts'

/** Passes if no locks are found: `refusals.ts` compares both tabs. */
export async function checkStoredLock(name: string, keyring: Keyring): Promise<void> {
  const { kind } = await readLocation(name)
  if (kind !== 'indexeddb') await checkKeyFile(name, keyring)
  if (kind !== 'opfs') await checkInIndexedDb(name, keyring)
}

async function checkInIndexedDb(name: string, keyring: Keyring): Promise<void> {
  const bytes = await openIdbToRead(databasePrefix + directoryName(name))
  if (bytes === null) return
  try {
    await checkLocks(bytes, keyring)
  } finally {
    await bytes.close()
  }
}
