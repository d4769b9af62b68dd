/** Checks the option `lock`, and compares locks. Loaded if it is set, or if a store is opened again. No message holds a passphrase or a key. */
import { recallError } from '../../core/model/errors.ts'
import type { DerivableKey, LockInput } from '../../core/model/lock.ts'

/** Returns a copy, because the caller may overwrite its key. Throws `INVALID_CONFIG`. `field`: the name of the argument. */
export function checkLock(lock: unknown, field = 'lock'): LockInput {
  if (typeof lock !== 'object' || lock === null) throw invalid(field, 'must be an object', hint)
  const kinds = Object.keys(lock).filter((name) => (lock as Record<string, unknown>)[name] !== undefined)
  const [kind = ''] = kinds
  if (kinds.length !== 1 || !known.has(kind)) throw invalid(field, 'must have one of passphrase, key, cryptoKey', hint)
  const { passphrase, key, cryptoKey } = lock as { passphrase?: unknown; key?: unknown; cryptoKey?: unknown }
  if (kind === 'passphrase') {
    if (typeof passphrase === 'string' && passphrase.trim() !== '' && passphrase.length <= mostLetters)
      return { passphrase }
    const problem = `must be a text of 1 to ${mostLetters} characters that are not all spaces`
    throw invalid(`${field}.passphrase`, problem, 'Give the words that the user typed.')
  }
  if (kind === 'key') {
    if (key instanceof Uint8Array && key.length === 32 && key.some((byte) => byte !== key[0]))
      return { key: key.slice() }
    const draw = 'Draw it with crypto.getRandomValues(new Uint8Array(32)), and keep it outside the store.'
    throw invalid(`${field}.key`, 'must be a Uint8Array of 32 random bytes', draw)
  }
  if (isDerivable(cryptoKey)) return { cryptoKey }
  const make = 'Make it with crypto.subtle.importKey("raw", bytes, "HKDF", false, ["deriveBits"]).'
  throw invalid(`${field}.cryptoKey`, 'must be a CryptoKey for HKDF with the usage deriveBits', make)
}

const known: ReadonlySet<string> = new Set(['passphrase', 'key', 'cryptoKey'])
const mostLetters = 1_000
const hint = 'Give { passphrase: "…" }, { key } of 32 random bytes, or { cryptoKey }.'

function isDerivable(given: unknown): given is DerivableKey {
  if (typeof given !== 'object' || given === null || !('algorithm' in given) || !('usages' in given)) return false
  const { algorithm, usages } = given as DerivableKey
  return algorithm.name === 'HKDF' && usages.includes('deriveBits')
}

/** Throws unless `given` opens what `open` has opened in this page. */
export function checkSameLock(open: LockInput | undefined, given: LockInput | undefined): void {
  if (open === undefined && given === undefined) return
  if (open === undefined) throw invalid('lock', 'must be absent, because the open store is not locked', 'Leave it out.')
  if (given === undefined)
    throw recallError('LOCKED', 'The store is locked', {
      hint: 'Open it with the option lock, also where this page has it open already.',
    })
  if (isSame(open, given)) return
  throw recallError('WRONG_KEY', 'must be the lock with which this page has the store open', {
    field: 'lock',
    hint: 'Check the passphrase or the key. Nothing was changed.',
  })
}

function isSame(a: LockInput, b: LockInput): boolean {
  if ('passphrase' in a) return 'passphrase' in b && a.passphrase.normalize('NFKC') === b.passphrase.normalize('NFKC')
  if ('cryptoKey' in a) return 'cryptoKey' in b && a.cryptoKey === b.cryptoKey
  return 'key' in b && a.key.every((byte, i) => byte === b.key[i])
}

function invalid(field: string, problem: string, way: string) {
  return recallError('INVALID_CONFIG', problem, { field, hint: way })
}
