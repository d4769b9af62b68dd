/**
 * Tests options that change with an app's releases: opening a store with other options applies them to its content,
 * completely or not at all.
 */
import { afterEach, describe, expect, test } from 'vitest'
import { recallError } from '../../../src/core/model/errors.ts'
import { openRecall, type Recall } from '../../../src/index.ts'
import type { EngineOptions } from '../../../src/protocol/engine-options.ts'
import type { EngineEvent } from '../../../src/protocol/events.ts'
import { createEngineOver } from '../../../worker/engine/engine.ts'
import type { OpenStorage } from '../../../worker/storage/common/port.ts'
import { dump } from '../../support/stores/dump.ts'
import { engineOptions } from '../../support/stores/engine-options.ts'
import { createMemoryByteStore } from '../../support/stores/memory-byte-store.ts'
import { startOfTime } from '../../support/stores/open-engine.ts'
import { asDevice, type OpenedOver, openOver } from '../../support/stores/open-over.ts'
import { openPaged } from '../../support/stores/open-paged.ts'
import { exported, imported } from '../../support/stores/portable.ts'
import { createWorld, type World } from '../../support/tabs-world.ts'

const words = ['running', 'runs', 'ran', 'acorns', 'acorn', 'hiding', 'hides', '松鸦', 'jay', 'winter']
const batch = Array.from({ length: 60 }, (_, i) => ({
  id: `r${i}`,
  title: `Note ${i}`,
  body: `${words[i % words.length]} and ${words[(i * 7 + 3) % words.length]} in the ${words[(i * 3 + 1) % words.length]}`,
  tags: [`t${i % 3}`],
  metadata: { a: i % 4, b: `v${i % 5}`, list: [1], nothing: null, flag: i % 2 === 0 },
}))
const questions = ['running acorns', 'hide', '松鸦', 'note 7', 'winter jay']

/** All stores have the same device id, so that equal histories give equal exports. */
async function filled(options: Partial<EngineOptions>): Promise<OpenedOver> {
  const over = asDevice(await openOver(options), 'one device')
  await over.call('put', { batch })
  // A store with a history: replaced and forgotten records leave traces in the index.
  await over.call('put', {
    batch: batch.slice(0, 20).map((record) => ({ ...record, body: `${record.body} once more` })),
  })
  await over.call('forget', { ids: ['r3', 'r33'] })
  return over
}

/** Results that must not depend on how the store got its options. */
async function answers(over: OpenedOver, scope: object = {}) {
  const found = []
  for (const text of questions) {
    const { hits, evidence, plan, ledger } = await over.call('recall', {
      query: { text, scope, limit: 20, ledger: true },
    })
    found.push({ hits, evidence, plan, ledger })
  }
  return found
}

