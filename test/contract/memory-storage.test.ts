/**
 * Runs the storage contract for the kind that also exists in Node, and tests the choice of storage where there is no
 * OPFS.
 */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { storageContract } from '../../src/testing/storage-contract.ts'
import { initSqlite } from '../../worker/sqlite/init-sqlite.ts'
import { openStorage } from '../../worker/storage/choose-storage.ts'
import { openMemory } from '../../worker/storage/memory.ts'

describe('memory storage', () => {
  test.each(storageContract)('$name', async ({ run }) => {
    const sqlite3 = await initSqlite()
    await run((name) => openMemory(sqlite3, name))
  })
})

describe('the choice of storage without OPFS', () => {
  afterEach(() => vi.restoreAllMocks())

  test('[P2] auto gives memory and the reason', async () => {
    const storage = await openStorage(await initSqlite(), { name: 'a', storage: 'auto' })
    expect(storage.kind).toBe('memory')
    expect(storage.degraded.join(' ')).toMatch(/No opfs storage: .*OPFS.*Nothing is kept/)
    await storage.close()
  })

  test.each(['opfs', 'indexeddb'] as const)('[P2] [E1] named %s is refused, not replaced', async (storage) => {
    await expect(openStorage(await initSqlite(), { name: 'a', storage })).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
    })
  })

  test('SQLite loads once, prints nothing and leaves no global behind', async () => {
    const spies = (['log', 'warn', 'error', 'debug'] as const).map((level) => vi.spyOn(console, level))
    vi.resetModules()
    const fresh = await import('../../worker/sqlite/init-sqlite.ts')
    const [one, two] = await Promise.all([fresh.initSqlite(), fresh.initSqlite()])
    expect(one).toBe(two)
    for (const spy of spies) expect(spy).not.toHaveBeenCalled()
    expect(Object.keys(globalThis).filter((key) => key === 'sqlite3ApiConfig')).toEqual([])
  })

  test('[E1] a missing wasm file gives STORAGE_UNAVAILABLE, and the next attempt may succeed', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    vi.resetModules()
    const fresh = await import('../../worker/sqlite/init-sqlite.ts')
    await expect(fresh.initSqlite({ wasmUrl: 'file:///nowhere/sqlite3.wasm' })).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
    })
    expect((await fresh.initSqlite()).version.libVersion).toBe('3.54.1')
  })
})
