/**
 * SHA-256 (FIPS 180-4), synchronous, of bytes or of the UTF-8 of a text; lone surrogates count as U+FFFD.
 * The platform's digest is asynchronous and not in ES2023, and core has no TextEncoder.
 */

/**
 * The SHA-256 of the UTF-8 of a text as 64 lower-case hex digits; of several texts, that of their concatenation. Pass long
 * texts separately, because a concatenation is slow to read character by character.
 */
export function sha256Hex(...texts: readonly string[]): string {
  const digest = startDigest()
  for (const text of texts) {
    for (let at = 0; at < text.length; ) at = encodeInto(digest, text, at)
  }
  return finish(digest)
}

/** The SHA-256 of bytes, as 64 lower-case hex digits. */
export function sha256HexOfBytes(bytes: Uint8Array): string {
  const digest = startDigest()
  for (let from = 0; from < bytes.length; from += maxBufferLength) {
    const part = bytes.subarray(from, from + maxBufferLength)
    digest.buffer.set(part)
    digest.filled = part.length
    if (part.length === maxBufferLength) compressBuffer(digest)
  }
  return finish(digest)
}

/** A multiple of the block length (64 bytes), small enough to stay in the cache. */
const maxBufferLength = 4096

interface Digest {
  readonly state: Int32Array
  readonly schedule: Int32Array
  readonly buffer: Uint8Array
  /** Bytes in the buffer; fewer than its length between calls. */
  filled: number
  /** Bytes already compressed. */
  compressed: number
}

/** One digest serves all calls: hashing is synchronous and never nests, and most texts are short. */
const shared: Digest = {
  state: new Int32Array(8),
  schedule: new Int32Array(64),
  buffer: new Uint8Array(maxBufferLength + 128),
  filled: 0,
  compressed: 0,
}

function startDigest(): Digest {
  shared.state.set(initialState)
  shared.filled = 0
  shared.compressed = 0
  return shared
}

/** Encodes from `from` until the buffer is full or the text ends. Returns where it stopped. */
function encodeInto(digest: Digest, text: string, from: number): number {
  const { buffer } = digest
  const room = maxBufferLength - 4 // no character is split between two buffers
  let filled = digest.filled
  let at = from
  while (at < text.length && filled <= room) {
    let code = text.charCodeAt(at++)
    if (code < 0x80) {
      buffer[filled++] = code
      continue
    }
    if (code < 0x800) {
      buffer[filled++] = 0xc0 | (code >> 6)
      buffer[filled++] = 0x80 | (code & 0x3f)
      continue
    }
    if ((code & 0xf800) === 0xd800) {
      const low = code < 0xdc00 ? text.charCodeAt(at) : 0
      if ((low & 0xfc00) === 0xdc00) {
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00)
        at++
        buffer[filled++] = 0xf0 | (code >> 18)
        buffer[filled++] = 0x80 | ((code >> 12) & 0x3f)
        buffer[filled++] = 0x80 | ((code >> 6) & 0x3f)
        buffer[filled++] = 0x80 | (code & 0x3f)
        continue
      }
      code = 0xfffd
    }
    buffer[filled++] = 0xe0 | (code >> 12)
    buffer[filled++] = 0x80 | ((code >> 6) & 0x3f)
    buffer[filled++] = 0x80 | (code & 0x3f)
  }
  digest.filled = filled
  if (filled > room) compressBuffer(digest)
  return at
}

/** Compresses all whole blocks of the buffer and moves the rest to its start. */
function compressBuffer(digest: Digest): void {
  const whole = digest.filled & ~63
  for (let from = 0; from < whole; from += 64) compress(digest.state, digest.schedule, digest.buffer, from)
  digest.buffer.copyWithin(0, whole, digest.filled)
  digest.compressed += whole
  digest.filled -= whole
}

function finish(digest: Digest): string {
  const byteCount = digest.compressed + digest.filled
  compressBuffer(digest)
  const { buffer } = digest
  const padded = digest.filled < 56 ? 64 : 128
  buffer[digest.filled] = 0x80
  buffer.fill(0, digest.filled + 1, padded - 8)
  setUint32(buffer, padded - 8, Math.floor(byteCount / 0x20000000))
  setUint32(buffer, padded - 4, byteCount << 3)
  digest.filled = padded
  compressBuffer(digest)
  let hex = ''
  for (const word of digest.state) {
    hex += hexOf(word >>> 24) + hexOf((word >>> 16) & 0xff) + hexOf((word >>> 8) & 0xff) + hexOf(word & 0xff)
  }
  return hex
}

const digits = '0123456789abcdef'

function hexOf(byte: number): string {
  return digits[byte >>> 4]! + digits[byte & 15]!
}

function setUint32(buffer: Uint8Array, at: number, value: number): void {
  for (let i = 0; i < 4; i++) buffer[at + i] = value >>> (24 - 8 * i)
}

/** Every sum of two is cut to 32 bits: engines compute longer sums as floating point, at half the speed. */
function compress(state: Int32Array, schedule: Int32Array, bytes: Uint8Array, from: number): void {
  for (let index = 0, at = from; index < 16; index++, at += 4) {
    schedule[index] = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!
  }
  for (let index = 16; index < 64; index++) {
    const x = schedule[index - 15]!
    const y = schedule[index - 2]!
    const small0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)
    const small1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10)
    const near = (small1 + schedule[index - 7]!) | 0
    const far = (small0 + schedule[index - 16]!) | 0
    schedule[index] = (near + far) | 0
  }
  let a = state[0]!
  let b = state[1]!
  let c = state[2]!
  let d = state[3]!
  let e = state[4]!
  let f = state[5]!
  let g = state[6]!
  let h = state[7]!
  for (let index = 0; index < 64; index++) {
    const big1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const choice = g ^ (e & (f ^ g))
    const word = (roundConstants[index]! + schedule[index]!) | 0
    const first = (((h + big1) | 0) + ((choice + word) | 0)) | 0
    const big0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
    const majority = (a & b) | (c & (a | b))
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + ((big0 + majority) | 0)) | 0
  }
  state[0] = state[0]! + a
  state[1] = state[1]! + b
  state[2] = state[2]! + c
  state[3] = state[3]! + d
  state[4] = state[4]! + e
  state[5] = state[5]! + f
  state[6] = state[6]! + g
  state[7] = state[7]! + h
}

/** First 32 bits of the fractions of the square roots of the first 8 primes. */
const initialState = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19]

/** First 32 bits of the fractions of the cube roots of the first 64 primes. */
const roundConstants = /* @__PURE__ */ Int32Array.from([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
])
