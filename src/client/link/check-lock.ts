/** Checks locks. Loaded if the option `lock` is set, or if a store is opened again. No message holds a passphrase, a key or a code. */
import { recallError } from '../../core/model/errors.ts'
import type { DerivableKey, LockInput, LockSecret, OpeningLock, PasskeyOptions } from '../../core/model/lock.ts'
import { readRecoveryCode, recoveryGroups } from './recovery-code.ts'

/** Checks a lock, and asks for a passkey. Throws as `checkLock` does, or as `askPasskey`. */
export async function giveLock(given: unknown, field = 'lock'): Promise<OpeningLock> {
  const lock = checkLock(given, field)
  if (!('passkey' in lock)) return lock
  const { askPasskey } = await import('./passkey.ts')
  const { prf } = await askPasskey(lock.passkey, `${field}.passkey`)
  return { prf, idleMs: lock.idleMs }
}

/** Returns a copy, because the caller may overwrite its key. Throws `INVALID_CONFIG`. `field`: the name of the argument. */
export function checkLock(lock: unknown, field = 'lock'): LockInput {
  if (typeof lock !== 'object' || lock === null) throw invalid(field, 'must be an object', hint)
  const { idleMs, ...given } = lock as { readonly idleMs?: unknown }
  const secret = checkSecret(given, field)
  if (idleMs === undefined) return secret
  if (typeof idleMs === 'number' && idleMs >= 1_000 && idleMs <= longestTimeoutMs) return { ...secret, idleMs }
  const problem = `must be a number of ms from 1,000 to ${longestTimeoutMs}`
  throw invalid(`${field}.idleMs`, problem, 'Leave it out to lock the store only with lockNow().')
}

function checkSecret(lock: object, field: string): LockSecret {
  const kinds = Object.keys(lock).filter((name) => (lock as Record<string, unknown>)[name] !== undefined)
  const [kind = ''] = kinds
  if (kinds.length !== 1 || !known.has(kind)) throw invalid(field, `must have one of ${[...known].join(', ')}`, hint)
  const { passphrase, key, cryptoKey, recoveryCode, passkey } = lock as Record<string, unknown>
  if (kind === 'passphrase') {
    if (typeof passphrase === 'string' && passphrase.trim() !== '' && passphrase.length <= mostLetters)
      return { passphrase }
    const problem = `must be a text of 1 to ${mostLetters} characters that are not all spaces`
    throw invalid(`${field}.passphrase`, problem, 'Give the words that the user typed.')
  }
  if (kind === 'key') {
    if (key instanceof Uint8Array && key.length === 32 && key.some((byte) => byte !== 0)) return { key: key.slice() }
    const draw = 'Draw it with crypto.getRandomValues(new Uint8Array(32)), and keep it outside the store.'
    throw invalid(`${field}.key`, 'must be a Uint8Array of 32 random bytes, not of 32 zeros', draw)
  }
  if (kind === 'recoveryCode') return { recoveryCode: checkCode(recoveryCode, `${field}.recoveryCode`) }
  if (kind === 'passkey') return { passkey: checkPasskey(passkey, `${field}.passkey`) }
  if (isDerivable(cryptoKey)) return { cryptoKey }
  const make = 'Make it with crypto.subtle.importKey("raw", bytes, "HKDF", false, ["deriveBits"]).'
  throw invalid(`${field}.cryptoKey`, 'must be a CryptoKey for HKDF with the usage deriveBits', make)
}

function checkPasskey(given: unknown, field: string): PasskeyOptions {
  if (typeof given !== 'object' || given === null)
    throw invalid(field, 'must be an object', 'Give {} for any passkey of the site.')
  const { credentialId, rpId, rpName, userName, ...more } = given as Record<string, unknown>
  const [unknown] = Object.keys(more)
  if (unknown !== undefined)
    throw invalid(`${field}.${unknown}`, 'must be a known option', 'Use credentialId, rpId, rpName or userName.')
  for (const [name, value] of Object.entries({ credentialId, rpId, rpName, userName }))
    if (value !== undefined && (typeof value !== 'string' || value === '' || value.length > mostLetters * 2))
      throw invalid(`${field}.${name}`, 'must be a text that is not empty', 'Leave it out for the default.')
  if (credentialId !== undefined && !/^[\w-]+$/.test(credentialId as string))
    throw invalid(
      `${field}.credentialId`,
      'must be the text that keys.add returned',
      'Leave it out for any passkey of the site.',
    )
  return { credentialId, rpId, rpName, userName } as PasskeyOptions
}

function checkCode(given: unknown, field: string): string {
  const read = typeof given === 'string' ? readRecoveryCode(given) : 'length'
  if (read === 'length')
    throw invalid(field, `must have ${recoveryGroups} groups of 5 letters and digits`, 'Type the whole code.')
  if ('code' in read) return read.code
  throw invalid(
    field,
    `must be typed as it was shown: group ${read.wrongGroup} has a wrong letter`,
    'Compare this group.',
  )
}

const known: ReadonlySet<string> = new Set(['passphrase', 'key', 'cryptoKey', 'recoveryCode', 'passkey'])
const mostLetters = 1_000
const longestTimeoutMs = 2 ** 31 - 1
const hint =
  'Give { passphrase: "…" }, { key } of 32 random bytes, { cryptoKey }, { recoveryCode: "…" }, or { passkey: {} }.'

function isDerivable(given: unknown): given is DerivableKey {
  if (typeof given !== 'object' || given === null || !('algorithm' in given) || !('usages' in given)) return false
  const { algorithm, usages } = given as DerivableKey
  return algorithm.name === 'HKDF' && usages.includes('deriveBits')
}

/**
 * Whether `given` is what opened the store in this page. Throws if only one of both is locked. False: the store may still have such a lock.
 */
export function isSameLock(open: OpeningLock | undefined, given: OpeningLock | undefined): boolean {
  if (open === undefined && given === undefined) return true
  if (open === undefined) throw invalid('lock', 'must be absent, because the open store is not locked', 'Leave it out.')
  if (given === undefined)
    throw recallError('LOCKED', 'The store is locked', {
      hint: 'Open it with the option lock, also where this page has it open already.',
    })
  if ('passphrase' in open)
    return 'passphrase' in given && open.passphrase.normalize('NFKC') === given.passphrase.normalize('NFKC')
  if ('cryptoKey' in open) return 'cryptoKey' in given && open.cryptoKey === given.cryptoKey
  if ('recoveryCode' in open) return 'recoveryCode' in given && open.recoveryCode === given.recoveryCode
  if ('prf' in open) return 'prf' in given && open.prf.every((byte, i) => byte === given.prf[i])
  return 'key' in given && open.key.every((byte, i) => byte === given.key[i])
}

function invalid(field: string, problem: string, way: string) {
  return recallError('INVALID_CONFIG', problem, { field, hint: way })
}
