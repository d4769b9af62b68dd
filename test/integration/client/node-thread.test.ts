/** Checks `runtime: 'worker'` in Node: the built engine runs in a worker thread. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenOptions, openRecall, type Recall, type RecallQuery } from '../../../src/index.ts'

const dist = new URL('../../../dist/', import.meta.url)
const assets = { worker: new URL('worker/thread.js', dist) }
const run = promisify(execFile)
const now = () => Date.UTC(2026, 5, 1)

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scrubjay-thread-'))
})
afterAll(() => rm(folder, { recursive: true }))

let count = 0
const open = (options: OpenOptions) =>
  openRecall({
    embedder: null,
    now,
    assets,
    ...(options.path === undefined ? { name: `thread ${count++}` } : {}),
    ...options,
  })

/** A module of extensions whose `redact` appends what an expression says in the thread of the engine. */
const redactingTo = (expression: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { isMainThread } from 'node:worker_threads'
      export const redact = (text) => text + ' ' + (${expression})`)}`,
  )

const records = Array.from({ length: 300 }, (_, i) => ({
  id: `r${i}`,
  body: `${['apple', 'pear', 'plum'][i % 3]} pie ${i % 7} of ${i}`,
  tags: [`t${i % 5}`],
}))
const queries: readonly RecallQuery[] = [
  { text: 'apple pie', ledger: true },
  { text: 'plum of 30', scope: { tags: { all: ['t0'] } }, explain: true },
  { text: 'nothing here' },
]

async function answersOf(recall: Recall): Promise<readonly unknown[]> {
  await recall.put(records)
  const answers = []
  for (const query of queries) {
    const { tookMs: _, ...answer } = await recall.recall(query)
    answers.push(answer)
  }
  await recall.close()
  return answers
}

describe('the engine in a worker thread', () => {
  test('[D1] gives the answers of an engine in the thread of the app', async () => {
    const inThread = await answersOf(await open({ runtime: 'worker' }))
    expect(inThread).toEqual(await answersOf(await open({ runtime: 'inline' })))
  })

  test.each([
    ['worker', 'false'],
    ['inline', 'true'],
  ] as const)('runtime: %s runs in the main thread: %s', async (runtime, isMain) => {
    const recall = await open({ runtime, extensions: redactingTo('isMainThread') })
    await recall.put({ id: 'a', body: 'text' })
    expect((await recall.get(['a']))[0]?.body).toBe(`text ${isMain}`)
    expect((await recall.status()).runtime).toBe(runtime)
    await recall.close()
  })

  test('[P1] keeps a store in a file, which an engine in the thread of the app opens again', async () => {
    const path = join(folder, 'kept.sqlite')
    const recall = await open({ path, runtime: 'worker' })
    expect(await recall.put(records)).toMatchObject({ durability: 'committed' })
    await recall.close()
    const again = await open({ path, runtime: 'inline' })
    expect(await again.count({})).toBe(records.length)
    await again.close()
  })

  test('[Q6] a call that is aborted before its turn is not carried out', async () => {
    const recall = await open({ runtime: 'worker' })
    const controller = new AbortController()
    // The second put waits for its turn.
    const first = recall.put(records)
    const second = recall.put({ id: 'a', body: 'text' }, { signal: controller.signal })
    controller.abort()
    await expect(second).rejects.toMatchObject({ code: 'ABORTED' })
    await first
    expect(await recall.count({})).toBe(records.length)
    await recall.close()
  })

  test('a thread that ends rejects the calls that run, and later ones, with LEADER_LOST', async () => {
    const recall = await open({ runtime: 'worker', extensions: redactingTo("text === 'end' && process.exit(1)") })
    const error = { code: 'LEADER_LOST', hint: expect.stringMatching(/[Oo]pen/) }
    await expect(recall.put({ id: 'a', body: 'end' })).rejects.toMatchObject(error)
    await expect(recall.count({})).rejects.toMatchObject(error)
  })

  test('[E1] a program that is not there is refused with INVALID_CONFIG, the field and a hint', async () => {
    const missing = new URL('missing.js', import.meta.url)
    await expect(open({ runtime: 'worker', assets: { worker: missing } })).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      field: 'runtime',
      hint: expect.stringMatching(/thread\.js/),
    })
  })

  test('a process waits for its calls, and ends with an open store', async () => {
    const path = join(folder, 'left.sqlite')
    const script = `
      import { openRecall } from ${JSON.stringify(new URL('src/index.js', dist).href)}
      const recall = await openRecall({ path: ${JSON.stringify(path)}, runtime: 'worker', embedder: null })
      await recall.put({ id: 'a', body: 'text' })
      console.log((await recall.recall({ text: 'text' })).hits.length)`
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { timeout: 60_000 })
    expect(stdout).toBe('1\n')
    const recall = await open({ path })
    expect(await recall.count({})).toBe(1)
    await recall.close()
  })
})
