/** Tests stores in a file of Node: what is on the disk, and which files are refused. */
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { canonicalJson } from '../../../../src/core/text/hash/canonical.ts'
import { openRecall, type Recall } from '../../../../src/index.ts'
import { initSqlite } from '../../../../worker/sqlite/init-sqlite.ts'
import { startOfTime } from '../../../support/stores/open-engine.ts'
import { close, folder, ids, openEngine, path, put, questions, records } from './folder.ts'

const now = () => startOfTime

async function answersOf(recall: Recall): Promise<string> {
  const answers = []
  for (const text of questions) {
    const { tookMs: _, ...answer } = await recall.recall({ text, explain: true })
    answers.push(answer)
  }
  return canonicalJson(answers)
}

describe('one process', () => {
  test('[P1] [D1] [D3] a store in a file answers with the bytes of one in memory, also after it was opened again', async () => {
    const memory = await openRecall({ name: 'beside the file', now })
    let file = await openRecall({ path, now })
    const receipt = await file.put(records)
    expect(receipt.durability).toBe('committed')
    await memory.put(records)
    await file.forget('note-5')
    await memory.forget('note-5')
    const expected = await answersOf(memory)
    expect(await answersOf(file)).toBe(expected)
    await file.close()
    file = await openRecall({ path, now })
    expect(await answersOf(file)).toBe(expected)
    expect(await file.status()).toMatchObject({ name: path, backend: 'file', durability: 'committed', degraded: [] })
    await Promise.all([file.close(), memory.close()])
  })

  test('[W3] one file is left after closing, only its owner may read it, and forgotten text is gone from it', async () => {
    const recall = await openRecall({ path, embedder: null, now })
    await recall.put([{ id: 'secret', body: 'The word is quetzalcoatlus.' }, ...records])
    await recall.checkFiles([{ path: 'a.ts', exists: true }])
    const during = readdirSync(folder).sort()
    expect(during).toEqual(
      ['memory.sqlite', '-open', '-revision', '-wal'].map((end, i) => (i === 0 ? end : `memory.sqlite${end}`)),
    )
    // On Windows a file has the permissions of its folder.
    if (process.platform !== 'win32')
      for (const name of during) expect(statSync(join(folder, name)).mode & 0o077, name).toBe(0)
    await recall.forget('secret')
    for (const name of ['memory.sqlite', 'memory.sqlite-wal'])
      expect(readFileSync(join(folder, name)).includes('quetzalcoatlus'), name).toBe(false)
    await recall.close()
    expect(readdirSync(folder)).toEqual(['memory.sqlite'])
  })

  test('control: the word is in the file before it is forgotten', async () => {
    const recall = await openRecall({ path, embedder: null, now })
    await recall.put([{ id: 'secret', body: 'The word is quetzalcoatlus.' }])
    await recall.close()
    expect(readFileSync(path).includes('quetzalcoatlus')).toBe(true)
  })

  test('destroy removes the file and everything next to it', async () => {
    const recall = await openRecall({ path, embedder: null, now })
    await recall.put(records)
    await recall.destroy()
    expect(readdirSync(folder)).toEqual([])
  })

  test('all spellings of a path open one store', async () => {
    const first = await openRecall({ path, embedder: null, now })
    await first.put(records)
    symlinkSync(folder, `${folder}-link`)
    try {
      for (const other of [join(folder, '.', 'memory.sqlite'), join(`${folder}-link`, 'memory.sqlite')]) {
        const second = await openRecall({ path: other, embedder: null, now })
        expect(await second.count()).toBe(records.length)
        await second.close()
      }
    } finally {
      rmSync(`${folder}-link`)
    }
    await first.close()
  })

  test('a path of more bytes than a socket address can have works', async () => {
    const deep = join(folder, 'x'.repeat(120))
    mkdirSync(deep)
    const name = `a store with spaces, ${process.platform === 'win32' ? '' : '?'} # % and ü.sqlite`
    const long = join(deep, name)
    const first = await openEngine(long)
    const second = await openEngine(long)
    await put(first, 'a')
    expect(await ids(second)).toEqual(['a'])
    await close(second)
    await close(first)
    expect(readdirSync(deep)).toEqual([name])
  })
})

