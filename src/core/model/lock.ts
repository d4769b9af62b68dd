/** The locks of a store: what opens it, and what is known of each without opening it. */

/** What opens a locked store. */
export type LockInput =
  /** Words that a person types. Argon2id makes guessing slow, but not impossible: choose several random words. */
  | { readonly passphrase: string }
  /** 32 random bytes that the app keeps elsewhere. */
  | { readonly key: Uint8Array }
  /** A key for HKDF with the usage `deriveBits`. Not extractable, it can be kept in IndexedDB without its bytes in any script. */
  | { readonly cryptoKey: DerivableKey }

/** A `CryptoKey`; also where TypeScript does not know the types of browsers. */
export interface DerivableKey {
  readonly algorithm: { readonly name: string }
  readonly usages: readonly string[]
}

/** One lock of a store. */
export interface StoreLock {
  readonly id: string
  readonly kind: 'passphrase' | 'key' | 'cryptoKey'
  /** Whether this opening used it. */
  readonly isOwn: boolean
}
