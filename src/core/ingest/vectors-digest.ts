/**
 * Computes a 64-bit digest of vectors: two lanes over the float32 words, each mixed as in MurmurHash3 (Appleby 2011, x86_32) with
 * other constants, so that every bit of a word, also its sign, affects every bit of the digest. Only for comparing puts.
 */

export function vectorsDigest(vectors: readonly Float32Array[]): string {
  let a = 0x811c9dc5
  let b = 0x9747b28c
  for (const vector of vectors) {
    const words = new Uint32Array(vector.buffer, vector.byteOffset, vector.length)
    for (let i = 0; i < words.length; i++) {
      const word = words[i]!
      a = mixed(a, word, 0xcc9e2d51, 0x1b873593)
      b = mixed(b, word, 0x239b961b, 0xab0e9789)
    }
    // Where one vector ends and the next begins.
    a = mixed(a, words.length, 0xcc9e2d51, 0x1b873593)
    b = mixed(b, words.length, 0x239b961b, 0xab0e9789)
  }
  return hex(a) + hex(b)
}

function mixed(lane: number, word: number, first: number, second: number): number {
  const scattered = Math.imul(word, first)
  const mixing = lane ^ Math.imul((scattered << 15) | (scattered >>> 17), second)
  return (Math.imul((mixing << 13) | (mixing >>> 19), 5) + 0xe6546b64) | 0
}

/** The lane after more mixing, because the last words have passed few rounds. */
function hex(lane: number): string {
  let bits = Math.imul(lane ^ (lane >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return ((bits ^ (bits >>> 16)) >>> 0).toString(16).padStart(8, '0')
}
