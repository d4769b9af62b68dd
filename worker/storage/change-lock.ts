/** Encrypts or decrypts a closed store of a browser: moves it to the other kind of storage, where its pages are written with other keys. */
import { recallError } from '../../src/core/model/errors.ts'
import type { Conversion } from '../../src/protocol/engine-host.ts'
import type { PersistentKind } from '../../src/protocol/location-note.ts'
import type { StorageCiphers, StoreMoves, Unlocking } from './common/lock-port.ts'

/** Resolves to whether it changed anything. Rejects with WRONG_KEY, or INVALID_ARGUMENT for a missing store, and as `moveStore` does. */
export async function changeLock(
  ciphers: StorageCiphers,
  { name, lock: given, encrypts }: Conversion,
  from: PersistentKind | null,
  { open, move }: StoreMoves,
): Promise<boolean> {
  if (from === null) throw noStore(name)
  const keyring = ciphers.createKeyring(given, name)
  const lock: Unlocking = { ciphers, keyring }
  const opens = async (key: Unlocking | undefined, refusal: string) => {
    try {
      await (await open(from, key)).close()
      return true
    } catch (error) {
      if ((error as { readonly code?: string }).code === refusal) return false
      throw error
    }
  }
  try {
    // A lock is an invalid option of a store without one.
    const isLocked = encrypts ? !(await opens(undefined, 'LOCKED')) : await opens(lock, 'INVALID_CONFIG')
    if (isLocked === encrypts) {
      if (encrypts) await opens(lock, 'LOCKED')
      return false
    }
    const to = from === 'opfs' ? 'indexeddb' : 'opfs'
    await (await (encrypts ? move(from, to, undefined, lock) : move(from, to, lock, null))).close()
    return true
  } finally {
    keyring.wipe()
  }
}

function noStore(name: string) {
  return recallError('INVALID_ARGUMENT', 'must name a store of this device', {
    field: 'name',
    value: name,
    hint: 'stores() lists them. A new store is locked by the option lock of openRecall.',
  })
}
