/**
 * [E2] Checks that an embedder that fails, is slow or returns nonsense never loses text: in the engine, with the port
 * of the built-in one.
 */
import { describe, expect, test } from 'vitest'
import type { PutReceipt } from '../../../src/core/model/receipts.ts'
import { tuning } from '../../../src/core/model/tuning.ts'
import { watchEmbedder } from '../../../worker/rpc/watch-embedder.ts'
import { openOver } from '../../support/stores/open-over.ts'
import { batch, failing, good, never, openWith, space } from './failing-embedder.ts'

/** What an embedder may do wrong, and what is reported then. */
const failures: readonly [string, () => Promise<unknown>, RegExp][] = [
  ['rejects', failing, /`embedder.embed` of mine@1 failed: rate limited/],
  [
    'throws before it answers',
    () => {
      throw new Error('out of tokens')
    },
    /out of tokens/,
  ],
  ['rejects with no error', () => Promise.reject('no network'), /no network/],
  ['answers too few', async () => [new Float32Array(2)], /must make 2 vectors of 2 texts, got 1/],
  ['answers too many', async () => [1, 2, 3].map(() => new Float32Array(2)), /got 3/],
  ['answers nothing', async () => undefined, /a value of type undefined/],
  ['answers other dimensions', async (texts = [1, 2]) => texts.map(() => new Float32Array(3)), /Float32Arrays of 2/],
  ['answers plain arrays', async () => [[1, 2], [1, 2]], /Float32Arrays of 2/], // biome-ignore format: one line a case
  ['answers NaN', async () => [1, 2].map(() => Float32Array.of(Number.NaN, 1)), /vectors of finite numbers/],
  [
    'answers infinity',
    async () => [1, 2].map(() => Float32Array.of(1, Number.POSITIVE_INFINITY)),
    /vectors of finite numbers/,
  ],
]

describe('an embedder that fails', () => {
  test.each(failures)('[E2] %s: the text is stored and found by its words', async (_name, embed, expected) => {
    const { call } = await openWith(embed)
    const { records } = await call('put', { batch })
    expect(records).toEqual(
      ['a', 'b'].map((id) => ({
        id,
        outcome: 'inserted',
        bodyChanged: true,
        vectors: 'pending',
        why: expect.stringMatching(expected),
      })),
    )
    const { hits, plan } = await call('recall', { query: { text: 'acorns' } })
    expect(hits.map(({ id }) => id)).toEqual(['a'])
    expect(plan.channels.vector).toMatchObject({ ran: false, why: expect.stringMatching(/could not be embedded/) })
    const { degraded, vectors } = await call('status', {})
    expect(vectors).toMatchObject({ current: 0, pending: 2 })
    expect(degraded).toEqual([
      expect.stringMatching(/until the embedder mine@1 works/),
      '2 of 2 records wait for vectors of mine@1: they are made in the background',
    ])
  })

  test.each(failures)('[E2] %s: with embedderFailure reject nothing is stored', async (_name, embed, expected) => {
    const { call } = await openWith(embed, { embedderFailure: 'reject' })
    await expect(call('put', { batch })).rejects.toMatchObject({
      name: 'RecallError',
      field: 'embedder.embed',
      message: expect.stringMatching(expected),
      hint: expect.any(String),
    })
    expect(await call('count', { scope: {} })).toBe(0)
    // In this mode, too, a question is answered by its words.
    expect((await call('recall', { query: { text: 'acorns' } })).plan.channels.vector.ran).toBe(false)
  })

  test('[E2] that hangs ends at its deadline, for a put and for a question', async () => {
    const { call, timers } = await openWith(never)
    const put = call('put', { batch })
    const asked = call('recall', { query: { text: 'acorns' } })
    await timers.advance(tuning.builtInEmbedMs)
    expect((await put).records.map(({ vectors }) => vectors)).toEqual(['pending', 'pending'])
    expect((await asked).plan.channels.vector.why).toMatch(/no answer within 5000 ms/)
    // The next call does not wait for it again.
    expect((await call('put', { batch: [{ body: 'more' }] })).records[0]?.vectors).toBe('pending')
    expect((await call('recall', { query: { text: 'spoons' } })).hits[0]?.id).toBe('b')
  })

  test('[E2] is reported by recall, why, assemble and assess', async () => {
    const { call } = await openWith(failing)
    await call('put', { batch })
    const query = { text: 'acorns' }
    const why = /could not be embedded: .*rate limited/
    expect((await call('recall', { query })).plan.channels.vector.why).toMatch(why)
    expect(JSON.stringify(await call('why', { query, id: 'a' }))).toMatch(/in the answer|rank|score/)
    expect((await call('assemble', { query })).plan.channels.vector.why).toMatch(why)
    await expect(call('assess', { query: { cues: { task: 'acorns' } } })).resolves.toMatchObject({})
  })

  test('[E2] [W2] and returns one unusable vector affects only that record', async () => {
    const { call } = await openWith(async (texts) =>
      texts.map((text) => (text === 'bad' ? Float32Array.of(Number.NaN, 1) : Float32Array.of(1, 0))),
    )
    const { records } = await call('put', {
      batch: [
        { id: 'a', body: 'good' },
        { id: 'b', body: 'bad' },
      ],
    })
    expect(records.map(({ vectors }) => vectors)).toEqual([undefined, 'pending'])
    expect((await call('recall', { query: { vector: Float32Array.of(1, 0) } })).hits.map(({ id }) => id)).toEqual(['a'])
  })

  test('[E2] [W1] leaves the same put unchanged, and a new text of the record removes the old vectors', async () => {
    const { call, embedder } = await openWith(good)
    await call('put', { batch })
    embedder.embed = failing
    expect((await call('put', { batch })).records.map(({ outcome, vectors }) => [outcome, vectors])).toEqual([
      ['unchanged', undefined],
      ['unchanged', undefined],
    ])
    const changed = [{ id: 'a', body: 'Another text' }]
    const outcomes = ({ records: [record] }: PutReceipt) => [record?.outcome, record?.vectors]
    expect(outcomes(await call('put', { batch: changed }))).toEqual(['updated', 'pending'])
    expect(outcomes(await call('put', { batch: changed }))).toEqual(['unchanged', 'pending'])
    expect(await call('status', {})).toMatchObject({ vectors: { current: 1, pending: 1 } })
    expect(outcomes(await call('patch', { id: 'b', fields: { body: 'Spoons again' } }))).toEqual(['updated', 'pending'])
    expect(outcomes(await call('patch', { id: 'b', fields: { tags: ['t'] } }))).toEqual(['updated', 'pending'])
  })

  test('[E2] [T2] gives a retried put the same answer', async () => {
    const { engine } = await openWith(failing)
    const ask = () => engine.call('put', { batch }, { now: 1, operation: 'once' })
    const { records } = await ask()
    expect((await ask()).records.map(({ vectors }) => vectors)).toEqual(records.map(({ vectors }) => vectors))
  })

  test('[E2] is called at once by reembed, which reports why it fails', async () => {
    const { call, embedder } = await openWith(failing)
    await call('put', { batch })
    const step = { after: 0, done: 0, total: 0, byCaller: false }
    await expect(call('embedNext', step)).rejects.toThrow('rate limited')
    embedder.embed = good
    expect(await call('embedNext', step)).toMatchObject({ embedded: 2, isLast: true })
    expect(await call('status', {})).toMatchObject({ degraded: [], vectors: { pending: 0, current: 2 } })
  })

  test('[E2] leaves pending records in which integrityCheck finds no fault', async () => {
    const { call } = await openWith(failing)
    await call('put', { batch })
    expect(await call('integrityCheck', { repair: false })).toMatchObject({ ok: true, problems: [] })
  })
})

