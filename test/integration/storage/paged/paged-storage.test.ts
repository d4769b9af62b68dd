/**
 * Tests the engine over storage that keeps its commits in a byte store, as in IndexedDB: the store is killed and made
 * to fail at every single write.
 */
import { describe, expect, test } from 'vitest'
import { RecallError } from '../../../../src/core/model/errors.ts'
import { decodeFrame, encodeFrame } from '../../../../worker/storage/indexeddb/frame.ts'
import { logLimits } from '../../../../worker/storage/indexeddb/page-log.ts'
import { sizedTo } from '../../../support/data/sized.ts'
import { createMemoryByteStore } from '../../../support/stores/memory-byte-store.ts'
import { context, open, type Opened, slow, until } from './paged-store.ts'

/** Every third write, of both parities; in a long run every write. */
const stride = sizedTo(3, 1)

interface Progress {
  acknowledged: string[]
  /** What is stored if the write under way was in fact carried out. */
  inFlight: string[]
}

/** Puts, groups of puts and forgets, enough of them for several generations. */
async function runScript(opened: Opened, progress: Progress): Promise<void> {
  const step = async (after: readonly string[], work: () => Promise<void>) => {
    progress.inFlight = [...after].toSorted()
    await work()
    progress.acknowledged = progress.inFlight
  }
  for (let i = 0; i < 14; i++) {
    const now = progress.acknowledged
    if (i % 5 === 4) {
      const id = now[i % now.length]!
      await step(
        now.filter((one) => one !== id),
        () => opened.forget(id),
      )
    } else {
      const ids = i % 3 === 0 ? [`a${i}`, `b${i}`, `c${i}`] : [`d${i}`]
      await step([...now, ...ids], () => opened.put(...ids))
    }
  }
}

describe('a store that is killed', () => {
  test('[P1] at any write, carried out or not: every acknowledged record is there, the one in flight is complete or absent', {
    timeout: slow,
  }, async () => {
    const whole = createMemoryByteStore()
    await runScript(await open(whole), { acknowledged: [], inFlight: [] })
    const writes = whole.writes()
    expect(writes).toBeGreaterThan(40)
    const outcomes = { acknowledged: 0, inFlight: 0 }
    for (let at = 1; at <= writes; at += stride) {
      // The write before was carried out, or this one was not: both leave the same bytes, so each write is met both
      // ways.
      const isWritten = at % 2 === 0
      const bytes = createMemoryByteStore()
      bytes.dieAt(at, isWritten)
      const progress: Progress = { acknowledged: [], inFlight: [] }
      const script = open(bytes).then((opened) => runScript(opened, progress))
      await Promise.race([script, until(() => bytes.hasDied())])
      const heir = await open(bytes.copy())
      const found = JSON.stringify(await heir.ids())
      const { acknowledged, inFlight } = progress
      expect([JSON.stringify(acknowledged), JSON.stringify(inFlight)], `write ${at}, ${isWritten}`).toContain(found)
      outcomes[found === JSON.stringify(acknowledged) ? 'acknowledged' : 'inFlight'] += 1
      if ((at / stride) % 5 < 1) expect(await heir.fault()).toBeNull()
      await heir.put('afterwards')
      expect(await heir.ids()).toContain('afterwards')
    }
    // Both outcomes occur; otherwise the kill would be in the wrong place.
    expect(outcomes.inFlight).toBeGreaterThan(4 / stride)
    expect(outcomes.acknowledged).toBeGreaterThan(writes / (3 * stride))
  })

  test('[P1] control: a journal whose end is not proven silently loses acknowledged records', async () => {
    const bytes = createMemoryByteStore()
    const opened = await open(bytes, logLimits)
    for (const id of ['one', 'two', 'three']) await opened.put(id)
    const last = Math.max(...[...bytes.values.keys()].flatMap((key) => Number(/^batch\/(\d+)$/.exec(key)?.[1] ?? 0)))
    const previous = decodeFrame<{ previous: string }>(`batch/${last}`, bytes.values.get(`batch/${last}`))
    bytes.values.delete(`batch/${last}`)
    await expect(open(bytes.copy())).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
    // The loss goes unnoticed only if the state is forged, too.
    for (const key of ['state/1', 'state/2']) {
      const state = { ...decodeFrame<object>(key, bytes.values.get(key))?.header, sequence: last - 1 }
      bytes.values.set(key, encodeFrame(key, { ...state, chain: previous?.header.previous }).bytes)
    }
    expect(await (await open(bytes.copy())).ids()).toEqual(['one', 'two'])
  })
})

