/** Tests `openRecall` in Node over the real engine: options, sharing, and one walk through every method. */
import { afterEach, describe, expect, test } from 'vitest'
import { resolveOptions } from '../../../src/client/link/resolve-options.ts'
import { precomputed, staticEmbedder } from '../../../src/embedders/index.ts'
import { type OpenOptions, openRecall, policies, type Recall } from '../../../src/index.ts'

const opened: Recall[] = []

async function open(options?: OpenOptions): Promise<Recall> {
  const recall = await openRecall(options)
  opened.push(recall)
  return recall
}

afterEach(async () => {
  for (const recall of opened.splice(0)) await recall.close()
})

describe('options', () => {
  const node = { isNode: true, hasWorkers: false }
  const page = { isNode: false, hasWorkers: true }

  test('have defaults, all in one place', () => {
    expect(resolveOptions({}, page)).toMatchObject({
      engine: {
        name: 'default',
        storage: 'auto',
        runtime: 'worker',
        policy: 'balanced',
        // The names that the store uses.
        stemmer: undefined,
        metadataKeys: undefined,
        index: 'auto',
        space: { name: 'minilm-static-128', dimensions: 128 },
      },
      embedder: null,
      builtIn: { table: undefined },
      now: expect.any(Function),
      assets: {},
    })
    expect(resolveOptions({ name: undefined }, node).engine).toMatchObject({ runtime: 'inline', storage: 'auto' })
  })

  test('[E1] a worker is refused where there is none, with INVALID_CONFIG, the field and a hint', () => {
    const nowhere = { isNode: false, hasWorkers: false }
    expect(() => resolveOptions({}, nowhere)).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG', field: 'runtime', hint: expect.stringMatching(/page/) }),
    )
    expect(resolveOptions({ runtime: 'worker' }, node).engine.runtime).toBe('worker')
  })

  test('distinguish the built-in embedder, the app’s own and none', () => {
    const table = new URL('https://cdn.example/table.bin')
    expect(resolveOptions({ embedder: staticEmbedder({ table }) }, page).builtIn).toEqual({ table })
    expect(resolveOptions({ assets: { embedding: table } }, page).builtIn).toEqual({ table })
    expect(resolveOptions({ embedder: null }, page)).toMatchObject({ builtIn: null, engine: { space: null } })
    const own = precomputed(3, 'mine')
    expect(resolveOptions({ embedder: own }, page)).toMatchObject({
      builtIn: null,
      embedder: own,
      engine: { space: { name: 'mine', dimensions: 3 } },
    })
  })

  test.each<[string, unknown, string]>([
    ['an unknown option', { storge: 'memory' }, 'storge'],
    ['no object', 'memory', 'options'],
    ['a blank name', { name: ' ' }, 'name'],
    ['an endless name', { name: 'x'.repeat(201) }, 'name'],
    ['an unknown storage', { storage: 'disk' }, 'storage'],
    ['an unknown runtime', { runtime: 'thread' }, 'runtime'],
    ['an unknown index', { index: 'ivf' }, 'index'],
    ['an unknown stemmer', { stemmer: 'snowball' }, 'stemmer'],
    ['a clock that is none', { now: 5 }, 'now'],
    ['metadata keys that are not a list', { metadataKeys: 'a' }, 'metadataKeys'],
    ['metadata keys twice', { metadataKeys: ['a', 'a'] }, 'metadataKeys[1]'],
    ['an embedder without a space', { embedder: { dimensions: 3, embed: async () => [] } }, 'embedder.space'],
    [
      'an embedder of no dimensions',
      { embedder: { space: 'a', dimensions: 0, embed: async () => [] } },
      'embedder.dimensions',
    ],
    ['an embedder that embeds nothing at all', { embedder: { space: 'a', dimensions: 3 } }, 'embedder.embed'],
    ['an unknown asset', { assets: { wasm: new URL('https://a.example') } }, 'assets.wasm'],
    ['an asset that is not a URL', { assets: { kernel: '/kernel.wasm' } }, 'assets.kernel'],
  ])('[E1] %s is refused with INVALID_CONFIG, the field and a hint', async (_, options, field) => {
    await expect(openRecall(options as OpenOptions)).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      field,
      hint: expect.stringMatching(/\w/),
    })
  })

  test('[E1] a malformed policy is refused', async () => {
    const field = 'policy'
    await expect(openRecall({ policy: 'wise' as never })).rejects.toMatchObject({ code: 'INVALID_POLICY', field })
    await expect(openRecall({ policy: { name: 'half' } as never })).rejects.toMatchObject({ code: 'INVALID_POLICY' })
  })

  test.each(['opfs', 'indexeddb'] as const)(
    '[E1] %s is refused in Node: a named storage is never replaced by another',
    async (storage) => {
      await expect(openRecall({ storage })).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE', field: 'storage' })
    },
  )

  test('[E1] a clock that stops returning the time is refused when it is read', async () => {
    const recall = await open({ now: () => Number.NaN })
    await expect(recall.count()).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', field: 'now' })
  })
})

