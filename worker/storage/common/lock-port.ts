/** What the engine needs of the file with the ciphers, which is only loaded when a store is locked. */
import type { GivenLock } from '../../../src/core/model/lock.ts'
import type { Conversion } from '../../../src/protocol/engine-host.ts'
import type { PersistentKind } from '../../../src/protocol/location-note.ts'
import type { HeldKeys, OpenKeys } from '../../lock/port.ts'
import type { ByteStore } from './byte-store.ts'

/** The parts that open storage. */
export interface StorageCiphers {
  /** `place`: the name or the path of the store, for errors. */
  createKeyring(lock: GivenLock, place: string): Keyring
  /**
   * Opens the keys of a store in OPFS whose lock file is held, or makes those of a new one. Throws WRONG_KEY, STORE_CORRUPT, or INVALID_CONFIG for a
   * store without locks.
   */
  openKeyFile(directory: FileSystemDirectoryHandle, found: FoundDatabase, request: KeyRequest): Promise<HeldKeys>
  /** The same for a store in IndexedDB, with its values as the page log sees them. `stored`: the keys of all values. */
  unlockBytes(store: ByteStore, stored: readonly string[], request: KeyRequest): Promise<UnlockedBytes>
  /** Checks the lock of a tab that follows another one. Throws WRONG_KEY, STORE_NEWER or STORE_CORRUPT. Writes nothing. */
  checkStoredLock(name: string, keyring: Keyring): Promise<void>
  /** Encrypts or decrypts a store that is in `from`. Null: there is none. */
  changeLock(
    ciphers: StorageCiphers,
    conversion: Conversion,
    from: PersistentKind | null,
    moves: StoreMoves,
  ): Promise<boolean>
}

/** What changes the storage of one store. */
export interface StoreMoves {
  open(kind: PersistentKind, lock: Unlocking | undefined): Promise<Closable>
  /** The store, open in its new kind under `newLock`. Null: it is not locked there. */
  move(
    from: PersistentKind,
    to: PersistentKind,
    lock: Unlocking | undefined,
    newLock: Unlocking | null,
  ): Promise<Closable>
}

interface Closable {
  close(): Promise<void>
}

/** Opens the keys of one store with the lock of one opener. It keeps them, so that a passphrase is derived once. */
export interface Keyring {
  /** The keys in the record of a store's locks. Throws WRONG_KEY, STORE_NEWER or STORE_CORRUPT. */
  open(record: Uint8Array): Promise<OpenKeys>
  /** Keys for a new store. */
  create(): Promise<OpenKeys>
  /** The keys in the record of an export, with this lock. Null: it does not fit. */
  openOther(record: Uint8Array): Promise<OpenKeys | null>
  /** The id of the lock that opened them; null: nothing is open. */
  own(): string | null
  /** Throws as `open` does unless this other lock opens them. */
  check(record: Uint8Array, given: GivenLock): Promise<void>
  /** ms without a call after which the store locks itself; null: never. */
  readonly idleMs: number | null
  /** Overwrites what opens the store, and its keys. */
  wipe(): void
}

/** The lock of an opener, and what opens a store with it. */
export interface Unlocking {
  readonly keyring: Keyring
  readonly ciphers: Pick<StorageCiphers, 'openKeyFile' | 'unlockBytes'>
}

export interface KeyRequest {
  /** Of the store. */
  readonly name: string
  readonly keyring: Keyring
  /** Keys that a new store takes over from the one that is copied. */
  readonly copied: OpenKeys | undefined
  readonly wasCreated: boolean
  /** Called before the locks are saved. */
  readonly beforeSave?: () => void
}

/** The database of a store in OPFS, as its first bytes show it. */
export interface FoundDatabase {
  readonly isEmpty: boolean
  /** Whether its pages are encrypted. */
  readonly isSealed: boolean
}

export interface UnlockedBytes {
  readonly bytes: ByteStore
  readonly keys: HeldKeys
}