describe('a store whose disk is full', () => {
  test('[E1] [P1] at any write, once: a typed error, nothing of it is stored, no event is sent, and the store works again', {
    timeout: slow,
  }, async () => {
    const whole = createMemoryByteStore()
    await runScript(await open(whole), { acknowledged: [], inFlight: [] })
    let refused = 0
    // The first three writes are those of the opening. Some of those after them, because each try opens two stores.
    for (let at = 4; at <= whole.writes(); at += sizedTo(5, 2)) {
      const bytes = createMemoryByteStore()
      const opened = await open(bytes)
      bytes.failAt(at)
      const progress: Progress = { acknowledged: [], inFlight: [] }
      const failure = await runScript(opened, progress).catch((error: unknown) => error)
      if (failure instanceof RecallError) {
        refused += 1
        expect(failure.code).toBe('QUOTA_EXCEEDED')
        // Only a forget may be kept although its erasing failed; then its error has the ids.
        expect([JSON.stringify(progress.acknowledged), JSON.stringify(progress.inFlight)]).toContain(
          JSON.stringify(await opened.ids()),
        )
        const told = opened.events.flatMap((event) => (event.type === 'changed' ? [event.revision] : []))
        const { revision } = await opened.engine.call('status', {}, context)
        expect(Math.max(0, ...told)).toBe(revision)
      } else expect(failure).toBeUndefined()
      const before = await opened.ids()
      await opened.put('afterwards')
      expect(await opened.fault()).toBeNull()
      const heir = await open(bytes.copy())
      expect(await heir.ids()).toEqual([...before, 'afterwards'].toSorted())
    }
    expect(refused).toBeGreaterThan(sizedTo(2, 7))
  })

  test('[E1] a refused put leaves no record, no vector and no posting, and its key may be used again', async () => {
    const bytes = createMemoryByteStore()
    const opened = await open(bytes)
    await opened.put('kept')
    bytes.failAt(bytes.writes() + 1)
    await expect(opened.put('refused')).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' })
    expect(await opened.ids()).toEqual(['kept'])
    const { hits } = await opened.engine.call('recall', { query: { text: 'canaryrefused' } }, context)
    expect(hits.map(({ id }) => id)).not.toContain('refused')
    expect(await opened.engine.call('verifyForgotten', { id: 'refused' }, context)).toMatchObject({ clean: true })
    await opened.put('later')
    expect(await opened.fault()).toBeNull()
    await opened.close()
    expect(await (await open(bytes)).fault()).toBeNull()
  })

  test('[E1] [P1] learning is as durable as storing, and is undone alike', async () => {
    const bytes = createMemoryByteStore()
    const opened = await open(bytes, logLimits)
    await opened.put('one', 'two')
    await opened.engine.call('link', { a: 'one', b: 'two' }, context)
    const heir = await open(bytes.copy())
    expect(await heir.engine.call('linked', { id: 'one' }, context)).toMatchObject([{ id: 'two' }])
    const told = opened.events.length
    bytes.failAt(bytes.writes() + 1)
    const failing = opened.engine.call('strengthen', { a: 'one', b: 'two', delta: 0.5 }, context)
    await expect(failing).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' })
    expect(opened.events).toHaveLength(told)
    expect(await opened.engine.call('linked', { id: 'one' }, context)).toMatchObject([{ weight: 0.1 }])
  })

  test('[E1] for ever: every put is refused, everything else works', async () => {
    const bytes = createMemoryByteStore()
    const opened = await open(bytes)
    await opened.put('kept')
    bytes.failAt(bytes.writes() + 1, 'QUOTA_EXCEEDED', true)
    for (let i = 0; i < 5; i++) await expect(opened.put(`n${i}`)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' })
    expect(await opened.ids()).toEqual(['kept'])
    expect(await opened.fault()).toBeNull()
  })
})

describe('order', () => {
  test('changed is sent when the commit is durable, not before', async () => {
    const bytes = createMemoryByteStore()
    const opened = await open(bytes, logLimits)
    let toldAtWrite = -1
    opened.engine.subscribe((event) => {
      if (event.type === 'changed') toldAtWrite = bytes.writes()
    })
    const before = bytes.writes()
    await opened.put('one')
    expect(toldAtWrite).toBe(before + 1)
  })

  test('[W2] a hundred concurrent puts are one batch of the journal', async () => {
    const bytes = createMemoryByteStore()
    const opened = await open(bytes, logLimits)
    await opened.put('first')
    const before = [...bytes.values.keys()].filter((key) => key.startsWith('batch/')).length
    await Promise.all(Array.from({ length: 100 }, (_, i) => opened.put(`p${i}`)))
    expect([...bytes.values.keys()].filter((key) => key.startsWith('batch/')).length).toBe(before + 1)
  })
})
