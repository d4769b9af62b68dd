/**
 * [E2] Tests an app's own embedder that fails, through `openRecall`: it is called on the page's side of the boundary.
 */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type OpenOptions, openRecall, type Recall } from '../../../src/index.ts'
import type { Embedder } from '../../../src/protocol/embedder.ts'
import type { EngineEvent } from '../../../src/protocol/events.ts'
import { createWorld } from '../../support/tabs-world.ts'

const opened: Recall[] = []
afterEach(async () => {
  for (const recall of opened.splice(0)) await recall.close()
})

const good: Embedder['embed'] = async (texts) => texts.map((text) => Float32Array.of(text.length, 1))
const failing: Embedder['embed'] = () => Promise.reject(new Error('rate limited'))
const never: Embedder['embed'] = () => new Promise<never>(() => {})

/** A store whose embedder does what `now` currently says. */
async function open(embed: Embedder['embed'], options: OpenOptions = {}, timeoutMs = 50) {
  const embedder = { space: 'mine@1', dimensions: 2, timeoutMs, now: vi.fn(embed) }
  const own: Embedder = { ...embedder, embed: (...call) => embedder.now(...call) }
  const recall = await openRecall({ name: `embedder ${opened.length}`, embedder: own, ...options })
  opened.push(recall)
  const events: EngineEvent[] = []
  recall.subscribe((event) => events.push(event))
  const problems = async () => (await recall.status()).degraded.filter((line) => !line.startsWith('Nothing is kept'))
  return { recall, embedder, events, problems, own }
}

/** Throws at every access. */
function unreadable<T extends object>(target: T): Record<string, never> {
  return new Proxy(target, {
    get() {
      throw new Error('not to be read')
    },
  }) as never
}

const batch = [
  { id: 'a', body: 'The jay hides acorns' },
  { id: 'b', body: 'The magpie steals spoons' },
]

