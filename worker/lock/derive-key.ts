/** Derives the key that wraps a store's data key from what opens a lock: Argon2id for passphrases, HKDF for keys, passkeys and recovery codes. */
import { argon2idAsync } from '@noble/hashes/argon2.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import type { OpeningLock, StoreLock } from '../../src/core/model/lock.ts'

export interface Derivation {
  readonly salt: Uint8Array
  /** Of Argon2id (RFC 9106): KiB of memory, passes, lanes. Absent for keys. */
  readonly argon2?: Argon2Costs
}

export interface Argon2Costs {
  readonly memory: number
  readonly passes: number
  readonly lanes: number
}

/** At most a second on a phone; the least that OWASP recommends. Each lock stores its own, so later releases may raise them. */
export const argon2Costs: Argon2Costs = { memory: 19_456, passes: 2, lanes: 1 }

/** What a stored lock may ask for: bytes of a file must not exhaust memory or time. */
const mostCosts: Argon2Costs = { memory: 1 << 20, passes: 16, lanes: 16 }

export function areSane({ memory, passes, lanes }: Argon2Costs): boolean {
  const isWithin = (value: number, least: number, most: number) =>
    Number.isInteger(value) && value >= least && value <= most
  return (
    isWithin(lanes, 1, mostCosts.lanes) &&
    isWithin(memory, 8 * lanes, mostCosts.memory) &&
    isWithin(passes, 1, mostCosts.passes)
  )
}

export function kindOf(lock: OpeningLock): StoreLock['kind'] {
  if ('passphrase' in lock) return 'passphrase'
  if ('recoveryCode' in lock) return 'recoveryCode'
  if ('prf' in lock) return 'passkey'
  return 'key' in lock ? 'key' : 'cryptoKey'
}

/** Null if this kind of lock derives keys in another way. */
export async function deriveKey(lock: OpeningLock, { salt, argon2 }: Derivation): Promise<Uint8Array | null> {
  if ('passphrase' in lock) {
    if (argon2 === undefined) return null
    const { memory: m, passes: t, lanes: p } = argon2
    // As other systems type it: the same letters must give the same bytes.
    return argon2idAsync(lock.passphrase.normalize('NFKC'), salt, { m, t, p, dkLen: keyLength })
  }
  if (argon2 !== undefined) return null
  if ('key' in lock) return hkdf(sha256, lock.key, salt, info, keyLength)
  if ('prf' in lock) return hkdf(sha256, lock.prf, salt, info, keyLength)
  // 140 random bits: nothing to guess.
  if ('recoveryCode' in lock) return hkdf(sha256, new TextEncoder().encode(lock.recoveryCode), salt, info, keyLength)
  const bits = await crypto.subtle.deriveBits(
    { name: 'HKDF', hash: 'SHA-256', salt: salt as Uint8Array<ArrayBuffer>, info },
    lock.cryptoKey as CryptoKey,
    8 * keyLength,
  )
  return new Uint8Array(bits)
}

const keyLength = 32
const info = new TextEncoder().encode('scrubjay lock 1')
