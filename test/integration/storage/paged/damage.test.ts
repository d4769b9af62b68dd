/** Checks stores in pages against damaged and removed values: the same records, or a typed error. */
import { describe, expect, test } from 'vitest'
import { RecallError } from '../../../../src/core/model/errors.ts'
import { createEngineOver } from '../../../../worker/engine/engine.ts'
import { decodeFrame, encodeFrame } from '../../../../worker/storage/indexeddb/frame.ts'
import { createRandom } from '../../../support/data/random.ts'
import { createMemoryByteStore, type MemoryByteStore } from '../../../support/stores/memory-byte-store.ts'
import { openPaged, shortLimits } from '../../../support/stores/open-paged.ts'
import { context, open, options, slow } from './paged-store.ts'

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