describe('an app’s embedder', () => {
  test.each([
    ['throws', failing, /`embedder.embed` of mine@1 failed: rate limited/],
    ['hangs', never, /of mine@1 gave no answer within 50 ms/],
    ['answers the wrong number of vectors', async () => [new Float32Array(2)], /2 vectors of 2 texts, got 1/],
    [
      'answers wrong dimensions',
      async (texts: readonly string[]) => texts.map(() => new Float32Array(3)),
      /of 2 numbers/,
    ],
    [
      'answers NaN',
      async (texts: readonly string[]) => texts.map(() => Float32Array.of(0, Number.NaN)),
      /vectors of finite numbers/,
    ],
    ['answers plain arrays', (async () => [[1], [2]]) as never, /Float32Arrays of 2 numbers/],
    [
      'answers an array of holes',
      async (texts: readonly string[]) => Object.assign([], { length: texts.length }),
      /Float32Arrays of 2/,
    ],
    ['answers an array that throws', (async () => unreadable([])) as never, /failed: not to be read$/],
    ['answers a `then` that throws', () => unreadable({}) as never, /failed: not to be read$/],
    ['throws at once', () => unreadable({})['x'] as never, /failed: not to be read$/],
    ['throws an error without a readable message', () => Promise.reject(unreadable(new Error('x'))), /cannot be read$/],
    ['throws an object that is no text', () => Promise.reject(Object.create(null)), /cannot be read$/],
    ['throws a symbol', () => Promise.reject(Symbol('odd')), /failed: Symbol\(odd\)$/],
    ['throws a whole page', () => Promise.reject(new Error('y'.repeat(1_000_000))), /failed: y{500}…$/],
  ] as const)('[E2] that %s loses no text', async (_name, embed, expected) => {
    const { recall, problems } = await open(embed)
    const { records } = await recall.put(batch)
    expect(records).toEqual(
      ['a', 'b'].map((id) => ({
        id,
        outcome: 'inserted',
        bodyChanged: true,
        vectors: 'pending',
        why: expect.stringMatching(expected),
      })),
    )
    const { hits, plan } = await recall.recall('acorns')
    expect(hits.map(({ id }) => id)).toEqual(['a'])
    expect(plan.channels.vector).toMatchObject({ ran: false, why: expect.stringMatching(expected) })
    expect(await problems()).toEqual([
      '2 of 2 records wait for vectors of mine@1: they are made in the background',
      expect.stringMatching(expected),
    ])
    expect((await recall.patch('b', { body: 'Spoons are gone' })).records[0]).toMatchObject({
      outcome: 'updated',
      vectors: 'pending',
      why: expect.any(String),
    })
    expect((await recall.patch('b', { tags: ['t'] })).records[0]).toMatchObject({ vectors: 'pending' })
    expect((await recall.why('acorns', 'a')).id).toBe('a')
    expect((await recall.assemble({ text: 'acorns' })).plan.channels.vector.why).toMatch(expected)
  })

  test('[E2] that makes no vectors does not count as failed', async () => {
    const { recall, problems } = await open(async () => [])
    expect((await recall.put(batch)).records.map(({ vectors }) => vectors)).toEqual([undefined, undefined])
    expect((await recall.recall('acorns')).plan.channels.vector.why).toBe('the query came without a vector')
    expect(await problems()).toEqual(['2 of 2 records have no vectors of mine@1: call reembed()'])
  })

  test('[E2] that fails rejects puts and patches if the app chose so, with a hint', async () => {
    const { recall, embedder } = await open(good, { embedderFailure: 'reject' })
    await recall.put({ id: 'c', body: 'kept' })
    embedder.now.mockImplementation(failing)
    const refusal = {
      name: 'RecallError',
      code: 'INVALID_CONFIG',
      field: 'embedder.embed',
      message: expect.stringContaining('`embedder.embed` of mine@1 failed: rate limited'),
      hint: expect.stringContaining(`embedderFailure: 'store-without'`),
    }
    await expect(recall.put(batch)).rejects.toMatchObject(refusal)
    await expect(recall.patch('c', { body: 'changed' })).rejects.toMatchObject(refusal)
    expect(await recall.count()).toBe(1)
    expect((await recall.get('c'))?.body).toBe('kept')
    expect((await recall.recall('kept')).hits.map(({ id }) => id)).toEqual(['c'])
  })

  test('[E2] gets its deadline and the caller’s abort through its signal', async () => {
    const signals: AbortSignal[] = []
    const { recall } = await open(
      (_texts, _role, options) => {
        signals.push(options!.signal!)
        return never([], 'query')
      },
      {},
      5_000,
    )
    const controller = new AbortController()
    const aborted = recall.put(batch, { signal: controller.signal })
    await expect.poll(() => signals.length).toBe(1)
    controller.abort()
    await expect(aborted).rejects.toMatchObject({ code: 'ABORTED' })
    expect(signals[0]?.aborted).toBe(true)
    expect(await recall.count()).toBe(0)
    // An abort is not a failure of the embedder: the next call asks it at once.
    void recall.recall('acorns').catch(() => undefined)
    await expect.poll(() => signals.length).toBe(2)
  })

  test('[E2] is not called over and over while it fails', async () => {
    const { recall, embedder } = await open(failing)
    for (let i = 0; i < 30; i++) await recall.recall(`acorns ${i}`)
    expect(embedder.now.mock.calls.length).toBeLessThanOrEqual(2)
  })
})

describe('with several tabs', () => {
  test('[E2] [T1] the page of the leading tab learns what is pending, and after it the page of the next leader', async () => {
    const world = await createWorld()
    const options = { space: { name: 'mine@1', dimensions: 2 }, embeds: true }
    const [leader, follower] = [await world.tab(options), await world.tab(options)]
    const vectorEvents = ({ events }: typeof leader) => events.filter(({ type }) => type === 'vectors')
    await follower.call('put', { batch: [{ id: 'a', body: 'acorns', vectors: 'pending' }] })
    await expect.poll(() => vectorEvents(leader)).toEqual([{ type: 'vectors', pending: 1 }])
    expect(vectorEvents(follower)).toEqual([])
    leader.crash()
    await expect.poll(() => vectorEvents(follower), { timeout: 20_000 }).toEqual([{ type: 'vectors', pending: 1 }])
    await world.end()
  })
})

