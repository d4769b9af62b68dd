/** Exchanges the ground under an open store: no acknowledged write may be missing from the file that the path names [R10]. */
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { InlineEngine } from '../../../../worker/inline.ts'
import { call, close, folder, ids, openEngine, path, put } from './folder.ts'

const refused = {
  code: expect.stringMatching(/^(?:STORE_BUSY|STORAGE_UNAVAILABLE)$/),
  hint: expect.stringContaining('open it again'),
}

/** A closed store with one record, and a copy of it. */
async function closedStore(): Promise<string> {
  const engine = await openEngine()
  await put(engine, 'old')
  await close(engine)
  const backup = join(folder, 'backup')
  copyFileSync(path, backup)
  return backup
}

const run = (command: string, ...given: string[]) => execFileSync(command, given, { cwd: folder, stdio: 'pipe' })
const git = (...given: string[]) => run('git', '-c', 'user.name=a', '-c', 'user.email=a@b', ...given)

const done = (_result: void) => null

/** Each returns what puts the ground back, or null where the file that was open is gone. */
const exchanges: readonly (readonly [name: string, exchange: (backup: string) => (() => void) | null])[] = [
  ['another file is renamed over it', (backup) => done(renameSync(backup, path))],
  ['it is deleted', () => done(rmSync(path))],
  [
    'it is renamed',
    () => {
      renameSync(path, join(folder, 'moved'))
      return () => renameSync(join(folder, 'moved'), path)
    },
  ],
  [
    'its folder is renamed',
    () => {
      renameSync(folder, `${folder}-moved`)
      return () => renameSync(`${folder}-moved`, folder)
    },
  ],
  ['its folder is deleted', () => done(rmSync(folder, { recursive: true }))],
  ['a copy is written over it in place', (backup) => done(copyFileSync(backup, path))],
  [
    'an archive is unpacked over it',
    (backup) => {
      const other = join(folder, 'other')
      mkdirSync(other)
      copyFileSync(backup, join(other, 'memory.sqlite'))
      run('tar', 'cf', 'archive.tar', '-C', other, 'memory.sqlite')
      run('tar', 'xf', 'archive.tar')
      return null
    },
  ],
  [
    'a version is checked out over it',
    (backup) => {
      git('init', '-q')
      copyFileSync(backup, join(folder, 'memory.sqlite.old'))
      git('add', 'memory.sqlite.old')
      git('mv', 'memory.sqlite.old', 'kept')
      git('commit', '-qm', 'a')
      renameSync(join(folder, 'kept'), path)
      return null
    },
  ],
  [
    'a directory takes its name',
    () => {
      rmSync(path)
      mkdirSync(path)
      return null
    },
  ],
  ['its journal is deleted', () => done(rmSync(`${path}-wal`))],
  [
    'its journal is replaced',
    () => {
      writeFileSync(`${path}-new`, '')
      renameSync(`${path}-new`, `${path}-wal`)
      return null
    },
  ],
]

test.each(exchanges)('[R10] %s: no later write is acknowledged, and status says why', async (_name, exchange) => {
  const backup = await closedStore()
  const engine = await openEngine()
  await put(engine, 'before')
  const restore = exchange(backup)
  await expect(put(engine, 'lost')).rejects.toMatchObject(refused)
  await expect(call(engine, 'forget', { ids: ['old'] })).rejects.toMatchObject(refused)
  expect((await call(engine, 'status')).degraded).toContainEqual(
    expect.stringMatching(/moved, deleted or replaced|another owner/),
  )
  if (restore !== null) restore()
  await expect(close(engine)).rejects.toMatchObject(refused)
  if (restore === null) return
  const again = await openEngine()
  expect(await ids(again)).toEqual(['before', 'old'])
  await close(again)
})

test.each([
  ['with an earlier journal', (_journal: Uint8Array, earlier: Uint8Array) => writeFileSync(`${path}-wal`, earlier)],
  [
    'with other bytes',
    (journal: Uint8Array) =>
      writeFileSync(
        `${path}-wal`,
        journal.map((byte, i) => (i % 40 === 20 ? byte ^ 1 : byte)),
      ),
  ],
  ['by a shorter one', (journal: Uint8Array) => truncateSync(`${path}-wal`, journal.length - 8000)],
])('[R10] a journal that is overwritten in place, %s, is not copied into the file', async (_name, overwrite) => {
  await closedStore()
  const engine = await openEngine()
  await put(engine, 'first')
  const earlier = readFileSync(`${path}-wal`)
  await put(engine, 'second')
  await put(engine, 'third')
  const before = readFileSync(path)
  overwrite(readFileSync(`${path}-wal`), earlier)
  await expect(close(engine)).rejects.toMatchObject(refused)
  expect(readFileSync(path).equals(before)).toBe(true)
})

test('[R10] a store that wrote nothing closes, whatever happened to its file', async () => {
  await closedStore()
  const engine = await openEngine()
  rmSync(path)
  await close(engine)
  expect(readdirSync(folder)).toEqual(['backup'])
})

test('[R10] control: without an exchange, every write is acknowledged and in the file', async () => {
  await closedStore()
  const engine = await openEngine()
  await put(engine, 'before')
  await put(engine, 'kept')
  await close(engine)
  const again = await openEngine()
  expect(await ids(again)).toEqual(['before', 'kept', 'old'])
  expect((await call(again, 'status')).degraded).toEqual([])
  await close(again)
})

