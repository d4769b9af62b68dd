/** Checks that a round ends whatever its transport does: nothing, too much, or something else [E3]. */
import { describe, expect, test } from 'vitest'
import { precomputed } from '../../../src/embedders/index.ts'
import { openRecall } from '../../../src/index.ts'
import { memoryTransport, replicate, type Transport } from '../../../src/replicate/index.ts'
import { createSeal } from '../../../src/replicate/seal.ts'
import { key, openDevice, openStore } from './replicated-devices.ts'

const never = () => new Promise<never>(() => undefined)

/** A transport with one blob of another device. */
async function sharedBlob() {
  const shared = memoryTransport()
  const { recall, replication } = await openDevice(shared)
  await recall.put({ id: 'x', body: 'A jay' })
  await replication.sync()
  return shared
}

async function storeWithRecord() {
  const recall = await openStore()
  await recall.put({ id: 'own', body: 'An owl' })
  return recall
}

const hanging: readonly (readonly [string, Partial<Transport>])[] = [
  ['list', { list: never }],
  ['get', { get: never }],
  ['put', { put: never }],
]

describe('replicate with a transport that never answers', () => {
  // control: without the deadline of guardTransport these tests run until their time limit.
  test.each(hanging)('%s: the round fails at the deadline [E3]', async (method, part) => {
    const recall = await storeWithRecord()
    const transport = { ...(await sharedBlob()), ...part }
    const replication = replicate(recall, { transport, key, everyMs: null, deadlineMs: 50 })
    await expect(replication.sync()).rejects.toMatchObject({
      code: 'DEADLINE_EXCEEDED',
      message: expect.stringContaining(method),
    })
    await replication.stop()
    expect(await recall.count()).toBe(method === 'put' ? 2 : 1)
  })

  test.each(hanging)('%s: stop aborts the request and resolves [E3]', async (method, part) => {
    const recall = await storeWithRecord()
    const shared = await sharedBlob()
    const signals: (AbortSignal | undefined)[] = []
    let hasBegun = () => {}
    const begun = new Promise<void>((resolve) => {
      hasBegun = resolve
    })
    const transport = {
      ...shared,
      [method]: (...given: readonly unknown[]) => {
        signals.push((given.at(-1) as { readonly signal?: AbortSignal }).signal)
        hasBegun()
        return (part as Record<string, () => Promise<never>>)[method]!()
      },
    } as Transport
    const replication = replicate(recall, { transport, key, everyMs: 1_000 })
    const running = replication.sync()
    void running.catch(() => undefined)
    await begun
    await replication.stop()
    await expect(running).rejects.toMatchObject({ code: 'CLOSED' })
    expect(signals.length).toBeGreaterThan(0)
    expect(signals.every((signal) => signal?.aborted)).toBe(true)
  })

  test('stop resolves after the last put and the last change of the store', async () => {
    const recall = await storeWithRecord()
    const shared = await sharedBlob()
    let isImported = false
    const slow = {
      exportTo: recall.exportTo,
      status: recall.status,
      importFrom: (async (...given) => {
        const imported = await recall.importFrom(given[0], given[1])
        await new Promise((resolve) => setTimeout(resolve, 50))
        isImported = true
        return imported
      }) as typeof recall.importFrom,
    }
    const calls: string[] = []
    let hasRead = () => {}
    const read = new Promise<void>((resolve) => {
      hasRead = resolve
    })
    const transport: Transport = {
      ...shared,
      get: (name) => shared.get(name).finally(hasRead),
      put: (...given) => {
        calls.push('put')
        return shared.put(...given)
      },
    }
    const replication = replicate(slow, { transport, key, everyMs: null })
    const running = replication.sync()
    void running.catch(() => undefined)
    await read
    await new Promise((resolve) => setTimeout(resolve, 20))
    await replication.stop()
    const before = calls.length
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(calls.length).toBe(before)
    expect(isImported).toBe(await recall.get('x').then((record) => record !== undefined))
  })
})

