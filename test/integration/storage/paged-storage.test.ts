/**
 * Tests the engine over storage that keeps its commits in a byte store, as in IndexedDB: the store is killed and made
 * to fail at every single write, its bytes are flipped and cut, and forgotten text is searched in every byte.
 */
import { describe, expect, test } from 'vitest'
import { RecallError } from '../../../src/core/model/errors.ts'
import type { EngineOptions } from '../../../src/protocol/engine-options.ts'
import type { EngineEvent } from '../../../src/protocol/events.ts'
import { createEngineOver, type Engine } from '../../../worker/engine/engine.ts'
import { first } from '../../../worker/sqlite/database.ts'
import { decodeFrame, encodeFrame } from '../../../worker/storage/indexeddb/frame.ts'
import { type LogLimits, logLimits } from '../../../worker/storage/indexeddb/page-log.ts'
import { createRandom } from '../../support/data/random.ts'
import { engineOptions } from '../../support/stores/engine-options.ts'
import { createMemoryByteStore, type MemoryByteStore } from '../../support/stores/memory-byte-store.ts'
import { openPaged, shortLimits } from '../../support/stores/open-paged.ts'

const options: EngineOptions = {
  ...engineOptions,
  name: 'paged',
  storage: 'indexeddb',
  runtime: 'worker',
  space: { name: 'eight', dimensions: 8 },
}
/** ms; each test opens a database for every write of a script. */
const slow = 120_000
const context = { now: Date.UTC(2026, 0, 1) }

interface Opened {
  readonly engine: Engine
  readonly events: EngineEvent[]
  put(...ids: readonly string[]): Promise<void>
  forget(id: string): Promise<void>
  ids(): Promise<readonly string[]>
  /** Null, or what is wrong inside. */
  fault(): Promise<string | null>
  close(): Promise<void>
}

async function open(bytes: MemoryByteStore, limits: LogLimits = shortLimits): Promise<Opened> {
  const storage = await openPaged(bytes, limits)
  const engine = createEngineOver(storage, options, null)
  await storage.flush?.()
  const events: EngineEvent[] = []
  engine.subscribe((event) => events.push(event))
  const ids = async () =>
    (await engine.call('list', { filter: { limit: 1000 } }, context)).items.map(({ id }) => id).toSorted()
  return {
    engine,
    events,
    put: async (...given) => void (await engine.call('put', { batch: given.map(recordOf) }, context)),
    forget: async (id) => void (await engine.call('forget', { ids: [id] }, context)),
    ids,
    async fault() {
      const integrity = first(storage.database, 'PRAGMA integrity_check', [], (row) => row.text(0))
      if (integrity !== 'ok') return integrity ?? 'no answer'
      storage.database.execute(`INSERT INTO record_fts (record_fts, rank) VALUES ('integrity-check', 1)`)
      for (const id of await ids()) {
        const byText = await engine.call('recall', { query: { text: `canary${id}`, limit: 1 } }, context)
        const byVector = await engine.call('recall', { query: { vector: vectorOf(id), limit: 1 } }, context)
        if (byText.hits[0]?.id !== id || byVector.hits[0]?.id !== id) return `${id} is not found`
      }
      return null
    },
    close: async () => void (await engine.call('close', {}, context)),
  }
}

function recordOf(id: string) {
  return { id, title: `record ${id}`, body: `canary${id} `.repeat(40), vectors: vectorOf(id) }
}