describe('options other than those the store was created with', () => {
  const kinds: readonly [string, Partial<EngineOptions>, Partial<EngineOptions>, object][] = [
    ['one key more', { metadataKeys: ['a'] }, { metadataKeys: ['a', 'b'] }, { metadata: { b: 'v2' } }],
    ['other keys', { metadataKeys: ['a', 'b'] }, { metadataKeys: ['flag'] }, { metadata: { flag: true } }],
    ['no keys', { metadataKeys: ['a', 'b'] }, { metadataKeys: [] }, {}],
    ['no stemmer', { stemmer: 'porter' }, { stemmer: 'none' }, {}],
    ['a stemmer', { stemmer: 'none' }, { stemmer: 'porter' }, { tags: { any: ['t1'] } }],
    [
      'both',
      { stemmer: 'none', metadataKeys: ['a'] },
      { stemmer: 'porter', metadataKeys: ['b'] },
      { metadata: { b: 'v1' } },
    ],
  ]

  test.each(kinds)('[V3] [D3] %s: answers like a store created with them', async (_name, before, after, scope) => {
    const changed = (await filled(before)).reopen(after)
    const fresh = await filled(after)
    expect(await answers(changed, scope)).toEqual(await answers(fresh, scope))
    expect((await answers(changed, scope)).some(({ hits }) => hits.length > 0)).toBe(true)
    expect(await changed.call('integrityCheck', {})).toMatchObject({ ok: true, problems: [] })
    expect(await changed.call('status', {})).toMatchObject({ settings: expect.objectContaining(after) })
    expect(Buffer.from(await exported(changed)).equals(Buffer.from(await exported(fresh)))).toBe(true)
    // And later writes use them.
    await changed.call('put', {
      batch: [{ id: 'later', body: 'acorns later', metadata: { a: 9, b: 'v9', flag: true } }],
    })
    await changed.call('forget', { ids: ['r5'] })
    expect(await changed.call('integrityCheck', {})).toMatchObject({ ok: true })
  })

  test('control: the answers do depend on the options', async () => {
    const porter = await answers(await filled({ stemmer: 'porter' }))
    expect(await answers(await filled({ stemmer: 'none' }))).not.toEqual(porter)
    const keys = (await filled({ metadataKeys: ['a'] })).reopen()
    await expect(answers(keys, { metadata: { b: 'v2' } })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: 'scope.metadata.b',
      hint: expect.stringMatching(/Open the store with metadataKeys .*Declared keys: a\./),
    })
  })

  test('that are absent leave the store unchanged', async () => {
    const over = await filled({ stemmer: 'none', metadataKeys: ['a'] })
    const before = dump(over.database)
    const silent = over.reopen({ stemmer: undefined, metadataKeys: undefined })
    expect(await silent.call('status', {})).toMatchObject({ settings: { stemmer: 'none', metadataKeys: ['a'] } })
    expect(over.reopen({ metadataKeys: ['a'] }).engine.settings()).toEqual({
      stemmer: 'none',
      metadataKeys: ['a'],
      languages: ['en'],
    })
    expect(dump(over.database)).toBe(before)
  })

  test('keep vectors, learned values and links', async () => {
    const over = await openOver({ space: { name: 's', dimensions: 2 }, stemmer: 'porter' })
    await over.call('put', {
      batch: [
        { id: 'a', body: 'running', vectors: Float32Array.of(1, 0) },
        { id: 'b', body: 'runs' },
      ],
    })
    await over.call('link', { a: 'a', b: 'b', weight: 0.5 })
    const changed = over.reopen({ stemmer: 'none' })
    expect((await changed.call('recall', { query: { vector: Float32Array.of(1, 0) } })).hits[0]?.id).toBe('a')
    expect(await changed.call('linked', { id: 'a' })).toMatchObject([{ id: 'b', weight: 0.5 }])
  })

  test('are reported as progress while the store opens', async () => {
    const { database } = await filled({ metadataKeys: [] })
    const told: EngineEvent[] = []
    createEngineOver(
      storageOver(database),
      { ...engineOptions, stemmer: 'none', metadataKeys: ['a'] },
      null,
      undefined,
      undefined,
      {
        tell: (event) => told.push(event),
      },
    )
    expect(told).toEqual([0, 58, 116].map((done) => ({ type: 'progress', operation: 'options', done, total: 116 })))
  })

  test('an import from a store with other options still reports how they differ', async () => {
    const bytes = await exported(await filled({ metadataKeys: ['a', 'b'], stemmer: 'none' }))
    const other = await openOver({ metadataKeys: ['b'], stemmer: 'porter' })
    expect((await imported(other, bytes, 'merge')).differing).toEqual(['stemmer', 'metadataKeys'])
    expect(await answers(other.reopen({ metadataKeys: ['b', 'a'], stemmer: 'none' }))).toEqual(
      await answers(await filled({ metadataKeys: ['a', 'b'], stemmer: 'none' })),
    )
  })
})

/** Storage around a database that the test breaks. */
function storageOver(database: OpenStorage['database']): OpenStorage {
  const usage = async () => ({ persisted: null, quotaBytes: null, usageBytes: null })
  const nothing = async () => undefined
  return {
    kind: 'memory',
    durability: 'memory',
    database,
    degraded: [],
    checkpoint: () => undefined,
    usage,
    close: nothing,
    destroy: nothing,
  }
}