describe('[E1] refused', () => {
  const code = async (options: Parameters<typeof openRecall>[0]) =>
    openRecall(options).then(
      async (recall) => {
        await recall.close()
        return ['opened', '', '']
      },
      ({ code: which, field, message }) => [which, field, message],
    )

  test('paths that are not those of a file', async () => {
    mkdirSync(join(folder, 'sub'))
    expect(await code({ path: join(folder, 'sub') })).toEqual([
      'INVALID_CONFIG',
      'path',
      expect.stringMatching(/must be the path of a file/),
    ])
    expect(await code({ path: join(folder, 'none', 'a.sqlite') })).toEqual([
      'INVALID_CONFIG',
      'path',
      expect.stringMatching(/Create the folder/),
    ])
    for (const wrong of ['', ':memory:', 'file:///tmp/a.sqlite', 'a\0b', 7 as unknown as string])
      expect((await code({ path: wrong })).slice(0, 2), String(wrong)).toEqual(['INVALID_CONFIG', 'path'])
    expect(readdirSync(folder)).toEqual(['sub'])
  })

  test('a path together with a name or another kind of storage', async () => {
    expect((await code({ path, name: 'notes' })).slice(0, 2)).toEqual(['INVALID_CONFIG', 'name'])
    expect((await code({ path, storage: 'memory' })).slice(0, 2)).toEqual(['INVALID_CONFIG', 'storage'])
    expect(readdirSync(folder)).toEqual([])
  })

  test('a file with two names', async () => {
    const recall = await openRecall({ path, embedder: null, now })
    await recall.close()
    linkSync(path, join(folder, 'other.sqlite'))
    expect(await code({ path })).toEqual(['INVALID_CONFIG', 'path', expect.stringMatching(/hard links/)])
  })

  test('the files of other programs, which stay unchanged', async () => {
    writeFileSync(path, 'Dear diary, today I saw a jay.'.repeat(50))
    const text = readFileSync(path)
    expect(await code({ path, embedder: null })).toEqual([
      'STORE_CORRUPT',
      undefined,
      expect.stringMatching(/not a Scrubjay store/),
    ])
    expect(readFileSync(path)).toEqual(text)
    const database = await foreignDatabase()
    writeFileSync(path, database)
    expect(await code({ path, embedder: null })).toEqual([
      'STORE_CORRUPT',
      undefined,
      expect.stringMatching(/SQLite database, but not/),
    ])
    expect(readFileSync(path)).toEqual(database)
    await expect.poll(() => readdirSync(folder)).toEqual(['memory.sqlite'])
  })

  test('a folder in which no process can be kept out', async () => {
    writeFileSync(`${path}-open`, '')
    expect((await code({ path, embedder: null })).slice(0, 2)).toEqual(['STORAGE_UNAVAILABLE', 'path'])
    expect(existsSync(path)).toBe(false)
  })

  test('a path in a browser', async () => {
    vi.stubGlobal('process', Object.create(process, { versions: { value: {} } }))
    try {
      const { locateFile } = await import('../../../../src/client/no-inline.ts')
      await expect(locateFile('memory.sqlite')).rejects.toMatchObject({ code: 'INVALID_CONFIG', field: 'path' })
    } finally {
      vi.unstubAllGlobals()
    }
  })
})

async function foreignDatabase(): Promise<Buffer> {
  const sqlite3 = await initSqlite()
  const database = new sqlite3.oo1.DB(':memory:')
  database.exec('CREATE TABLE theirs (text); INSERT INTO theirs VALUES (1)')
  const bytes = sqlite3.capi.sqlite3_js_db_export(database)
  database.close()
  return Buffer.from(bytes)
}
