/** The locks of a store: what opens it, and what is known of each without opening it. */

/** What opens a locked store. */
export type LockInput = LockSecret & {
  /** ms without a call of any tab after which the store locks itself, as `lockNow` does. Default: never. */
  readonly idleMs?: number | undefined
}

export type LockSecret =
  /** Words that a person types. Argon2id makes guessing slow, but not impossible: choose several random words. */
  | { readonly passphrase: string }
  /** 32 random bytes that the app keeps elsewhere. */
  | { readonly key: Uint8Array }
  /** A key for HKDF with the usage `deriveBits`. Not extractable, it can be kept in IndexedDB without its bytes in any script. */
  | { readonly cryptoKey: DerivableKey }
  /** The code that `keys.add({ recoveryCode: true })` returned, as someone typed it: case, spaces and hyphens do not count. */
  | { readonly recoveryCode: string }

/** A lock as the page gives it to the engine. `addedMs`: the time of the call, by the caller's clock. */
export type GivenLock = LockInput & { readonly addedMs: number }

/** A `CryptoKey`; also where TypeScript does not know the types of browsers. */
export interface DerivableKey {
  readonly algorithm: { readonly name: string }
  readonly usages: readonly string[]
}

/** One lock of a store. */
export interface StoreLock {
  readonly id: string
  readonly kind: 'passphrase' | 'key' | 'cryptoKey' | 'recoveryCode'
  /** Time at which it was added (ms since the epoch). */
  readonly added: number
  /** Whether this opening used it. */
  readonly isOwn: boolean
}