describe('the embedding worker cannot be loaded, or fails', () => {
  const text = { id: 'a', body: 'jay acorn' }
  /** An engine over a port that never answers, as that of a dead worker, and the page that reports the failure. */
  const openOverDead = async (embed: () => Promise<never> = never) => {
    const page = new EventTarget()
    const port = watchEmbedder(page)({ embed })
    const report = (problem: unknown) =>
      page.dispatchEvent(new MessageEvent('message', { data: { embedderEnded: problem } }))
    return { ...(await openOver({ space, embeds: true, embedderFailure: 'store-without' }, port)), report }
  }
  const degraded = async ({ call }: Pick<Awaited<ReturnType<typeof openOverDead>>, 'call'>) =>
    (await call('status', {})).degraded.join('\n')

  test('[E2] status names it at once, texts are stored and found by words', async () => {
    const over = await openOverDead()
    expect(await degraded(over)).not.toMatch(/embedding worker/)
    over.report('it could not be loaded')
    expect(await degraded(over)).toMatch(/only their words until the embedder mine@1 works: .*it could not be loaded/)
    const { records } = await over.call('put', { batch: [text] })
    expect(records).toMatchObject([{ outcome: 'inserted', vectors: 'pending' }])
    const { hits, plan } = await over.call('recall', { query: { text: 'acorn' } })
    expect(hits.map(({ id }) => id)).toEqual(['a'])
    expect(plan.channels.vector).toMatchObject({ ran: false, why: expect.stringContaining('embedding worker failed') })
  })

  test('[E2] calls that already wait for it are answered', async () => {
    let asked = () => {}
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve
    })
    const over = await openOverDead(() => {
      asked()
      return never()
    })
    const waiting = over.call('put', { batch: [text] })
    await isAsked
    over.report('out of memory')
    expect((await waiting).records).toMatchObject([
      { vectors: 'pending', why: expect.stringContaining('out of memory') },
    ])
  })

  test('[E2] control: no other message of the page is taken for a failure', async () => {
    const over = await openOverDead()
    for (const problem of [undefined, null, 7, {}]) over.report(problem)
    expect(await degraded(over)).not.toMatch(/embedding worker/)
  })
})