describe('the catch-up in the page', () => {
  test('[E2] embeds pending records once the embedder works, and reports it', async () => {
    const { recall, embedder, events, problems } = await open(failing)
    await recall.put(batch)
    embedder.now.mockImplementation(good)
    await expect
      .poll(async () => (await recall.status()).vectors, { timeout: 20_000 })
      .toMatchObject({
        current: 2,
        pending: 0,
      })
    expect(events).toContainEqual({ type: 'progress', operation: 'reembed', done: 2, total: 2 })
    expect(events.findLast(({ type }) => type === 'vectors')).toEqual({ type: 'vectors', pending: 0 })
    // No call has used the embedder since: the first one that does reports that it works.
    expect((await recall.recall('acorns')).plan.channels.vector.ran).toBe(true)
    expect(await problems()).toEqual([])
  })

  test('[E2] runs once, even if two clients of a page have the store open', async () => {
    const { recall, embedder, own } = await open(failing, { name: 'twice' })
    const other = await openRecall({ name: 'twice', embedder: own })
    opened.push(other)
    await recall.put(batch)
    embedder.now.mockClear()
    embedder.now.mockImplementation(good)
    await expect.poll(async () => (await recall.status()).vectors.pending, { timeout: 20_000 }).toBe(0)
    expect(embedder.now.mock.calls.filter(([, role]) => role === 'document')).toHaveLength(1)
  })

  test('[E2] ends with close', async () => {
    const { recall, embedder } = await open(failing)
    await recall.put(batch)
    opened.splice(0)
    await recall.close()
    const asked = embedder.now.mock.calls.length
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect(embedder.now.mock.calls.length).toBe(asked)
  })

  test.each<['inline' | 'worker', OpenOptions]>([
    ['inline', {}],
    ['worker', { assets: { worker: new URL('../../../dist/worker/thread.js', import.meta.url) } }],
  ])('[E3] that hangs delays neither close nor the calls that wait for it (runtime %s)', async (runtime, options) => {
    let answer: (vectors: Float32Array[]) => void = () => undefined
    const calls: (AbortSignal | undefined)[] = []
    const hanging: Embedder['embed'] = (_texts, _role, options) => {
      calls.push(options?.signal)
      return new Promise((resolve) => {
        answer = resolve
      })
    }
    const { recall } = await open(hanging, { runtime, ...options }, 3_600_000)
    await recall.put({ id: 'c', body: 'kept', vectors: [] })
    const waiting = [
      recall.put(batch),
      recall.recall('acorns'),
      recall.patch('c', { body: 'changed' }),
      recall.assemble({ text: 'acorns' }),
    ]
    const ends = Promise.allSettled(waiting)
    await expect.poll(() => calls.length).toBeGreaterThan(1)
    await recall.close()
    for (const end of await ends)
      expect(end).toMatchObject({ status: 'rejected', reason: { name: 'RecallError', code: 'CLOSED' } })
    expect(calls.every((signal) => signal?.aborted)).toBe(true)
    // Its answer after the end changes nothing.
    answer([new Float32Array(2), new Float32Array(2)])
    await expect(recall.put(batch)).rejects.toMatchObject({ code: 'CLOSED' })
  })

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, '50', null])(
    '[E1] whose deadline is %s is refused',
    async (timeoutMs) => {
      const embedder = { space: 'mine@1', dimensions: 2, timeoutMs: timeoutMs as number, embed: good }
      await expect(openRecall({ name: 'deadline', embedder })).rejects.toMatchObject({
        code: 'INVALID_CONFIG',
        field: 'embedder.timeoutMs',
      })
    },
  )
})
