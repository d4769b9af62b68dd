/** Checks rounds of replication: what they read and write, and how they meet wrong blobs, keys and transports. */
import { describe, expect, test, vi } from 'vitest'
import { memoryTransport, replicate, type StoredBlob, type Transport } from '../../../src/replicate/index.ts'
import { contentOf, key, nothing, openDevice, openStore } from './replicated-devices.ts'

describe('replicate', () => {
  test('a blob that could not be merged is read again, and not written over', async () => {
    const shared = memoryTransport()
    const a = await openDevice(shared)
    await a.recall.put({ id: 'x', body: 'A jay' })
    await a.replication.sync()
    const recall = await openStore()
    await recall.put(Array.from({ length: 200 }, (_, i) => ({ id: `own${i}`, body: `text ${i}` })))
    let isFull = true
    const failing = {
      exportTo: recall.exportTo,
      status: recall.status,
      importFrom: ((...given) =>
        isFull ? Promise.reject(new Error('disk full')) : recall.importFrom(...given)) as typeof recall.importFrom,
    }
    const replication = replicate(failing, { transport: shared, key, everyMs: null })
    const before = [...shared.blobs]
    await expect(replication.sync()).rejects.toThrow('disk full')
    await expect(replication.sync()).rejects.toThrow('disk full')
    expect([...shared.blobs]).toEqual(before)
    isFull = false
    expect(await replication.sync()).toMatchObject({ inserted: 1 })
  })

  test('a write that another device overtook is repeated in the same round', async () => {
    const shared = memoryTransport()
    const [a, b] = [await openDevice(shared), await openDevice(shared)]
    await a.recall.put({ id: 'x', body: 'A jay' })
    await b.recall.put({ id: 'x', body: 'A magpie' })
    let isFirst = true
    const transport: Transport = {
      ...shared,
      async put(...given) {
        if (isFirst) await b.replication.sync()
        isFirst = false
        return shared.put(...given)
      },
    }
    const replication = replicate(a.recall, { transport, key, everyMs: null })
    expect(await replication.sync()).toMatchObject({ pulled: 1 })
    await b.replication.sync()
    expect(await contentOf(b)).toBe(await contentOf(a))
    const refusing = replicate(a.recall, { transport: { ...shared, put: async () => null }, key, everyMs: null })
    await a.recall.put({ id: 'x', body: 'An owl' })
    await expect(refusing.sync()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
  })

  test('a round without changes reads no export', async () => {
    const { recall } = await openDevice(memoryTransport())
    await recall.put({ id: 'x', body: 'A jay' })
    let exports = 0
    const counted = {
      importFrom: recall.importFrom,
      status: recall.status,
      exportTo: (options: object) => {
        exports++
        return recall.exportTo(options)
      },
    }
    const replication = replicate(counted, { transport: memoryTransport(), key, everyMs: null })
    await replication.sync()
    const before = exports
    expect(await replication.sync()).toEqual(nothing)
    expect(exports).toBe(before)
  })

  test('a transport that lists something else, and a page without WebCrypto, are named', async () => {
    const { recall } = await openDevice(memoryTransport())
    const transport = { ...memoryTransport(), list: () => ({}) as never }
    await expect(replicate(recall, { transport, key, everyMs: null }).sync()).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      field: 'options.transport.list',
    })
    vi.stubGlobal('crypto', {})
    const start = () => replicate(recall, { transport: memoryTransport(), key, everyMs: null })
    expect(start).toThrow(expect.objectContaining({ code: 'STORAGE_UNAVAILABLE' }))
    vi.unstubAllGlobals()
  })

  test('exchanged blobs are refused', async () => {
    const shared = memoryTransport()
    const a = await openDevice(shared)
    await a.recall.put(Array.from({ length: 50 }, (_, i) => ({ id: `r${i}`, body: `text ${i}` })))
    await a.replication.sync()
    const [[one, first], [two, second]] = [...shared.blobs] as [[string, StoredBlob], [string, StoredBlob]]
    shared.blobs.set(one, { ...second, etag: 'one' })
    shared.blobs.set(two, { ...first, etag: 'two' })
    await expect(a.replication.sync()).rejects.toMatchObject({ code: 'INVALID_CONFIG', field: 'options.key' })
  })

  test('a change of each device is a conflict, which onConflict resolves on both', async () => {
    const shared = memoryTransport()
    const [a, b] = [await openDevice(shared), await openDevice(shared)]
    await a.recall.put({ id: 'list', body: 'Bread' })
    await a.replication.sync()
    await b.replication.sync()
    await a.recall.put({ id: 'list', body: 'Bread, milk' })
    await b.recall.put({ id: 'list', body: 'Bread, eggs' })
    await a.replication.sync()
    const both = replicate(b.recall, {
      transport: shared,
      key,
      everyMs: null,
      onConflict: (mine, theirs) => ({ ...mine, body: [mine.body, theirs.body].sort().join('; ') }),
    })
    expect(await both.sync()).toMatchObject({ conflicts: 1 })
    expect(await a.replication.sync()).toMatchObject({ updated: 1, conflicts: 0 })
    expect((await a.recall.get('list'))?.body).toBe('Bread, eggs; Bread, milk')
    expect(await contentOf(b)).toBe(await contentOf(a))
    expect(await both.sync()).toEqual(nothing)
  })

  test('a blob that was deleted is written again', async () => {
    const shared = memoryTransport()
    const { recall, replication } = await openDevice(shared)
    await recall.put({ id: 'x', body: 'A jay' })
    await replication.sync()
    shared.blobs.clear()
    expect(await replication.sync()).toMatchObject({ pushed: 1 })
  })

  test('a wrong key changes nothing', async () => {
    const shared = memoryTransport()
    const a = await openDevice(shared)
    await a.recall.put({ id: 'x', body: 'A jay' })
    await a.replication.sync()
    const other = await openStore()
    const replication = replicate(other, { transport: shared, key: new Uint8Array(32).fill(1), everyMs: null })
    await expect(replication.sync()).rejects.toMatchObject({ code: 'INVALID_CONFIG', field: 'options.key' })
    expect(await other.count()).toBe(0)
    const [name, blob] = [...shared.blobs][0]!
    shared.blobs.set(name, { bytes: blob.bytes.with(40, blob.bytes[40]! ^ 1), etag: 'damaged' })
    await expect(a.start().sync()).rejects.toMatchObject({ code: 'INVALID_CONFIG' })
  })

  test('the timer starts rounds, reports failures, and stops', async () => {
    const shared = memoryTransport()
    const recall = await openStore()
    await recall.put({ id: 'x', body: 'A jay' })
    const errors: unknown[] = []
    let isDown = true
    const transport: Transport = {
      ...shared,
      list: () => (isDown ? Promise.reject(new Error('down')) : shared.list()),
    }
    const pushed: number[] = []
    const running = replicate(recall, {
      transport,
      key,
      everyMs: 1_000,
      onError: (error) => errors.push(error),
      onRound: (report) => pushed.push(report.pushed),
    })
    await expect.poll(() => errors.length).toBe(1)
    isDown = false
    await expect.poll(() => pushed, { timeout: 20_000 }).toEqual([1])
    await running.stop()
    await expect(running.sync()).rejects.toMatchObject({ code: 'CLOSED' })
    await recall.close()
  })

  test.each<[string, object]>([
    ['options.key', { key: new Uint8Array(16) }],
    ['options.key', { key: new Uint8Array(32) }],
    ['options.everyMs', { everyMs: 10 }],
    ['options.deadlineMs', { deadlineMs: 0 }],
    ['options.deadlineMs', { deadlineMs: 2 ** 31 }],
    ['options.maxBlobBytes', { maxBlobBytes: '1' }],
    ['options.maxBlobBytes', { maxBlobBytes: 2 ** 30 + 1 }],
    ['options.transport.put', { transport: { list() {}, get() {} } }],
    ['options.onError', { onError: 1 }],
    ['options.onConflict', { onConflict: 1 }],
  ])('rejects a wrong %s', async (field, wrong) => {
    const recall = await openStore()
    const options = { transport: memoryTransport(), key, everyMs: null, ...wrong } as never
    expect(() => replicate(recall, options)).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG', field }))
    expect(() => replicate({} as never, options)).toThrow(expect.objectContaining({ field: 'store' }))
  })
})