describe('one store', () => {
  test('is one engine, however often it is opened; the last close ends it', async () => {
    const [a, b] = await Promise.all([open({ name: 'shared' }), open({ name: 'shared' })])
    const { records } = await a.put({ id: 'x', title: 'Seen by both' })
    expect(records[0]?.outcome).toBe('inserted')
    expect((await b.get('x'))?.title).toBe('Seen by both')
    await a.close()
    await expect(a.get('x')).rejects.toMatchObject({ code: 'CLOSED' })
    expect((await b.get('x'))?.title).toBe('Seen by both')
    const closing = b.close()
    const again = await open({ name: 'shared' })
    await closing
    expect(await again.get('x')).toBeUndefined()
  })

  test('is a different one under a different name', async () => {
    const [a, b] = [await open({ name: 'one' }), await open({ name: 'two' })]
    await a.put({ id: 'x', title: 'Here' })
    expect(await b.get('x')).toBeUndefined()
  })

  test('has a clock and a policy per opener', async () => {
    const a = await open({ name: 'mixed', now: () => 1_000 })
    const shy = { ...policies.balanced, name: 'shy', defaultLimit: 1 }
    const b = await open({ name: 'mixed', now: () => 2_000, policy: shy })
    await a.put({ id: 'x', title: 'alpha first' })
    await b.put({ id: 'y', title: 'alpha second' })
    expect((await a.get(['x', 'y'])).map((record) => record?.createdAt)).toEqual([1_000, 2_000])
    expect((await a.recall('alpha')).hits).toHaveLength(2)
    expect((await b.recall('alpha')).hits).toHaveLength(1)
  })

  test.each<[string, OpenOptions]>([
    ['embedder', { embedder: null }],
    ['stemmer', { stemmer: 'none' }],
    ['metadataKeys', { metadataKeys: ['team'] }],
    ['index', { index: 'hnsw' }],
    ['authority', { authority: { rules: 'R', tiers: [{ id: 'canonical' }] } }],
  ])('[E1] refuses a second opener with a different %s', async (field, options) => {
    const first = await open({ name: 'firm', index: 'exact' })
    await expect(openRecall({ name: 'firm', ...options })).rejects.toMatchObject({ code: 'INVALID_CONFIG', field })
    await open({ name: 'firm', storage: 'memory', index: 'auto' })
    expect(await first.count()).toBe(0)
  })

  test('closes for every opener when one destroys it, and is empty when opened again', async () => {
    const [a, b] = [await open({ name: 'gone' }), await open({ name: 'gone' })]
    await a.put({ id: 'x', title: 'Here' })
    await b.destroy()
    await expect(a.count()).rejects.toMatchObject({ code: 'CLOSED' })
    await expect(b.destroy()).rejects.toMatchObject({ code: 'CLOSED' })
    expect(await (await open({ name: 'gone' })).count()).toBe(0)
  })

  test('can be opened after an opening that failed', async () => {
    const field = 'assets.embedding'
    await expect(openRecall({ name: 'late', policy: {} as never })).rejects.toMatchObject({ code: 'INVALID_POLICY' })
    const assets = { embedding: new URL('file:///no/such/table.bin') }
    const lost = await open({ name: 'late', assets, embedderFailure: 'reject' })
    await expect(lost.put({ title: 'text' })).rejects.toMatchObject({ code: 'INVALID_CONFIG', field })
    await lost.close()
    await (await open({ name: 'late' })).put({ title: 'text' })
  })
})

