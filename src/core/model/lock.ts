/** The locks of a store: what opens it, and what is known of each without opening it. */

/** What opens a locked store. */
export type LockInput = LockSecret & IdleTime

export type LockSecret =
  | PlainSecret
  /** A passkey of this site, for which the browser asks. It needs WebAuthn's extension PRF, and is added to a store with `keys.add`. */
  | { readonly passkey: PasskeyOptions }

interface IdleTime {
  /** ms without a call of any tab after which the store locks itself, as `lockNow` does. Default: never. */
  readonly idleMs?: number | undefined
}

type PlainSecret =
  /** Words that a person types. Argon2id makes guessing slow, but not impossible: choose several random words. */
  | { readonly passphrase: string }
  /** 32 random bytes that the app keeps elsewhere. */
  | { readonly key: Uint8Array }
  /** A key for HKDF with the usage `deriveBits`. Not extractable, it can be kept in IndexedDB without its bytes in any script. */
  | { readonly cryptoKey: DerivableKey }
  /** The code that `keys.add({ recoveryCode: true })` returned, as someone typed it: case, spaces and hyphens do not count. */
  | { readonly recoveryCode: string }

export interface PasskeyOptions {
  /** The passkey to ask for, as `keys.add` returned it. Default: the browser offers those of the site; `keys.add` makes a new one. */
  readonly credentialId?: string | undefined
  /** The domain of the passkey. Default: that of the page. */
  readonly rpId?: string | undefined
  /** How the browser names the site and the person in a new passkey. Default: the domain. */
  readonly rpName?: string | undefined
  readonly userName?: string | undefined
}

/** A lock without what only a page can do. `prf`: 32 bytes that a passkey gave. */
export type OpeningLock = (PlainSecret | { readonly prf: Uint8Array }) & IdleTime

/** A lock as the page gives it to the engine. `addedMs`: the time of the call, by the caller's clock. */
export type GivenLock = OpeningLock & { readonly addedMs: number }

/** A `CryptoKey`; also where TypeScript does not know the types of browsers. */
export interface DerivableKey {
  readonly algorithm: { readonly name: string }
  readonly usages: readonly string[]
}

/** One lock of a store. */
export interface StoreLock {
  readonly id: string
  readonly kind: 'passphrase' | 'key' | 'cryptoKey' | 'recoveryCode' | 'passkey'
  /** Time at which it was added (ms since the epoch). */
  readonly added: number
  /** Whether this opening used it. */
  readonly isOwn: boolean
}
