/** Encrypting and decrypting the file of a closed store: the same records, nothing readable, and one of both stores after a kill [K1] [K2]. */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { decryptStore, encryptStore, openRecall, type RecallError } from '../../../../src/index.ts'
import { nodeDisk } from '../../../../worker/node/node-disk.ts'
import { pageBytes } from '../../../../worker/sqlite/pages/page-file.ts'
import { folder, path, questions, records } from './folder.ts'

const lock = { passphrase: 'seven jays in the old oak' }
const key = () => ({ key: Uint8Array.from({ length: 32 }, (_, i) => 5 * i + 1) })
const open = (given?: object, at = path) =>
  openRecall({ path: at, embedder: null, history: true, lock: given as never, now: () => 86_400_000 })
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: RecallError) => error.code ?? String(error),
  )

afterEach(() => vi.restoreAllMocks())

async function fill(count = records.length, given?: object): Promise<void> {
  const recall = await open(given)
  await recall.put(records.slice(0, count))
  await recall.put({ id: 'note-0', body: 'The jay forgot where the acorns of note 0 are.' })
  await recall.link('note-1', 'note-0', 0.5)
  await recall.forget('note-2')
  await recall.close()
}

/** What the store answers, and its export. */
async function contentOf(given?: object, at = path): Promise<unknown> {
  const recall = await open(given, at)
  try {
    const { problems } = await recall.integrityCheck()
    const answers = []
    for (const text of questions) {
      const { hits, evidence } = await recall.recall({ text, limit: 20 })
      answers.push([evidence, hits.map(({ record, score }) => [record, score])])
    }
    const exported = await new Response(recall.exportTo({ encrypted: false }) as never).text()
    return { problems, answers, exported, versions: await recall.versions('note-0') }
  } finally {
    await recall.close()
  }
}

/** Names of the files of a folder that hold a text of the records. */
function readable(at = folder): readonly string[] {
  const words = ['young beech', 'forgot where', 'acorns un']
  return readdirSync(at).filter(
    (name) => statSync(join(at, name)).isFile() && words.some((word) => readFileSync(join(at, name)).includes(word)),
  )
}

test('[K1] encrypts a store: the same answers, export and history under its lock, and no file holds a text; then decrypts it', async () => {
  await fill()
  const before = await contentOf()
  expect(readable(), 'control').toEqual(['memory.sqlite'])
  const held = nodeDisk.open(path, false)
  const bytes = held.size()
  chmodSync(path, 0o640)
  expect(await encryptStore(path, { lock: key() })).toEqual({ changed: true })
  expect(readdirSync(folder)).toEqual(['memory.sqlite'])
  expect(readable()).toEqual([])
  expect(statSync(path).mode & 0o777).toBe(0o640)
  // The file that had the name before holds nothing anymore.
  const old = new Uint8Array(bytes)
  held.read(old, 0)
  held.close()
  expect(old.every((byte) => byte === 0)).toBe(true)
  expect(await codeOf(open())).toBe('LOCKED')
  expect(await contentOf(key())).toEqual(before)
  expect(await encryptStore(path, { lock: key() })).toEqual({ changed: false })
  expect(await codeOf(encryptStore(path, { lock }))).toBe('WRONG_KEY')
  expect(await codeOf(decryptStore(path, { lock }))).toBe('WRONG_KEY')
  expect(await decryptStore(path, { lock: key() })).toEqual({ changed: true })
  expect(await decryptStore(path, { lock: key() })).toEqual({ changed: false })
  expect(await codeOf(open(key()))).toBe('INVALID_CONFIG')
  expect(await contentOf()).toEqual(before)
})

test('a store with a lock takes more locks afterwards, and each decrypts it', async () => {
  await fill(5)
  const now = () => 7
  await encryptStore(path, { lock: key(), now })
  const recall = await open(key())
  expect(await recall.keys.list()).toMatchObject([{ kind: 'key', added: 7, isOwn: true }])
  const { recoveryCode } = await recall.keys.add({ recoveryCode: true })
  await recall.compact({ newKey: true })
  await recall.close()
  expect(await decryptStore(path, { lock: { recoveryCode } })).toEqual({ changed: true })
  expect(await codeOf(open().then((again) => again.close()))).toBe('done')
})

test.each([
  ['encryptStore', encryptStore, undefined],
  ['decryptStore', decryptStore, key],
] as const)(
  '[K2] a kill at any write of %s leaves the store as it was or converted, and the next opening removes what is left; control: both happen',
  async (_name, convert, before) => {
    await fill(12, before?.())
    const content = await contentOf(before?.())
    const states: string[] = []
    let writes = 0
    const look = () => {
      // Each write after the copy took the name; of the others a part.
      if (writes++ % 10 !== 0 && existsSync(`${path}-converting`)) return
      const at = join(folder, `state-${states.length}`)
      mkdirSync(at)
      for (const name of readdirSync(folder))
        if (name.startsWith(basename(path)) && statSync(join(folder, name)).isFile())
          copyFileSync(join(folder, name), join(at, name))
      states.push(join(at, basename(path)))
    }
    const openOnDisk = nodeDisk.open
    vi.spyOn(nodeDisk, 'open').mockImplementation((name, create) => {
      const file = openOnDisk(name, create)
      return {
        ...file,
        write(source, offset) {
          file.write(source, offset)
          look()
        },
        sync() {
          file.sync()
          look()
        },
      }
    })
    await convert(path, { lock: key() })
    vi.restoreAllMocks()
    const found = { before: 0, after: 0 }
    for (const at of states) {
      const [own, other] = [before?.(), before === undefined ? key() : undefined]
      const isBefore = (await codeOf(open(own, at).then((recall) => recall.close()))) === 'done'
      found[isBefore ? 'before' : 'after'] += 1
      expect(await contentOf(isBefore ? before?.() : other, at), at).toEqual(content)
      expect(
        readdirSync(join(at, '..')).filter((name) => name.includes('-converting')),
        at,
      ).toEqual([])
      if (isBefore ? before !== undefined : before === undefined) expect(readable(join(at, '..')), at).toEqual([])
    }
    expect(found.before).toBeGreaterThan(3)
    expect(found.after).toBeGreaterThan(0)
  },
  60_000,
)