describe('the methods', () => {
  test('[W3] walk from put to verifyForgotten', async () => {
    const recall = await open({ now: () => 1_000 })
    const receipt = await recall.put([
      { id: 'a', title: 'How to compile the worker', tags: ['build'], project: 'p' },
      { id: 'b', title: 'Apple pie', tags: ['food'] },
    ])
    expect(receipt.records.map(({ outcome }) => outcome)).toEqual(['inserted', 'inserted'])
    expect(await recall.count()).toBe(2)
    expect(await recall.count({ project: 'p' })).toBe(1)
    expect(await recall.tags()).toEqual(expect.arrayContaining([{ tag: 'build', count: 1 }]))
    expect((await recall.list({ limit: 1 })).items).toHaveLength(1)
    await recall.patch('b', { summary: 'with cinnamon' })
    expect(await recall.get('b')).toMatchObject({ title: 'Apple pie', summary: 'with cinnamon' })
    expect((await recall.get(['b', 'none', 'a'])).map((record) => record?.id)).toEqual(['b', undefined, 'a'])

    const { hits, plan, tookMs } = await recall.recall('building the program', { signal: new AbortController().signal })
    expect(hits[0]?.id).toBe('a')
    expect(plan.channels.vector.ran).toBe(true)
    expect(tookMs).toBeGreaterThan(0)
    expect((await recall.recall({ text: 'cinnamon', limit: 1 })).hits.map(({ id }) => id)).toEqual(['b'])

    expect((await recall.forget('a')).forgotten).toEqual(['a'])
    expect((await recall.verifyForgotten('a')).clean).toBe(true)
    expect((await recall.forget({ tags: { any: ['food'] } })).forgotten).toEqual(['b'])
    expect(await recall.status()).toMatchObject({ records: 0, runtime: 'inline', backend: 'memory' })
  })

  test('[E1] pass on the engine’s errors with field and value', async () => {
    const recall = await open()
    await expect(recall.recall({ limit: 0 })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: expect.stringContaining('limit'),
      value: '0',
    })
    await expect(recall.put({} as never)).rejects.toMatchObject({ code: 'INVALID_RECORD' })
    await expect(recall.put(null as never)).rejects.toMatchObject({ code: 'INVALID_RECORD' })
    await expect(recall.recall(undefined!)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
    await expect(recall.list({ cursor: 'x' })).rejects.toMatchObject({ code: 'INVALID_CURSOR' })
  })

  test('work by words alone, and with vectors of the app’s own', async () => {
    const words = await open({ name: 'words', embedder: null })
    await words.put({ id: 'a', title: 'alpha' })
    expect((await words.recall('alpha')).plan.channels.vector.ran).toBe(false)

    const own = await open({ name: 'own', embedder: precomputed(2, 'mine') })
    const vector = new Float32Array([1, 0])
    await own.put([
      { id: 'near', title: 'one', vectors: vector },
      { id: 'far', title: 'two', vectors: new Float32Array([0, 1]) },
      { id: 'bare', title: 'three' },
    ])
    expect((await own.recall({ vector })).hits[0]?.id).toBe('near')
    expect((await own.recall('three')).hits[0]?.id).toBe('bare')
    expect(vector.length).toBe(2)
  })

  test('ignore what a caller later changes in its records', async () => {
    const recall = await open()
    const record = { id: 'a', title: 'before', tags: ['x'] }
    const putting = recall.put(record)
    record.title = 'after'
    record.tags.push('y')
    await putting
    expect(await recall.get('a')).toMatchObject({ title: 'before', tags: ['x'] })
  })
})

test('importing the package changes no global', async () => {
  const before = Object.getOwnPropertyNames(globalThis).sort()
  await import('../../../src/index.ts')
  await import('../../../src/core/index.ts')
  await import('../../../src/embedders/index.ts')
  expect(Object.getOwnPropertyNames(globalThis).sort()).toEqual(before)
})
