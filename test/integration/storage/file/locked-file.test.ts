/** Locked stores in files of Node: nothing readable on the disk [K1], and the same promises as those of open stores [K2]. */
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { openRecall, type RecallError, stores } from '../../../../src/index.ts'
import type { LockInput } from '../../../../src/core/model/lock.ts'
import { salvage } from '../../../../src/salvage/index.ts'
import { sized } from '../../../support/data/sized.ts'
import { createRandom } from '../../../torture/t3/random.ts'
import { folder, path } from './folder.ts'

const key = Uint8Array.from({ length: 32 }, (_, i) => 5 * i + 1)
const lock: LockInput = { key }
/** `null`: without a lock. */
const open = (given: LockInput | null = lock, at = path) =>
  openRecall({ path: at, embedder: null, lock: given ?? undefined })

/** A copy of the files, as a kill would leave them. */
function copyTo(name: string): string {
  const to = join(folder, name)
  mkdirSync(to)
  for (const end of ['', '-wal', '-revision'])
    if (existsSync(path + end)) copyFileSync(path + end, join(to, basename(path) + end))
  return to
}

/** Every file of the folder, with the name of each. */
function bytesOnDisk(at = folder): Buffer[] {
  return readdirSync(at, { withFileTypes: true, recursive: true }).flatMap((entry) => [
    Buffer.from(entry.name),
    ...(entry.isFile() ? [readFileSync(join(entry.parentPath, entry.name))] : []),
  ])
}

const words = Array.from(
  { length: 60 },
  (_, i) => `quetzal${String.fromCharCode(97 + (i % 26))}${'bcdefghi'.slice(i % 5)}`,
)

/** Puts, replaces, forgets, compacts and reopens at random; `look` runs after each step. Every text holds some of `words`. */
async function live(seed: number, given: LockInput | null, look: () => void): Promise<void> {
  const random = createRandom(seed)
  const some = () => Array.from({ length: 6 }, () => words[random.between(0, words.length - 1)]).join(' ')
  let recall = await open(given)
  for (let step = 0; step < 14; step++) {
    const id = `record-${random.between(0, 9)}`
    const kind = random.between(0, 9)
    if (kind < 5) await recall.put({ id, title: some(), body: some().repeat(20), tags: [words[step]!] })
    else if (kind < 6) await recall.put(Array.from({ length: 40 }, (_, i) => ({ id: `more-${i}`, body: some() })))
    else if (kind < 7) await recall.forget(id)
    else if (kind < 8) await recall.compact()
    else if (kind < 9) await recall.recall(some())
    else {
      await recall.close()
      look()
      recall = await open(given)
    }
    look()
  }
  await recall.close()
  look()
}

/** Whether a file holds 8 letters of a text, in any case, also as UTF-16. */
function isReadable(): boolean {
  const parts = bytesOnDisk().flatMap((bytes) => [bytes.toString('latin1'), bytes.toString('utf16le')])
  return parts.some((text) => /quetzal[a-z]/i.test(text))
}

test('[K1] no file of a locked store ever holds 8 letters of its texts; control: those of an open store do', async () => {
  let looks = 0
  for (const seed of [1, 2, 3]) {
    await live(seed, lock, () => {
      looks += 1
      expect(isReadable(), `seed ${seed}`).toBe(false)
    })
    rmSync(path)
  }
  expect(looks).toBeGreaterThan(40)
  let isFound = false
  await live(1, null, () => (isFound ||= isReadable()))
  expect(isFound).toBe(true)
})

test('a store opens with its lock alone, and an error changes nothing', async () => {
  const passphrase = 'seven jays in the old oak'
  const recall = await open({ passphrase })
  await recall.put({ id: 'a', body: 'The jay hid an acorn.' })
  await recall.close()
  const before = readFileSync(path)
  const wrong: readonly (readonly [LockInput | null, string])[] = [
    [null, 'LOCKED'],
    [{ passphrase: 'seven jays' }, 'WRONG_KEY'],
    [lock, 'WRONG_KEY'],
  ]
  for (const [given, code] of wrong) {
    const error: RecallError = await open(given).then(
      () => expect.unreachable(),
      (thrown: RecallError) => thrown,
    )
    expect(error).toMatchObject({ code, hint: expect.stringMatching(/./) })
    expect(JSON.stringify(error.toDetails())).not.toContain('jays')
  }
  expect(readFileSync(path).equals(before)).toBe(true)
  expect(await stores({ folder })).toMatchObject([{ name: path, locked: true, missing: false }])
  await expect(salvage({ path })).rejects.toMatchObject({ code: 'LOCKED' })
  // The same letters, typed on another system.
  const again = await open({ passphrase: passphrase.normalize('NFD') })
  expect((await again.get('a'))?.body).toBe('The jay hid an acorn.')
  expect(JSON.stringify(await again.status())).not.toContain(passphrase)
  // A page that has it open needs the lock, too.
  await expect(open(null)).rejects.toMatchObject({ code: 'LOCKED' })
  await expect(open({ passphrase: 'no' })).rejects.toMatchObject({ code: 'WRONG_KEY' })
  await (await open({ passphrase })).close()
  expect(await again.count()).toBe(1)
  await again.close()
})