test('[R10] an owner whose lock was removed is fenced by the next owner, and loses nothing that it acknowledged', async () => {
  const first = await openEngine()
  for (let i = 0; i < 5; i++) await put(first, `first-${i}`)
  expect(await ids(first), 'control: the first one reads until then').toHaveLength(5)
  rmSync(`${path}-open`, { recursive: true })
  const second = await openEngine()
  expect((await call(second, 'status')).role).toBe('leader')
  expect(await ids(second)).toHaveLength(5)
  await put(second, 'second')
  // Its pages are those of two owners by now.
  await expect(ids(first)).rejects.toMatchObject({ ...refused, code: 'STORE_BUSY' })
  await expect(put(first, 'late')).rejects.toMatchObject(refused)
  await expect(close(first)).rejects.toMatchObject(refused)
  await put(second, 'last')
  await close(second)
  const third = await openEngine()
  expect(await ids(third)).toEqual(['first-0', 'first-1', 'first-2', 'first-3', 'first-4', 'last', 'second'])
  await close(third)
})

test('[R10] an opening that wrote nothing leaves the journal of the owner when it closes', async () => {
  await closedStore()
  const idle = await openEngine()
  rmSync(`${path}-open`, { recursive: true })
  const owner = await openEngine()
  await put(owner, 'new')
  await close(idle)
  expect(existsSync(`${path}-wal`)).toBe(true)
  await put(owner, 'newer')
  // As after a kill.
  const copy = join(folder, 'copy.sqlite')
  for (const end of ['', '-wal', '-revision']) copyFileSync(path + end, copy + end)
  const again = await openEngine(copy)
  expect(await ids(again)).toEqual(['new', 'newer', 'old'])
  await close(again)
  await close(owner)
  const last = await openEngine()
  expect(await ids(last)).toEqual(['new', 'newer', 'old'])
  await close(last)
})

test('[R10] the first of two openings that writes is the owner', async () => {
  await closedStore()
  const [first, second] = [await openEngine(), await withoutLock()]
  await put(second, 'second')
  await expect(put(first, 'late')).rejects.toMatchObject(refused)
  await close(second)
  await close(first).catch(() => undefined)
  const third = await openEngine()
  expect(await ids(third)).toEqual(['old', 'second'])
  await close(third)
})

async function withoutLock(): Promise<InlineEngine> {
  rmSync(`${path}-open`, { recursive: true })
  return openEngine()
}

test('[R10] a hard link that is made while the store is open opens no second store', async () => {
  const engine = await openEngine()
  await put(engine, 'a')
  linkSync(path, join(folder, 'second'))
  await expect(openEngine(join(folder, 'second'))).rejects.toMatchObject({ code: expect.any(String) })
  await put(engine, 'b')
  await close(engine)
})

test.skipIf(process.getuid?.() !== 0 || process.platform !== 'linux')(
  '[R10] a file that is mounted at a second path is not opened there while it is open',
  async () => {
    const other = join(folder, 'other', 'memory.sqlite')
    mkdirSync(join(folder, 'other'))
    writeFileSync(other, '')
    const engine = await openEngine()
    await put(engine, 'a')
    try {
      run('mount', '--bind', path, other)
    } catch {
      // A container without the right to mount.
      return close(engine)
    }
    try {
      await expect(openEngine(other)).rejects.toMatchObject({
        code: 'STORE_CORRUPT',
        hint: expect.stringContaining('Put the file back'),
      })
      expect(readdirSync(join(folder, 'other')).filter((name) => !name.endsWith('-open'))).toEqual(['memory.sqlite'])
      await put(engine, 'b')
      await close(engine)
      const second = await openEngine(other)
      expect(await ids(second)).toEqual(['a', 'b'])
      await close(second)
    } finally {
      run('umount', other)
    }
  },
)

test('[R10] a process that opens a path does not follow an owner that has another file open', async () => {
  const backup = await closedStore()
  const engine = await openEngine()
  await put(engine, 'a')
  renameSync(backup, path)
  await expect(openEngine()).rejects.toMatchObject({
    code: 'STORAGE_UNAVAILABLE',
    message: expect.stringContaining(String(process.pid)),
  })
  await expect(close(engine)).rejects.toMatchObject(refused)
})

test('[R10] destroying a store leaves another file that has its path', async () => {
  const backup = await closedStore()
  const engine = await openEngine()
  await put(engine, 'a')
  renameSync(backup, path)
  await expect(call(engine, 'destroy')).rejects.toMatchObject(refused)
  expect(existsSync(path)).toBe(true)
})

test('[R10] a link at the name of the journal or the revision is not followed', async () => {
  const victim = join(folder, 'victim')
  for (const end of ['-revision', '-wal']) {
    await closedStore()
    writeFileSync(victim, 'precious')
    symlinkSync(victim, path + end)
    await expect(openEngine().then((engine) => put(engine, 'a'))).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
    rmSync(path + end)
    expect(execFileSync('cat', [victim], { encoding: 'utf8' })).toBe('precious')
    rmSync(`${path}-open`, { recursive: true, force: true })
  }
})
