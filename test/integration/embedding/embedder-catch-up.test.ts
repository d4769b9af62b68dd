/** Checks that vectors are made later: when the embedder works again, at the next opening, in smaller batches. */
import { describe, expect, test, vi } from 'vitest'
import { batch, failing, good, never, openWith } from './failing-embedder.ts'

describe('the catch-up', () => {
  test('[E2] makes the vectors when the embedder works again, reports progress, and leaves the store as if nothing had failed', async () => {
    const { call, timers, embedder, events } = await openWith(failing)
    const many = Array.from({ length: 150 }, (_, i) => ({ id: `r${i}`, body: `record number ${i} about acorns` }))
    await call('put', { batch: many })
    embedder.embed = good
    // Storing a batch takes several turns of the event loop, more on a slow machine.
    await vi.waitFor(
      async () => {
        await timers.advance(10_000)
        expect(await call('status', {})).toMatchObject({ degraded: [], vectors: { current: 150, pending: 0 } })
      },
      { timeout: 20_000 },
    )
    const progress = events.filter((event) => event.type === 'progress')
    expect(progress.length).toBeGreaterThan(2)
    expect(progress.at(-1)).toEqual({ type: 'progress', operation: 'reembed', done: 150, total: 150 })
    expect(events.filter((event) => event.type === 'vectors').at(-1)).toEqual({ type: 'vectors', pending: 0 })
    const fresh = await openWith(good)
    await fresh.call('put', { batch: many })
    const ask = async (from: typeof fresh) => {
      const { hits, evidence, plan } = await from.call('recall', { query: { text: 'record 77 acorns', limit: 20 } })
      return { hits, evidence, plan }
    }
    expect(await ask({ ...fresh, call })).toEqual(await ask(fresh))
    await call('recall', { query: { text: 'acorns' } })
  })

  test('control: while the embedder fails, records remain pending', async () => {
    const { call, timers } = await openWith(failing)
    await call('put', { batch })
    await timers.advance(10_000)
    expect(await call('status', {})).toMatchObject({ vectors: { current: 0, pending: 2 } })
  })

  test('[E2] continues at the next opening', async () => {
    const { call, reopen, timers } = await openWith(failing)
    await call('put', { batch })
    const again = reopen({}, { embed: good as never })
    expect(await again.call('status', {})).toMatchObject({ vectors: { pending: 2 } })
    await timers.advance(0)
    expect(await again.call('status', {})).toMatchObject({ vectors: { pending: 0 } })
  })

  test('[E2] asks a dead embedder less and less often: 1 s, 2 s, 4 s … 5 min', async () => {
    const { call, timers, asked } = await openWith(failing)
    await call('put', { batch })
    const afterMinutes = async (minutes: number) => {
      const before = asked.length
      await timers.advance(minutes * 60_000)
      return asked.length - before
    }
    expect(await afterMinutes(10)).toBeLessThan(20)
    expect(await afterMinutes(60)).toBeLessThanOrEqual(26)
    // A burst of calls does not reach the embedder.
    const before = asked.length
    for (let i = 0; i < 50; i++) await call('recall', { query: { text: `acorns ${i}` } })
    expect(asked.length - before).toBeLessThanOrEqual(1)
  })

  test('[E2] one text that the embedder cannot read delays no other text', async () => {
    const { call, timers, embedder } = await openWith(failing)
    const many = Array.from({ length: 40 }, (_, i) => ({
      id: `r${i}`,
      body: i % 13 === 0 ? `poison ${i}` : `text ${i}`,
    }))
    await call('put', { batch: many })
    embedder.embed = async (texts) =>
      texts.some((text) => text.startsWith('poison')) ? Promise.reject(new Error('cannot read')) : good(texts)
    await timers.advance(600_000)
    expect(await call('status', {})).toMatchObject({
      vectors: { current: 36, pending: 4 },
      degraded: [expect.stringMatching(/cannot read/), expect.stringMatching(/^4 of 40 records wait/)],
    })
    embedder.embed = good
    await timers.advance(600_000)
    expect(await call('status', {})).toMatchObject({ vectors: { current: 40, pending: 0 }, degraded: [] })
  })

  test('[E2] sends a slow embedder smaller batches until it keeps its deadline', async () => {
    const { call, timers, embedder } = await openWith(failing)
    const many = Array.from({ length: 100 }, (_, i) => ({ id: `r${i}`, body: `text ${i}` }))
    await call('put', { batch: many })
    // One second per text: it can do five within its deadline.
    embedder.embed = async (texts) => {
      await new Promise<void>((resolve) => void timers.after(texts.length * 900, resolve))
      return good(texts)
    }
    await timers.advance(3_600_000)
    expect(await call('status', {})).toMatchObject({ vectors: { current: 100, pending: 0 } })
  })

  test('[E2] ends when the store is closed', async () => {
    const { engine, call, timers, embedder, asked } = await openWith(failing)
    await call('put', { batch })
    embedder.embed = never
    await timers.advance(1_500)
    const before = asked.length
    await engine.call('close', {}, { now: 0 })
    await timers.advance(600_000)
    expect(asked.length).toBe(before)
  })
})

test('[E2] with vectors: pending, records are stored at once and embedded afterwards', async () => {
  const { call, timers, asked } = await openWith(good)
  const { records } = await call('put', { batch: [{ id: 'a', body: 'later', vectors: 'pending' }] })
  expect(records[0]).toMatchObject({ outcome: 'inserted', vectors: 'pending' })
  expect(asked).toEqual([])
  await timers.advance(1_000)
  expect(await call('status', {})).toMatchObject({ vectors: { current: 1, pending: 0 } })
})
