/**
 * A Bloom filter (Bloom 1970): answers "surely not" or "perhaps" for texts that were added, in fixed memory. Never answers a
 * false "surely not". Hashes a text unchanged: folding, stemming and splitting into words are up to the caller. Texts cannot be
 * removed; rebuild the filter instead.
 */
import { recallError } from '../model/errors.ts'
import { log } from '../number/log.ts'

/** Says whether a text may have been stored. The engine's own filter is exact, from FTS5's terms. */
export interface ExistenceFilter {
  /** False: never added. True: added, or a false positive. */
  mightExist(text: string): boolean
}

export interface BloomFilter extends ExistenceFilter {
  /** Size of the bit field: ⌊−capacity · ln errorRate / ln² 2⌋, at least 8. */
  readonly bits: number
  /** Bits set for a text: ⌊bits / capacity · ln 2⌋, at least 1. */
  readonly hashes: number
  add(text: string): void
  /** A copy of the state as plain data, for `postMessage` and storage. */
  exportState(): BloomFilterState
}

export interface BloomFilterOptions {
  /** Number of different texts the filter is sized for. More are accepted and raise the error rate. */
  readonly capacity: number
  /** Share of false positives at capacity, in (0, 1). */
  readonly errorRate: number
}

export interface BloomFilterState extends BloomFilterOptions {
  /** Version of the hash. A state of another version is rejected, because its bits mean other texts. */
  readonly hashVersion: 1
  /** Bit `n` of the field is bit `n % 8` (from the lowest) of byte `n / 8`. */
  readonly bytes: Uint8Array
}

/** An empty filter. Throws `INVALID_ARGUMENT` for a capacity or error rate out of range. */
export function createExistenceFilter(options: BloomFilterOptions): BloomFilter {
  const { bits, hashes } = planSize(options)
  return filterOver(options, bits, hashes, new Uint8Array(byteLength(bits)))
}

/** The filter of an exported state. Throws `INVALID_ARGUMENT` if the state is inconsistent. */
export function importExistenceFilter(state: BloomFilterState): BloomFilter {
  if (state.hashVersion !== hashVersion)
    throw recallError('INVALID_ARGUMENT', 'must be a known hash version', {
      field: 'hashVersion',
      value: state.hashVersion,
      hint: 'Rebuild the filter from its texts.',
    })
  const { bits, hashes } = planSize(state)
  if (!(state.bytes instanceof Uint8Array) || state.bytes.length !== byteLength(bits))
    throw recallError('INVALID_ARGUMENT', `must be a Uint8Array of ${byteLength(bits)} bytes`, {
      field: 'bytes',
      value: state.bytes,
      hint: 'Rebuild the filter from its texts.',
    })
  return filterOver(state, bits, hashes, state.bytes.slice())
}

const hashVersion = 1
const ln2 = log(2)
/** Both hashes have 32 bits, so bits beyond this are never set. */
const maxBits = 4294967295

function planSize({ capacity, errorRate }: BloomFilterOptions): { bits: number; hashes: number } {
  if (!(Number.isSafeInteger(capacity) && capacity >= 1))
    throw recallError('INVALID_ARGUMENT', 'must be a positive integer', {
      field: 'capacity',
      value: capacity,
      hint: 'Give the number of texts that the filter will hold.',
    })
  if (!(errorRate > 0 && errorRate < 1))
    throw recallError('INVALID_ARGUMENT', 'must be above 0 and below 1', {
      field: 'errorRate',
      value: errorRate,
      hint: 'Give the share of false positives that is acceptable, for example 0.01.',
    })
  const bits = Math.max(8, Math.floor((-capacity * log(errorRate)) / (ln2 * ln2)))
  if (bits > maxBits)
    throw recallError('INVALID_ARGUMENT', 'must be small enough for a filter of at most 2^32 bits', {
      field: 'capacity',
      value: capacity,
      hint: 'Lower the capacity, or raise the error rate.',
    })
  return { bits, hashes: Math.max(1, Math.floor((bits / capacity) * ln2)) }
}

function byteLength(bits: number): number {
  return Math.ceil(bits / 8)
}

function filterOver(options: BloomFilterOptions, bits: number, hashes: number, bytes: Uint8Array): BloomFilter {
  const { capacity, errorRate } = options
  return {
    bits,
    hashes,
    add(text) {
      for (const position of positions(text)) bytes[position >>> 3] = byteAt(position) | (1 << (position & 7))
    },
    mightExist(text) {
      return positions(text).every((position) => (byteAt(position) & (1 << (position & 7))) !== 0)
    },
    exportState: () => ({ capacity, errorRate, hashVersion, bytes: bytes.slice() }),
  }

  function byteAt(position: number): number {
    return bytes[position >>> 3]!
  }

  /** Double hashing (Kirsch and Mitzenmacher 2006): start + i · step; the step is never 0 modulo the field. */
  function positions(text: string): number[] {
    const start = hashOf(text, 0x9e3779b9)
    const step = 1 + (hashOf(text, 0x7f4a7c15) % (bits - 1))
    return Array.from({ length: hashes }, (_, i) => (start + i * step) % bits)
  }
}

/**
 * A 32-bit hash of the UTF-16 units of `text`, without encoding; lone surrogates are allowed. An odd multiplication and a
 * rotation mix in each unit; two more rounds at the end spread every unit over all bits.
 */
export function hashOf(text: string, seed: number): number {
  let hash = seed ^ text.length
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x2c1b3c6d)
    hash = (hash << 13) | (hash >>> 19)
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x297a2d39)
  hash = Math.imul(hash ^ (hash >>> 14), 0x6c62272f)
  return (hash ^ (hash >>> 16)) >>> 0
}
