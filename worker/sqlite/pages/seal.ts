/**
 * Seals bytes of a locked store before they leave memory: encrypts and authenticates them with their place. `worker/lock` has the cipher, which is
 * only loaded for locked stores; other stores have page-checksum.ts instead.
 */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'

export interface Seal {
  /**
   * Seals `unit` in place: its last `sealBytes` get tag and nonce, its first `clear` bytes stay readable and are authenticated. `nonce`:
   * from `newNonce`, for a unit that is written in two parts; default: a new one.
   */
  seal(unit: Uint8Array, place: Place, clear: number, nonce?: Uint8Array): void
  /** Opens `unit` in place, and zeroes tag and nonce. False, with `unit` as it was: it is not what was encrypted for this place with this key. */
  open(unit: Uint8Array, place: Place, clear: number): boolean
  newNonce(): Uint8Array
  /** Names the store, and is not secret: what has another one is not damaged, but of another store. */
  readonly mark: Uint8Array
  /** Seals what SQLite writes to its files. */
  files(sqlite3: Sqlite3Static): SealedFiles
}

/** Each returns a file to which SQLite writes plain bytes, and which passes on encrypted ones. */
export interface SealedFiles {
  readonly main: Sealing
  readonly journal: Sealing
}

export type Sealing = (file: RawFile) => RawFile

export interface RawFile {
  readonly read: Transfer
  /** The bytes at the address must stay as they are. */
  readonly write: Transfer
  /** Writes bytes that its caller drops afterwards. Default: `write`. */
  readonly writeOwn?: Transfer
  /** To be called before each sync: writes what it holds back. Absent: it holds nothing back. */
  readonly settle?: () => number
  /** Frees its memory. */
  readonly free?: () => void
}

/** Returns an SQLite result code. */
export type Transfer = (address: number, length: number, offset: bigint) => number

/** Where a unit belongs. The store's id is part of each place. */
export interface Place {
  readonly kind: 'page' | 'frame' | 'revision' | 'value' | 'export'
  readonly number: number
}

/** A tag of 16 bytes and a nonce of 24, at the end of each page of a locked store; byte 20 of the file header has this number. */
export const sealBytes = 40
export const nonceBytes = 24
export const markBytes = 8

/**
 * The readable bytes of the first page: the header of the file and of the page, which hold numbers alone. SQLite reads them before it knows
 * how a page is encrypted, and the owner's note is between them.
 */
export const clearHeader = 108
