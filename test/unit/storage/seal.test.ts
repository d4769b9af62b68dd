/** Tests the cipher of locked stores against the vector of its standard, and what a changed byte, place or key does. */
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { expect, test } from 'vitest'
import { argon2id } from '@noble/hashes/argon2.js'
import { createSeal } from '../../../worker/lock/create-seal.ts'
import { createKeys, openKeys } from '../../../worker/lock/locks.ts'
import { nonceBytes, type Place, sealBytes } from '../../../worker/sqlite/pages/seal.ts'

const hex = (text: string) => Uint8Array.from(text.match(/../g)!, (byte) => Number.parseInt(byte, 16))
const key = Uint8Array.from({ length: 32 }, (_, i) => 0x80 + i)
const storeId = Uint8Array.from({ length: 16 }, (_, i) => i)
const place: Place = { kind: 'page', number: 3 }
const textBytes = 200
const unitOf = () => Uint8Array.from({ length: textBytes + sealBytes }, (_, i) => (i < textBytes ? i : 0))

test('the library passes the vector of draft-irtf-cfrg-xchacha-03, A.3.1', () => {
  const text = new TextEncoder().encode(
    "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it.",
  )
  const nonce = Uint8Array.from({ length: nonceBytes }, (_, i) => 0x40 + i)
  const encrypted = xchacha20poly1305(key, nonce, hex('50515253c0c1c2c3c4c5c6c7')).encrypt(text)
  expect(encrypted.slice(0, 16)).toEqual(hex('bd6d179d3e83d43b9576579493c0e939'))
  expect(encrypted.slice(-16)).toEqual(hex('c0875924c1c7987947deafd8780acf49'))
})

test('Argon2id passes the vector of RFC 9106, 5.3', () => {
  const filled = (byte: number, length: number) => new Uint8Array(length).fill(byte)
  const costs = { t: 3, m: 32, p: 4, key: filled(3, 8), personalization: filled(4, 12), dkLen: 32 }
  expect(argon2id(filled(1, 32), filled(2, 16), costs)).toEqual(
    hex('0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659'),
  )
})

test('OpenSSL and the library write the same bytes', () => {
  const nonce = createSeal(key, storeId).newNonce()
  const units = [false, true].map((hasOpenSsl) => {
    const unit = unitOf()
    withOpenSsl(hasOpenSsl, () => createSeal(key, storeId)).seal(unit, place, 7, nonce)
    return unit
  })
  expect(units[0]).toEqual(units[1])
  for (const hasOpenSsl of [false, true]) {
    const unit = units[0]!.slice()
    expect(withOpenSsl(hasOpenSsl, () => createSeal(key, storeId)).open(unit, place, 7)).toBe(true)
    expect(unit).toEqual(unitOf())
  }
})

test('a unit opens only unchanged, at its place, in its store, with its key', () => {
  const seal = createSeal(key, storeId)
  const encrypted = unitOf()
  seal.seal(encrypted, place, 5)
  expect(encrypted.slice(0, 5)).toEqual(unitOf().slice(0, 5))
  expect(encrypted.slice(5, 30)).not.toEqual(unitOf().slice(5, 30))
  for (let at = 0; at < encrypted.length; at++) {
    const changed = encrypted.slice()
    changed[at]! ^= 1
    const before = changed.slice()
    expect(seal.open(changed, place, 5), `byte ${at}`).toBe(false)
    expect(changed).toEqual(before)
  }
  expect(seal.open(encrypted.slice(), { kind: 'page', number: 4 }, 5)).toBe(false)
  expect(seal.open(encrypted.slice(), { kind: 'frame', number: 3 }, 5)).toBe(false)
  expect(createSeal(key, storeId.with(0, 9)).open(encrypted.slice(), place, 5)).toBe(false)
  expect(createSeal(key.with(0, 9), storeId).open(encrypted.slice(), place, 5)).toBe(false)
  expect(seal.open(encrypted.slice(), place, 5)).toBe(true)
})

test('[K1] 1,000,000 nonces do not repeat', () => {
  const { newNonce } = createSeal(key, storeId)
  const drawn = new BigUint64Array(1_000_000)
  for (let i = 0; i < drawn.length; i++) drawn[i] = new DataView(newNonce().buffer).getBigUint64(0)
  drawn.sort()
  // Their first 8 bytes are already different.
  expect(drawn.findIndex((nonce, i) => i > 0 && nonce === drawn[i - 1])).toBe(-1)
})

test('locks open the keys, others do not, and a changed record is damaged or wrong', async () => {
  const lock = { key: Uint8Array.from({ length: 32 }, (_, i) => i), addedMs: 1 }
  const cryptoKey = await crypto.subtle.importKey('raw', key, 'HKDF', false, ['deriveBits'])
  const first = (await createKeys(lock)).keys
  const keys = first.with((await first.wrap({ cryptoKey, addedMs: 2 })).text)!
  expect(keys.list().map(({ kind, added }) => [kind, added])).toEqual([
    ['key', 1],
    ['cryptoKey', 2],
  ])
  const encrypted = unitOf()
  keys.seal.seal(encrypted, place, 0)
  for (const right of [lock, { cryptoKey }]) {
    const opened = await openKeys(keys.record(), right)
    expect(typeof opened === 'object' && opened.keys.seal.open(encrypted.slice(), place, 0)).toBe(true)
  }
  expect(await openKeys(keys.record(), { key })).toBe('wrong')
  expect(await openKeys(keys.record(), { passphrase: 'jay' })).toBe('wrong')
  expect(await openKeys(keys.without(keys.list()[0]!.id).record(), lock)).toBe('wrong')
  expect(keys.without('none').record()).toEqual(keys.record())
  expect(keys.with('{}')).toBe(null)
  const text = new TextDecoder().decode(keys.record())
  for (const changed of [
    text.replace('"format":1', '"format":2'),
    text.slice(1),
    text.replace('"salt":"', '"salt":"0'),
  ])
    expect(['newer', 'damaged']).toContain(await openKeys(new TextEncoder().encode(changed), lock))
})

/** Runs `work` with or without node:crypto. */
function withOpenSsl<T>(hasOpenSsl: boolean, work: () => T): T {
  const { getBuiltinModule } = process
  if (!hasOpenSsl) process.getBuiltinModule = (() => undefined) as never
  try {
    return work()
  } finally {
    process.getBuiltinModule = getBuiltinModule
  }
}