test('refuses an open store, a store that is not there, a wrong lock and a name that must be a path, and changes nothing', async () => {
  await fill(3)
  const content = await contentOf()
  const recall = await open()
  expect(await codeOf(encryptStore(path, { lock: key() }))).toBe('STORE_BUSY')
  await recall.close()
  await expect(encryptStore(join(folder, 'none.sqlite'), { lock: key() })).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    field: 'name',
  })
  expect(existsSync(join(folder, 'none.sqlite'))).toBe(false)
  await expect(encryptStore('notes', { lock: key() })).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    field: 'name',
  })
  await expect(encryptStore(path, { lock: { key: new Uint8Array(3) } })).rejects.toMatchObject({ field: 'lock.key' })
  await expect(encryptStore(path, {} as never)).rejects.toMatchObject({ code: 'INVALID_CONFIG', field: 'lock' })
  for (const convert of [encryptStore, decryptStore])
    for (const [given, field] of [
      [undefined, 'options'],
      [null, 'options'],
      ['words', 'options'],
      [{ lock: key(), passphrase: 'words' }, 'passphrase'],
      [{ lock: key(), now: 1 }, 'now'],
      [{ lock: key(), assets: null }, 'assets'],
    ] as const)
      await expect(convert(path, given as never)).rejects.toMatchObject({ code: 'INVALID_CONFIG', field })
  await expect(decryptStore(join(folder, 'x.txt'), { lock: key() })).rejects.toMatchObject({ field: 'name' })
  writeFileSync(
    join(folder, 'text.txt'),
    'no store, but a text that is long enough for a header of a file '.repeat(200),
  )
  expect(await codeOf(encryptStore(join(folder, 'text.txt'), { lock: key() }))).toBe('STORE_CORRUPT')
  expect(readFileSync(join(folder, 'text.txt'), 'utf8')).toMatch(/^no store/)
  expect(await contentOf()).toEqual(content)
})

test('a write that the disk loses in the copy changes nothing: all pages are compared before the copy takes the name', async () => {
  await fill()
  const content = await contentOf()
  const openOnDisk = nodeDisk.open
  let lost = 0
  vi.spyOn(nodeDisk, 'open').mockImplementation((name, create) => {
    const file = openOnDisk(name, create)
    if (!name.endsWith('-converting')) return file
    return {
      ...file,
      write(source, offset) {
        // A page far behind those that opening reads; writes hold several.
        const at = 16_384 + 20 * pageBytes - offset
        const isThere = at >= 0 && at < source.length
        if (isThere) lost += 1
        file.write(isThere ? source.slice().fill(0, at, at + pageBytes) : source, offset)
      },
    }
  })
  expect(await codeOf(encryptStore(path, { lock: key() }))).not.toBe('done')
  vi.restoreAllMocks()
  expect(lost, 'control').toBeGreaterThan(0)
  expect(await contentOf()).toEqual(content)
})

test('[E1] a decrypted store has checksums: a changed byte of a text is STORE_CORRUPT', async () => {
  await fill()
  await encryptStore(path, { lock: key() })
  await decryptStore(path, { lock: key() })
  const bytes = readFileSync(path)
  const at = bytes.indexOf('acorns under')
  for (let from = at; from !== -1; from = bytes.indexOf('acorns under', from + 1)) bytes[from]! ^= 1
  writeFileSync(path, bytes)
  // Without checksums a record comes back with another letter.
  const ids = records.map(({ id }) => id)
  const found = await codeOf(open().then((recall) => recall.get(ids).finally(() => recall.close())))
  expect(found).toBe('STORE_CORRUPT')
})

test('a full disk changes nothing', async () => {
  await fill()
  const content = await contentOf()
  const openOnDisk = nodeDisk.open
  vi.spyOn(nodeDisk, 'open').mockImplementation((name, create) => {
    const file = openOnDisk(name, create)
    if (!name.includes('-converting')) return file
    return {
      ...file,
      write(source, offset) {
        if (offset > 60_000) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
        file.write(source, offset)
      },
    }
  })
  expect(await codeOf(encryptStore(path, { lock: key() }))).toBe('QUOTA_EXCEEDED')
  vi.restoreAllMocks()
  expect(readdirSync(folder)).toEqual(['memory.sqlite'])
  expect(await contentOf()).toEqual(content)
})
