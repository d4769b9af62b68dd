/** Tests stores in a file of Node: what is on the disk, which files are refused, and how engines in several processes share one. */
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { openRecall, type Recall } from '../../../src/index.ts'
import type { Answer, Method } from '../../../src/protocol/engine-api.ts'
import { type Reply, unwrap } from '../../../src/protocol/envelope.ts'
import { type InlineEngine, openInline } from '../../../worker/inline.ts'
import { contend, type Owned } from '../../../worker/node/fence.ts'
import { initSqlite } from '../../../worker/sqlite/init-sqlite.ts'
import { engineOptions } from '../../support/stores/engine-options.ts'
import { startOfTime } from '../../support/stores/open-engine.ts'

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'scrubjay-file-'))
  path = join(folder, 'memory.sqlite')
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const now = () => startOfTime
const records = Array.from({ length: 60 }, (_, i) => ({
  id: `note-${i}`,
  title: `Note ${i}`,
  body: `The jay hid ${i % 9} acorns under the ${i % 2 === 0 ? 'old oak' : 'young beech'} on day ${i}.`,
  tags: [i % 3 === 0 ? 'third' : 'other'],
}))
const questions = ['acorns under the oak', 'beech day 7', 'where did the jay hide five acorns', 'deploy']

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
    const long = join(deep, 'a store with spaces, ? # % and ü.sqlite')
    const first = await openEngine(long)
    const second = await openEngine(long)
    await put(first, 'a')
    expect(await ids(second)).toEqual(['a'])
    await close(second)
    await close(first)
    expect(readdirSync(deep)).toEqual(['a store with spaces, ? # % and ü.sqlite'])
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
      const { locateFile } = await import('../../../src/client/no-inline.ts')
      await expect(locateFile('memory.sqlite')).rejects.toMatchObject({ code: 'INVALID_CONFIG', field: 'path' })
    } finally {
      vi.unstubAllGlobals()
    }
  })
})

/** Each engine has its own sockets, as if it were in a process of its own. */
const openEngine = (at = path) => openInline({ ...engineOptions, name: at, storage: 'file' }, { kind: 'none' })

let calls = 0
async function call<M extends Method>(
  engine: InlineEngine,
  method: M,
  request: object = {},
  operation?: string,
): Promise<Answer<M>> {
  calls += 1
  const context = { now: startOfTime, operation }
  return unwrap(
    (await engine.call({ id: String(calls), method, request, context, deadlineMs: 10_000 })) as Reply<Answer<M>>,
  )
}
const put = (engine: InlineEngine, id: string) =>
  call(engine, 'put', { batch: [{ id, body: `text of ${id}` }] }, `put ${id}`)
const roleOf = async (engine: InlineEngine) => (await call(engine, 'status')).role
const ids = async (engine: InlineEngine) =>
  (await call(engine, 'list', { filter: {} })).items.map(({ id }) => id).sort()
const close = (engine: InlineEngine) => call(engine, 'close')

describe('several owners', () => {
  test('[T1] one leads, the others follow, answer with its bytes and hear of each change', async () => {
    const engines = [await openEngine(), await openEngine(), await openEngine()] as const
    expect(await Promise.all(engines.map(roleOf))).toEqual(['leader', 'follower', 'follower'])
    const changes: unknown[] = []
    engines[2].subscribe((event) => event.type === 'changed' && changes.push(event.ids))
    await call(engines[1], 'put', { batch: records }, 'all')
    await expect.poll(() => changes).toEqual([records.map(({ id }) => id)])
    const answer = async (engine: InlineEngine) => {
      const { tookMs: _, ...rest } = await call(engine, 'recall', { query: { text: questions[0], explain: true } })
      return rest
    }
    expect(await answer(engines[1])).toEqual(await answer(engines[0]))
    for (const engine of engines.toReversed()) await close(engine)
    expect(readdirSync(folder)).toEqual(['memory.sqlite'])
  })

  test('[T1] eight contenders at once: one owns the file, and when it ends another one', async () => {
    const signal = new AbortController().signal
    const contenders = Array.from({ length: 8 }, () => contend(path, signal))
    for (let left = 8; left > 0; left--) {
      const outcomes = await Promise.all(contenders)
      const owners = outcomes.filter((outcome) => outcome.kind === 'owned')
      expect(owners).toHaveLength(1)
      const [owner] = owners as [Owned]
      const place = outcomes.indexOf(owner)
      await owner.release()
      contenders.splice(place, 1)
      for (const [i, outcome] of outcomes.toSpliced(place, 1).entries()) {
        if (outcome.kind === 'followed') contenders[i] = outcome.owner.closed.then(() => contend(path, signal))
      }
    }
    expect(readdirSync(folder)).toEqual([])
  })

  test('[T2] when the leader ends, a follower takes over: waiting calls are answered, writes happen once', async () => {
    const engines = [await openEngine(), await openEngine(), await openEngine()] as const
    await put(engines[1], 'before')
    const writes = Array.from({ length: 20 }, (_, i) => put(engines[1 + (i % 2)]!, `during-${i}`))
    await close(engines[0])
    for (const { records: outcomes } of await Promise.all(writes)) expect(outcomes[0]?.outcome).toBe('inserted')
    expect((await Promise.all([roleOf(engines[1]), roleOf(engines[2])])).sort()).toEqual(['follower', 'leader'])
    expect(await ids(engines[1])).toHaveLength(21)
    await close(engines[1])
    expect(await ids(engines[2])).toHaveLength(21)
    await close(engines[2])
  })

  test('a store that one process destroys is closed in the others, and not created again', async () => {
    const [leader, follower] = [await openEngine(), await openEngine()]
    await put(follower, 'a')
    const events: string[] = []
    follower.subscribe(({ type }) => events.push(type))
    await call(leader, 'destroy')
    await expect.poll(() => events).toContain('closed')
    await expect(put(follower, 'b')).rejects.toMatchObject({ code: 'CLOSED' })
    await close(follower)
    expect(readdirSync(folder)).toEqual([])
  })

  test('[E1] other options than those of the process that has the file are refused by name', async () => {
    const leader = await openEngine()
    const other = { ...engineOptions, name: path, storage: 'file' as const, autoLink: false }
    await expect(openInline(other, { kind: 'none' })).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      field: 'autoLink',
      message: expect.stringMatching(/as in the other process/),
    })
    await close(leader)
  })

  test('a process that accepts and does not answer is not passed over, and its id is known', async () => {
    // A contender that never decides, as if it were stopped.
    mkdirSync(`${path}-open`)
    const server = createServer(() => undefined)
    await new Promise<void>((resolve) => server.listen(join(`${path}-open`, '1-1'), resolve))
    const waits = new AbortController()
    const met = new Promise<number>((resolve) => {
      contend(path, waits.signal, resolve).catch(() => undefined)
    })
    expect(await met).toBe(1)
    expect(existsSync(path)).toBe(false)
    waits.abort()
    server.close()
  })

  test('control: the socket of a process that has ended is passed over and removed', async () => {
    mkdirSync(`${path}-open`)
    const server = createServer(() => undefined)
    await new Promise<void>((resolve) => server.listen(join(`${path}-open`, 'draft'), resolve))
    linkSync(join(`${path}-open`, 'draft'), join(`${path}-open`, '1-1'))
    await new Promise((resolve) => server.close(resolve))
    expect(existsSync(join(`${path}-open`, '1-1'))).toBe(true)
    const owned = (await contend(path, new AbortController().signal)) as Owned
    expect(owned.kind).toBe('owned')
    expect(existsSync(join(`${path}-open`, '1-1'))).toBe(false)
    await owned.release()
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