test('a store that is not locked is not opened with a lock, and a lock is checked first', async () => {
  await (await openRecall({ path, embedder: null })).close()
  const before = readFileSync(path)
  await expect(open()).rejects.toMatchObject({ code: 'INVALID_CONFIG', field: 'lock' })
  expect(readFileSync(path).equals(before)).toBe(true)
  const invalid: readonly unknown[] = [
    'hunter2 hunter2',
    {},
    { passphrase: ' ' },
    { passphrase: 7 },
    { passphrase: 'hunter2', key },
    { key: new Uint8Array(32) },
    { key: key.slice(1) },
    false,
    { cryptoKey: {} },
    { pin: 'hunter2' },
  ]
  for (const given of invalid) {
    const error = await open(given as LockInput).then(() => expect.unreachable(), String)
    expect(error).toMatch(/`lock/)
    expect(error).not.toContain('hunter2')
  }
  await expect(openRecall({ name: 'in memory', lock })).rejects.toMatchObject({ code: 'INVALID_CONFIG', field: 'lock' })
})

test('a store is not made without a lock because its lock is null', async () => {
  await expect(openRecall({ path, embedder: null, lock: null as never })).rejects.toMatchObject({
    code: 'INVALID_CONFIG',
    field: 'lock',
  })
  expect(existsSync(path)).toBe(false)
})

test('any 32 bytes but zeros are a key', async () => {
  for (const [i, fill] of [1, 255].entries()) {
    const equal = { key: new Uint8Array(32).fill(fill) }
    const opened = () => openRecall({ path: `${path}${i}`, embedder: null, lock: equal })
    await (await opened()).close()
    await (await opened()).close()
  }
})

test('a CryptoKey locks a store', async () => {
  const cryptoKey = await crypto.subtle.importKey('raw', key as Uint8Array<ArrayBuffer>, 'HKDF', false, ['deriveBits'])
  const recall = await open({ cryptoKey })
  await recall.put({ id: 'a', body: 'acorn' })
  await recall.close()
  const again = await open({ cryptoKey })
  expect(await again.count()).toBe(1)
  await again.close()
  await expect(open()).rejects.toMatchObject({ code: 'WRONG_KEY' })
})

test('[K2] changed bytes of a locked file are STORE_CORRUPT or harmless: never another record, never WRONG_KEY', async () => {
  const recall = await open()
  const bodies = new Map(Array.from({ length: 60 }, (_, i) => [`r${i}`, `Note ${i}: ${words[i]} `.repeat(30)]))
  await recall.put([...bodies].map(([id, body]) => ({ id, body })))
  // The journal, too, as a kill would leave it.
  const killed = copyTo('killed')
  await recall.close()
  const closed = copyTo('closed')
  const random = createRandom(43)
  const outcomes = new Map<string, number>()
  for (let trial = 0; trial < sized(60); trial++) {
    const from = trial % 2 === 0 ? closed : killed
    const at = join(folder, `trial-${trial}`)
    cpSync(from, at, { recursive: true })
    const file = join(
      at,
      trial % 6 === 1 ? `${basename(path)}-wal` : trial % 6 === 3 ? `${basename(path)}-revision` : basename(path),
    )
    const bytes = readFileSync(file)
    // Half of them near the beginning, where the locks and the first pages are.
    const offset = random.between(0, Math.min(bytes.length, trial % 4 < 2 ? 40_000 : bytes.length) - 1)
    bytes[offset]! ^= 1 << random.between(0, 7)
    writeFileSync(file, bytes)
    const outcome = await readAll(join(at, basename(path)), bodies)
    expect(outcome, `trial ${trial}, byte ${offset} of ${basename(file)}`).toMatch(/^(?:same|STORE_CORRUPT)$/)
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    rmSync(at, { recursive: true })
  }
  expect(outcomes.get('STORE_CORRUPT')).toBeGreaterThan(5)
})

/** `same`: every record is as it was; otherwise the code of the error. */
async function readAll(at: string, bodies: ReadonlyMap<string, string>): Promise<string> {
  try {
    const recall = await open(lock, at)
    try {
      const read = await recall.get([...bodies.keys()])
      expect(read.map((record) => record?.body)).toEqual([...bodies.values()])
      return 'same'
    } finally {
      await recall.close().catch(() => undefined)
    }
  } catch (error) {
    if ((error as RecallError).code === undefined) throw error
    return (error as RecallError).code
  }
}

test('deleting a locked store throws its keys away first', async () => {
  const recall = await open()
  await recall.put({ id: 'a', body: 'acorn' })
  const copy = join(dirname(folder), `${basename(folder)}-copy.sqlite`)
  // A second name of the same bytes, as a snapshot of the disk would have them.
  const linked = spawnSync('ln', [path, copy])
  await recall.destroy()
  expect(existsSync(path)).toBe(false)
  if (linked.status !== 0) return
  try {
    expect(statSync(copy).size).toBeGreaterThan(0)
    cpSync(copy, path)
    await expect(open()).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
  } finally {
    rmSync(copy)
  }
})

test('[K2] a locked file whose journal or revision remains is missing, not new', async () => {
  const recall = await open()
  await recall.put({ id: 'a', body: 'acorn' })
  const killed = copyTo('killed')
  await recall.close()
  const file = join(killed, basename(path))
  rmSync(file)
  await expect(open(lock, file)).rejects.toMatchObject({ code: 'DATA_MISSING' })
  rmSync(`${file}-wal`)
  await expect(open(lock, file)).rejects.toMatchObject({ code: 'DATA_MISSING' })
  expect(existsSync(file)).toBe(false)
})