describe('interrupted changes', () => {
  test('an interruption at any statement leaves the old store or the new one', async () => {
    const old = await filled({ metadataKeys: ['a'] })
    const [before, changed] = [
      await answers(old),
      await answers(await filled({ stemmer: 'none', metadataKeys: ['b'] })),
    ]
    const { database } = old
    let statements = 0
    for (let cutAt = 1; ; cutAt = Math.ceil(cutAt * 1.6)) {
      statements = 0
      const cut = {
        ...database,
        execute(...given: Parameters<typeof database.execute>) {
          statements += 1
          if (statements === cutAt) throw new Error('power lost')
          return database.execute(...given)
        },
      }
      const open = () =>
        createEngineOver(storageOver(cut), { ...engineOptions, stemmer: 'none', metadataKeys: ['b'] }, null)
      let isCut = false
      try {
        open()
      } catch (error) {
        isCut = true
        expect(error).toMatchObject({ message: 'power lost' })
      }
      if (!isCut) break
      const after = old.reopen({ stemmer: undefined, metadataKeys: undefined })
      expect(after.engine.settings()).toEqual({ stemmer: 'porter', metadataKeys: ['a'], languages: ['en'] })
      expect(await answers(after)).toEqual(before)
    }
    expect(statements).toBeGreaterThan(50)
    expect(await answers(old.reopen({ stemmer: 'none', metadataKeys: ['b'] }))).toEqual(changed)
  })

  test('[P3] on a full disk the store opens with the old options and says so', async () => {
    const old = await filled({ metadataKeys: ['a'] })
    const before = await answers(old)
    const { database } = old
    const full = {
      ...database,
      execute(...given: Parameters<typeof database.execute>) {
        if (/INSERT INTO metadata_values/.test(given[0])) throw recallError('QUOTA_EXCEEDED', 'the store is full')
        return database.execute(...given)
      },
    }
    const engine = createEngineOver(storageOver(full), { ...engineOptions, metadataKeys: ['a', 'b'] }, null)
    expect(engine.settings()).toEqual({ stemmer: 'porter', metadataKeys: ['a'], languages: ['en'] })
    const { degraded } = await engine.call('status', {}, { now: startOfTime })
    expect(degraded).toContainEqual(expect.stringMatching(/^metadataKeys: the store keeps its previous values.*full/))
    expect(await answers(old.reopen({ metadataKeys: undefined }))).toEqual(before)
  })

  test('[P3] [P1] a commit that cannot be made durable leaves the old options, and status reports it', async () => {
    const bytes = createMemoryByteStore()
    const open = async (options: Partial<EngineOptions>) => {
      const engine = createEngineOver(await openPaged(bytes), { ...engineOptions, ...options }, null)
      await engine.secure()
      return { engine, close: () => engine.call('close', {}, { now: startOfTime }) }
    }
    const first = await open({ metadataKeys: ['a'] })
    await first.engine.call('put', { batch }, { now: startOfTime })
    await first.close()
    bytes.failAt(bytes.writes() + 1)
    const second = await open({ metadataKeys: ['a', 'b'] })
    expect(second.engine.settings().metadataKeys).toEqual(['a'])
    const status = await second.engine.call('status', {}, { now: startOfTime })
    expect(status.degraded).toContainEqual(expect.stringMatching(/^metadataKeys: the store keeps/))
    expect(status.records).toBe(60)
    await second.close()
    const third = await open({ metadataKeys: ['a', 'b'] })
    expect(third.engine.settings().metadataKeys).toEqual(['a', 'b'])
    await third.close()
  })
})

describe('between openers', () => {
  let world: World | undefined
  const opened: Recall[] = []
  afterEach(async () => {
    for (const recall of opened.splice(0)) await recall.close()
    await world?.end()
    world = undefined
  })

  test('another tab that has the store open with other options refuses; one without options follows', async () => {
    world = await createWorld()
    await world.tab({ metadataKeys: ['a'], stemmer: 'porter' })
    const refused = (field: string) => ({ code: 'INVALID_CONFIG', field })
    await expect(world.tab({ metadataKeys: ['a', 'b'] })).rejects.toMatchObject(refused('metadataKeys'))
    await expect(world.tab({ stemmer: 'none' })).rejects.toMatchObject(refused('stemmer'))
    const silent = await world.tab({ metadataKeys: undefined, stemmer: undefined })
    expect(await silent.call('status', {})).toMatchObject({ settings: { metadataKeys: ['a'] } })
    await expect(world.tab({ metadataKeys: ['a'], stemmer: 'porter' })).resolves.toBeDefined()
  })

  test('the same page does so too, by the options of the store and not by those of its first opener', async () => {
    const open = async (options: object) => {
      const recall = await openRecall({ name: 'settings', embedder: null, ...options })
      opened.push(recall)
      return recall
    }
    await open({ metadataKeys: ['b', 'a'] })
    await open({ metadataKeys: ['a', 'b'] })
    await open({})
    await open({ stemmer: 'porter' })
    const refused = { code: 'INVALID_CONFIG', field: 'metadataKeys' }
    await expect(open({ metadataKeys: ['a'] })).rejects.toMatchObject(refused)
    await expect(open({ stemmer: 'none' })).rejects.toMatchObject({ code: 'INVALID_CONFIG', field: 'stemmer' })
  })
})