function vectorOf(id: string): Float32Array {
  const random = createRandom([...id].reduce((sum, character) => sum * 31 + character.charCodeAt(0), 7))
  return Float32Array.from({ length: 8 }, () => random.next() - 0.5)
}

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
    for (let at = 1; at <= writes; at++) {
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
      if (at % 5 === 0) expect(await heir.fault()).toBeNull()
      await heir.put('afterwards')
      expect(await heir.ids()).toContain('afterwards')
    }
    // Both outcomes occur; otherwise the kill would be in the wrong place.
    expect(outcomes.inFlight).toBeGreaterThan(4)
    expect(outcomes.acknowledged).toBeGreaterThan(writes / 3)
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
    // The first three writes are those of the opening. Every second one after them, because each try opens two stores.
    for (let at = 4; at <= whole.writes(); at += 2) {
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
    expect(refused).toBeGreaterThan(7)
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

describe('hostile bytes', () => {
  /** A store with two generations and a journal after them. */
  async function makeStore() {
    const bytes = createMemoryByteStore()
    const opened = await open(bytes)
    const ids = Array.from({ length: 16 }, (_, i) => `r${i}`)
    for (const id of ids) await opened.put(id)
    await opened.close()
    expect([...bytes.values.keys()]).toEqual(expect.arrayContaining(['a/head', 'b/head', 'state/1']))
    return { bytes, ids: JSON.stringify(ids.toSorted()) }
  }

  test('[P1] flips, cuts, removals and swaps of any value give the same records, or STORE_CORRUPT', {
    timeout: slow,
  }, async () => {
    const { bytes, ids } = await makeStore()
    const random = createRandom(20_261_122)
    const keys = [...bytes.values.keys()]
    const counts = { right: 0, corrupt: 0, degraded: 0 }
    for (let mutant = 0; mutant < 120; mutant++) {
      const copy = bytes.copy()
      for (let wounds = 1 + (mutant % 3); wounds > 0; wounds--) wound(copy, keys[random.below(keys.length)]!, random)
      try {
        const storage = await openPaged(copy, shortLimits)
        const engine = createEngineOver(storage, options, null)
        const { items } = await engine.call('list', { filter: { limit: 100 } }, context)
        expect(JSON.stringify(items.map(({ id }) => id).toSorted()), `mutant ${mutant}`).toBe(ids)
        counts.right += 1
        if (storage.degraded.length > 0) counts.degraded += 1
      } catch (error) {
        if (!(error instanceof RecallError)) throw error
        expect(error.code, `mutant ${mutant}`).toBe('STORE_CORRUPT')
        counts.corrupt += 1
      }
    }
    expect(Math.min(counts.right, counts.corrupt, counts.degraded)).toBeGreaterThan(10)
  })

  test('[P1] [P2] with the newer generation destroyed, the older one and the journal give everything, and the status says so', async () => {
    const { bytes, ids } = await makeStore()
    const heads = ['a', 'b'].map((slot) => ({
      slot,
      sequence:
        decodeFrame<{ sequence: number }>(`${slot}/head`, bytes.values.get(`${slot}/head`))?.header.sequence ?? 0,
    }))
    const newer = heads.toSorted((left, right) => right.sequence - left.sequence)[0]?.slot
    ;(bytes.values.get(`${newer}/0`) as Uint8Array)[500]! ^= 1
    const opened = await open(bytes)
    expect(JSON.stringify(await opened.ids())).toBe(ids)
    const { degraded } = await opened.engine.call('status', {}, context)
    expect(degraded.join()).toMatch(/damaged/)
    // And it heals: the next generations are complete again.
    for (let i = 0; i < 20; i++) await opened.put(`heal${i}`)
    await opened.close()
    expect((await (await open(bytes)).engine.call('status', {}, context)).degraded).toEqual([])
  })

  test('[E1] a log of a later format gives STORE_NEWER, and nothing is changed', async () => {
    const { bytes } = await makeStore()
    for (const key of ['state/1', 'state/2']) {
      const state = decodeFrame<object>(key, bytes.values.get(key))?.header
      bytes.values.set(key, encodeFrame(key, { ...state, format: 99 }).bytes)
    }
    const writes = bytes.writes()
    await expect(open(bytes)).rejects.toMatchObject({ code: 'STORE_NEWER' })
    expect(bytes.writes()).toBe(writes)
  })
})

function wound(bytes: MemoryByteStore, key: string, random: ReturnType<typeof createRandom>): void {
  const value = bytes.values.get(key)
  if (value === undefined) return
  const kind = random.below(4)
  if (kind === 0) value[random.below(value.length)]! ^= 1 << random.below(8)
  else if (kind === 1) bytes.values.set(key, value.slice(0, random.below(value.length)))
  else if (kind === 2) bytes.values.delete(key)
  else {
    const others = [...bytes.values.keys()]
    const other = others[random.below(others.length)]!
    const theirs = bytes.values.get(other)!
    bytes.values.set(key, theirs)
    bytes.values.set(other, value)
  }
}

describe('[W3] erasure', () => {
  const holds = (bytes: MemoryByteStore, needle: string) =>
    [...bytes.values.values()].reduce(
      (sum, value) => sum + Buffer.from(value).toString('latin1').split(needle).length - 1,
      0,
    )

  test('forgotten text is in no byte of journal and generations', async () => {
    const bytes = createMemoryByteStore()
    const opened = await open(bytes)
    for (let i = 0; i < 12; i++) await opened.put(`x${i}`, `y${i}`)
    expect(holds(bytes, 'canaryx3')).toBeGreaterThan(0)
    await opened.forget('x3')
    expect(holds(bytes, 'canaryx3')).toBe(0)
    expect(holds(bytes, 'canaryy3')).toBeGreaterThan(0)
    expect([...bytes.values.keys()].filter((key) => key.startsWith('batch/'))).toEqual([])
    expect(await opened.fault()).toBeNull()
    expect(await (await open(bytes.copy())).fault()).toBeNull()
  })

  test('after a kill between forgetting and erasing, the next opening erases', async () => {
    const whole = createMemoryByteStore()
    const opened = await open(whole)
    for (let i = 0; i < 12; i++) await opened.put(`x${i}`)
    const before = whole.copy()
    let finished = 0
    for (let at = 1; at < 40; at += 2) {
      const bytes = before.copy()
      const victim = await open(bytes)
      const from = bytes.writes()
      bytes.dieAt(from + at, true)
      const done = await Promise.race([
        victim.forget('x3').then(() => true),
        until(() => bytes.hasDied()).then(() => false),
      ])
      finished += Number(done)
      const after = bytes.copy()
      const heir = await open(after)
      expect(await heir.ids(), `write ${at}`).not.toContain('x3')
      expect(holds(after, 'canaryx3'), `write ${at}`).toBe(0)
    }
    expect(finished).toBeGreaterThan(0)
    expect(finished).toBeLessThan(19)
  })

  test('a forget that is sent again because its erasing failed erases', async () => {
    const bytes = createMemoryByteStore()
    const opened = await open(bytes)
    for (let i = 0; i < 12; i++) await opened.put(`x${i}`)
    const forget = () => opened.engine.call('forget', { ids: ['x3'] }, { ...context, operation: 'once' })
    // The journal accepts the entry, then every write fails.
    bytes.failAt(bytes.writes() + 2, 'QUOTA_EXCEEDED', true)
    await expect(forget()).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' })
    expect(await opened.ids()).not.toContain('x3')
    expect(holds(bytes, 'canaryx3')).toBeGreaterThan(0)
    bytes.failAt(0)
    const revision = (await opened.engine.call('status', {}, context)).revision
    expect(await forget()).toMatchObject({ forgotten: ['x3'], missing: [], revision })
    expect(holds(bytes, 'canaryx3')).toBe(0)
    expect(await opened.fault()).toBeNull()
  })

  test('an import that replaces leaves nothing of the replaced records', async () => {
    const other = await open(createMemoryByteStore())
    await other.put('theirs')
    const { bytes: exportedBytes } = await other.engine.call('exportPart', { export: 'e', part: 0 }, context)
    const bytes = createMemoryByteStore()
    const opened = await open(bytes)
    for (let i = 0; i < 12; i++) await opened.put(`x${i}`)
    const importAll = async (mode: 'merge' | 'replace') => {
      await opened.engine.call('importPart', { import: mode, at: 0, bytes: exportedBytes }, context)
      await opened.engine.call('finishImport', { import: mode, mode }, context)
    }
    await importAll('merge')
    expect(holds(bytes, 'canaryx3'), 'control: a merge keeps what is there').toBeGreaterThan(0)
    await importAll('replace')
    expect(await opened.ids()).toEqual(['theirs'])
    expect(holds(bytes, 'canaryx')).toBe(0)
    expect(holds(bytes, 'canarytheirs')).toBeGreaterThan(0)
    expect([...bytes.values.keys()].filter((key) => key.startsWith('batch/'))).toEqual([])
  })

  test('control: without the erasing the text is in the journal or in a generation', async () => {
    const bytes = createMemoryByteStore()
    const storage = await openPaged(bytes, shortLimits)
    const engine = createEngineOver({ ...storage, checkpoint: async () => storage.flush?.() }, options, null)
    await engine.call('put', { batch: [recordOf('x3')] }, context)
    await engine.call('forget', { ids: ['x3'] }, context)
    expect(holds(bytes, 'canaryx3')).toBeGreaterThan(0)
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

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve))
}