describe('replicate with a transport that answers something else', () => {
  test.each<[string, string, Partial<Record<keyof Transport, () => unknown>>]>([
    ['list', 'an array', { list: () => [['a', 'b']] }],
    ['list', 'nothing', { list: () => undefined }],
    ['list', 'an etag that is an object', { list: () => new Map([['s1-64-00', {}]]) }],
    ['list', 'an etag that is NaN', { list: () => new Map([['s1-64-00', Number.NaN]]) }],
    ['list', 'a name that is a number', { list: () => new Map([[1, 'a']]) }],
    ['get', 'an empty object', { get: () => ({}) }],
    ['get', 'no bytes', { get: () => ({ bytes: null, etag: 'a' }) }],
    ['get', 'text', { get: () => 'text' }],
    ['get', 'numbers', { get: () => ({ bytes: [1, 2], etag: 'a' }) }],
    ['get', 'no etag', { get: () => ({ bytes: new Uint8Array(300) }) }],
    ['get', 'a buffer', { get: () => ({ bytes: new ArrayBuffer(300), etag: 'a' }) }],
    ['put', 'nothing', { put: () => undefined }],
    ['put', 'true', { put: () => true }],
  ])('%s: %s is refused by name, and changes nothing', async (method, _, part) => {
    const recall = await storeWithRecord()
    const shared = await sharedBlob()
    const before = [...shared.blobs]
    const transport = { ...shared, ...part } as Transport
    const replication = replicate(recall, { transport, key, everyMs: null })
    await expect(replication.sync()).rejects.toMatchObject({
      name: 'RecallError',
      code: 'INVALID_CONFIG',
      field: `options.transport.${method}`,
    })
    expect(await recall.count()).toBe(method === 'put' ? 2 : 1)
    expect([...shared.blobs]).toEqual(before)
  })

  test('a transport that throws at once rejects the round', async () => {
    const transport = {
      ...memoryTransport(),
      list: () => {
        throw new Error('down')
      },
    }
    await expect(replicate(await openStore(), { transport, key, everyMs: null }).sync()).rejects.toThrow('down')
  })

  test('a blob that is too large is neither read nor written', async () => {
    const shared = await sharedBlob()
    const recall = await storeWithRecord()
    const replication = replicate(recall, { transport: shared, key, everyMs: null, maxBlobBytes: 300 })
    await expect(replication.sync()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
    const empty = memoryTransport()
    const writing = replicate(recall, { transport: empty, key, everyMs: null, maxBlobBytes: 300 })
    await expect(writing.sync()).rejects.toMatchObject({ code: 'INVALID_CONFIG', field: 'options.maxBlobBytes' })
    expect(empty.blobs.size).toBe(0)
  })

  test.each([new Uint8Array(0), new Uint8Array(1).fill(1), new Uint8Array(20).fill(1)])(
    'a blob of a few bytes is refused (%#)',
    async (bytes) => {
      const shared = memoryTransport()
      shared.blobs.set('s1-64-00', { bytes, etag: 'a' })
      await expect(
        replicate(await openStore(), { transport: shared, key, everyMs: null }).sync(),
      ).rejects.toMatchObject({ code: 'INVALID_CONFIG', field: 'options.key' })
    },
  )

  test.each(['', 'SCRUBJAY', 'something else'])('an encrypted blob with the content %j is refused', async (content) => {
    const shared = memoryTransport()
    const seal = await createSeal(key)
    shared.blobs.set('s1-64-00', { bytes: await seal.seal('s1-64-00', new TextEncoder().encode(content)), etag: 'a' })
    await expect(replicate(await openStore(), { transport: shared, key, everyMs: null }).sync()).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      field: 'options.transport',
    })
  })
})

describe('replicate with vectors', () => {
  test('the vectors of an app are found on the other device', async () => {
    const shared = memoryTransport()
    const open = async (name: string) => {
      const recall = await openRecall({ name, storage: 'memory', embedder: precomputed(4, 'app') })
      return { recall, replication: replicate(recall, { transport: shared, key, everyMs: null }) }
    }
    const [a, b] = [await open('vectors-a'), await open('vectors-b')]
    await a.recall.put([
      { id: 'east', body: 'One text', vectors: Float32Array.of(1, 0, 0, 0) },
      { id: 'north', body: 'Other words', vectors: Float32Array.of(0, 1, 0, 0) },
    ])
    await a.replication.sync()
    await b.replication.sync()
    expect((await b.recall.status()).vectors).toEqual((await a.recall.status()).vectors)
    const { hits } = await b.recall.recall({ vector: Float32Array.of(0, 1, 0, 0), limit: 1 })
    expect(hits.map(({ id }) => id)).toEqual(['north'])
    await Promise.all([a.recall.close(), b.recall.close()])
  })
})
