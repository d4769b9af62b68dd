/**
 * XChaCha20-Poly1305 with a random nonce of 192 bits for each sealing, so that nonces never repeat in practice. In Node OpenSSL encrypts, with a
 * key that HChaCha20 derives from the nonce; elsewhere @noble/ciphers does. Both write the same bytes.
 */

import { hchacha, xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { markBytes, nonceBytes, type Place, type Seal, sealBytes } from '../sqlite/pages/seal.ts'
import { sealedFiles } from './seal-file.ts'

const tagBytes = sealBytes - nonceBytes
export const keyBytes = 32
export const storeIdBytes = 16

const kinds: readonly Place['kind'][] = ['page', 'frame', 'revision', 'value', 'export']
/** The store's id, the kind and the number of the place. */
const placeBytes = storeIdBytes + 9

/** A seal whose key can be replaced while it is used. */
export interface KeyedSeal extends Seal {
  /** Encrypts with this key from now on. What earlier keys encrypted still opens. */
  add(key: Uint8Array): void
  /** Forgets all keys but the newest. */
  keepNewest(): void
  /** Overwrites the copies of the keys; nothing is encrypted or decrypted from then on. */
  wipe(): void
}

/** `earlier`: keys that open, too, of a store that is being encrypted again. */
export function createSeal(key: Uint8Array, storeId: Uint8Array, earlier: readonly Uint8Array[] = []): KeyedSeal {
  const cipherOf = (given: Uint8Array) => openSslCipher(given) ?? nobleCipher(given)
  let ciphers = [key, ...earlier].map(cipherOf)
  const newNonce = nonces()
  const associated = (unit: Uint8Array, { kind, number }: Place, clear: number) => {
    const data = new Uint8Array(placeBytes + clear)
    data.set(storeId)
    data[storeIdBytes] = kinds.indexOf(kind)
    new DataView(data.buffer).setFloat64(storeIdBytes + 1, number)
    data.set(unit.subarray(0, clear), placeBytes)
    return data
  }
  const own = {
    files: (sqlite3: Sqlite3Static) => sealedFiles(sqlite3, own),
    wipe: () => ciphers.forEach((cipher) => cipher.wipe()),
    add: (added: Uint8Array) => void (ciphers = [cipherOf(added), ...ciphers]),
    keepNewest() {
      for (const cipher of ciphers.slice(1)) cipher.wipe()
      ciphers = ciphers.slice(0, 1)
    },
    newNonce,
    mark: storeId.slice(0, markBytes),
    seal(unit: Uint8Array, place: Place, clear: number, nonce = newNonce()) {
      const end = unit.length - sealBytes
      ciphers[0]!.seal(
        nonce,
        associated(unit, place, clear),
        unit.subarray(clear, end),
        unit.subarray(end, end + tagBytes),
      )
      unit.set(nonce, end + tagBytes)
    },
    open(unit: Uint8Array, place: Place, clear: number) {
      const end = unit.length - sealBytes
      const nonce = unit.slice(end + tagBytes)
      const encrypted = unit.subarray(clear, end + tagBytes)
      for (const cipher of ciphers) {
        const plain = cipher.open(nonce, associated(unit, place, clear), encrypted)
        if (plain === null) continue
        unit.set(plain, clear)
        unit.fill(0, end)
        return true
      }
      return false
    },
  }
  return own
}

interface Cipher {
  /** Encrypts `text` in place and writes the tag to `tag`, which follows it in memory. */
  seal(nonce: Uint8Array, associated: Uint8Array, text: Uint8Array, tag: Uint8Array): void
  /** `encrypted`: text and tag. Null if the tag does not fit. */
  open(nonce: Uint8Array, associated: Uint8Array, encrypted: Uint8Array): Uint8Array | null
  wipe(): void
}

function nobleCipher(given: Uint8Array): Cipher {
  // Without its bytes the cipher refuses to work.
  let key = given
  return {
    wipe: () => (key = emptyKey),
    seal(nonce, associated, text, tag) {
      const encrypted = xchacha20poly1305(key, nonce, associated).encrypt(text)
      text.set(encrypted.subarray(0, text.length))
      tag.set(encrypted.subarray(text.length))
    },
    open(nonce, associated, encrypted) {
      try {
        return xchacha20poly1305(key, nonce, associated).decrypt(encrypted)
      } catch {
        return null
      }
    },
  }
}

const emptyKey = new Uint8Array(0)

/** The part of node:crypto that is used here. */
interface OpenSsl {
  getCiphers(): readonly string[]
  createCipheriv(name: string, key: Uint8Array, iv: Uint8Array, options: object): OpenSslCipher
  createDecipheriv(name: string, key: Uint8Array, iv: Uint8Array, options: object): OpenSslCipher
}

interface OpenSslCipher {
  setAAD(data: Uint8Array): void
  setAuthTag(tag: Uint8Array): void
  getAuthTag(): Uint8Array
  update(data: Uint8Array): Uint8Array
  final(): Uint8Array
}

const cipherName = 'chacha20-poly1305'

/** Null where node:crypto does not exist or lacks the cipher. */
function openSslCipher(key: Uint8Array): Cipher | null {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } }
  const openSsl = process?.getBuiltinModule?.('node:crypto') as OpenSsl | undefined
  if (openSsl?.getCiphers?.().includes(cipherName) !== true) return null
  let keyWords = wordsOf(key)
  const options = { authTagLength: tagBytes }
  /** XChaCha20: HChaCha20 turns 16 bytes of the nonce into a key, the last 8 are the nonce of ChaCha20. */
  const derive = (nonce: Uint8Array) => {
    const derived = new Uint32Array(keyBytes / 4)
    if (keyWords.length === 0) throw new Error('The keys of this store were wiped.')
    hchacha(sigma, keyWords, wordsOf(nonce.subarray(0, 16)), derived)
    const iv = new Uint8Array(12)
    iv.set(nonce.subarray(16), 4)
    return [bytesOf(derived), iv] as const
  }
  return {
    wipe() {
      keyWords.fill(0)
      keyWords = wordsOf(emptyKey)
    },
    seal(nonce, associated, text, tag) {
      const cipher = openSsl.createCipheriv(cipherName, ...derive(nonce), options)
      cipher.setAAD(associated)
      text.set(cipher.update(text))
      cipher.final()
      tag.set(cipher.getAuthTag())
    },
    open(nonce, associated, encrypted) {
      const cipher = openSsl.createDecipheriv(cipherName, ...derive(nonce), options)
      cipher.setAAD(associated)
      cipher.setAuthTag(encrypted.slice(-tagBytes))
      try {
        const plain = cipher.update(encrypted.subarray(0, -tagBytes))
        cipher.final()
        return plain
      } catch {
        return null
      }
    },
  }
}

/** "expand 32-byte k", as ChaCha20 begins. */
const sigma = new Uint32Array([0x61707865, 0x3320646e, 0x79622d32, 0x6b206574])

/** Little-endian words, on every platform. */
function wordsOf(bytes: Uint8Array): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  return Uint32Array.from({ length: bytes.length / 4 }, (_, i) => view.getUint32(4 * i, true))
}

function bytesOf(words: Uint32Array): Uint8Array {
  const bytes = new Uint8Array(4 * words.length)
  const view = new DataView(bytes.buffer)
  for (const [i, word] of words.entries()) view.setUint32(4 * i, word, true)
  return bytes
}

/** Random nonces, drawn in blocks. */
function nonces(): () => Uint8Array {
  const block = new Uint8Array(nonceBytes * 256)
  let at = block.length
  return () => {
    if (at === block.length) {
      crypto.getRandomValues(block)
      at = 0
    }
    at += nonceBytes
    return block.slice(at - nonceBytes, at)
  }
}
