/** A 64-bit digest of vectors (two lanes of FNV-1a over the float32 words): tells identical puts apart, nothing more. */

export function vectorsDigest(vectors: readonly Float32Array[]): string {
  let a = 0x811c9dc5
  let b = 0x9747b28c
  for (const vector of vectors) {
    const words = new Uint32Array(vector.buffer, vector.byteOffset, vector.length)
    for (let i = 0; i < words.length; i++) {
      const word = words[i] as number
      a = Math.imul(a ^ word, 0x01000193)
      b = Math.imul(b ^ (word >>> 7) ^ (word << 25), 0x01000193) ^ a
    }
    a = Math.imul(a ^ words.length, 0x01000193)
  }
  return (a >>> 0).toString(16).padStart(8, '0') + (b >>> 0).toString(16).padStart(8, '0')
}
