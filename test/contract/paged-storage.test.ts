/**
 * Runs the storage contract for the paged storage behind IndexedDB, over a byte store in memory; browsers run it over
 * the real one.
 */
import { describe, test } from 'vitest'
import { storageContract } from '../../src/testing/storage-contract.ts'
import { createMemoryByteStore } from '../support/stores/memory-byte-store.ts'
import { openPaged, shortLimits } from '../support/stores/open-paged.ts'

describe.each([
  ['shipped limits', undefined],
  ['a new generation every few batches', shortLimits],
])('paged storage, %s', (_name, limits) => {
  test.each(storageContract)('$name', async ({ run }) => {
    const stores = new Map<string, ReturnType<typeof createMemoryByteStore>>()
    await run((name) => {
      const bytes = stores.get(name) ?? createMemoryByteStore()
      stores.set(name, bytes)
      return openPaged(bytes, limits)
    })
  })
})
