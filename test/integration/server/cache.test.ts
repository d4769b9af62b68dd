/** Tests the files of closed stores: their content cannot be read, they follow the rows, and they are limited. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CallRequest } from '../../../src/protocol/engine-host.ts'
import { resolveServer } from '../../../src/server/common/options.ts'
import { openCache } from '../../../src/server/host/cache.ts'
import { createHost, type Host } from '../../../src/server/host/host.ts'
import { createMetrics } from '../../../src/server/host/metrics.ts'
import { engineOptions } from '../../support/stores/engine-options.ts'
import { type MemoryBlocks, memoryBlocks } from '../../support/stores/memory-blocks.ts'

const database = new TextEncoder().encode('SQLite canary')
const store = { birth: 'one', database }

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'scrubjay-cache-'))))
afterEach(() => rmSync(folder, { recursive: true }))

const files = () => readdirSync(folder).filter((name) => name.endsWith('.scrubjay-cache'))
const options = (changes = {}) => ({ folder, bytes: 1e9, maxAgeMs: 1e9, ...changes })

describe('files of closed stores', () => {
  it('return what they were given once, and can be read by no other user', async () => {
    const cache = await openCache(options())
    await cache.keep('hers', store)
    const [name] = files()
    const path = join(folder, name!)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(name).not.toContain('hers')
    expect(readFileSync(path).includes('canary')).toBe(false)
    expect(await cache.take('his')).toBeUndefined()
    expect(await cache.take('hers')).toEqual(store)
    expect(await cache.take('hers')).toBeUndefined()
    expect(files()).toEqual([])
  })

  it('are limited in bytes and age, the oldest are deleted first', async () => {
    const cache = await openCache(options({ bytes: 2 * database.length, maxAgeMs: 30 }))
    for (const tenant of ['a', 'b', 'c']) await cache.keep(tenant, store)
    expect(files()).toHaveLength(2)
    expect(await cache.take('a')).toBeUndefined()
    await cache.keep('large', { birth: null, database: new Uint8Array(1_000) })
    expect(await cache.take('large')).toBeUndefined()
    expect(await cache.take('c')).toEqual(store)
    await new Promise((resolve) => setTimeout(resolve, 60))
    await cache.expire()
    expect(files()).toEqual([])
  })

  it('are deleted when a server starts and closes, other files stay', async () => {
    await (await openCache(options())).keep('left', store)
    writeFileSync(join(folder, 'of-the-operator'), '')
    const cache = await openCache(options())
    expect(files()).toEqual([])
    await cache.keep('a', store)
    await cache.close()
    await cache.keep('b', store)
    expect(readdirSync(folder)).toEqual(['of-the-operator'])
  })

  it('that were changed on the disk are left aside', async () => {
    const cache = await openCache(options())
    await cache.keep('a', store)
    writeFileSync(join(folder, files()[0]!), new Uint8Array(64))
    expect(await cache.take('a')).toBeUndefined()
  })
})

describe('a host with files of closed stores', () => {
  const shared = new Map<string, MemoryBlocks>()
  const blocks = (tenant: string) => {
    const found = shared.get(tenant) ?? memoryBlocks()
    shared.set(tenant, found)
    return found
  }
  const open = async (hasCache: boolean) => {
    const server = resolveServer({ postgres: '', tokens: {}, openStores: 1 })
    const cache = hasCache ? await openCache(options()) : undefined
    const parts = { blocks, engine: engineOptions, embedding: null, extensions: undefined }
    return createHost(server, { ...parts, metrics: createMetrics(), cache })
  }
  let sent = 0
  const ask = async (host: Host, tenant: string, method: CallRequest['method'], request: unknown) => {
    const id = `call ${++sent}`
    const context = { now: Date.UTC(2026, 0, 1), operation: id }
    const reply = await host.call(tenant, { id, method, request, context, deadlineMs: 30_000 })
    if (!reply.ok) throw new Error(reply.error.message)
    return reply.value
  }
  const bodies = async (host: Host, tenant: string) =>
    ((await ask(host, tenant, 'get', { ids: ['a', 'b', 'c'] })) as ({ readonly body: string } | undefined)[]).map(
      (record) => record?.body ?? null,
    )
  const until = async (isTrue: () => boolean) => {
    for (let i = 0; i < 200 && !isTrue(); i++) await new Promise((resolve) => setTimeout(resolve, 10))
    expect(isTrue()).toBe(true)
  }

  it('[N2] [N1] opens a store from its file and the rows since, deletions included', async () => {
    const [near, far] = [await open(true), await open(false)]
    const put = (host: Host, tenant: string, ...ids: string[]) =>
      ask(host, tenant, 'put', { batch: ids.map((id) => ({ id, body: `${tenant} ${id}` })) })
    await put(near, 'hers', 'a', 'b')
    expect(files()).toEqual([])
    await put(near, 'his', 'a')
    await until(() => files().length === 1)
    await ask(far, 'hers', 'forget', { ids: ['a'] })
    await put(far, 'hers', 'c')
    expect(await bodies(near, 'hers')).toEqual([null, 'hers b', 'hers c'])
    expect(await ask(near, 'hers', 'integrityCheck', {})).toMatchObject({ ok: true })
    await until(() => files().length === 1)
    // Deleted and made again by another node, with more revisions than the file has.
    await ask(far, 'his', 'destroy', {})
    for (const id of ['b', 'c', 'b']) await put(far, 'his', id)
    expect(await bodies(near, 'his')).toEqual([null, 'his b', 'his c'])
    await Promise.all([near.close(), far.close()])
    expect(files()).toEqual([])
  })
})
