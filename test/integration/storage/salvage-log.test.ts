/** Checks salvage from the page log: what damaged pages and a damaged journal leave. */
import { describe, expect, test } from 'vitest'
import { createEngineOver } from '../../../worker/engine/engine.ts'
import { salvageOf } from '../../../worker/salvage/salvage-of.ts'
import { initSqlite } from '../../../worker/sqlite/init-sqlite.ts'
import { openDamagedLog } from '../../../worker/storage/recovery/open-damaged.ts'
import { createRandom } from '../../support/data/random.ts'
import { problemsOf, recordsIn } from '../../support/stores/damaged-stores.ts'
import { engineOptions } from '../../support/stores/engine-options.ts'
import { createMemoryByteStore, type MemoryByteStore } from '../../support/stores/memory-byte-store.ts'
import { startOfTime } from '../../support/stores/open-engine.ts'
import { openPaged, shortLimits } from '../../support/stores/open-paged.ts'
import { portableOptions } from '../../support/stores/portable.ts'
import { damage, fill, name, records, slow, tally, told } from './salvaged-stores.ts'

const salvageLog = (bytes: MemoryByteStore) =>
  salvageOf(async () => openDamagedLog(await initSqlite(), name, { keys: bytes.keys, read: bytes.read }))

describe('in the page log', () => {
  test(
    'one damaged value: the same; a generation gives all records that its sound chunks hold',
    async () => {
      const log = createMemoryByteStore()
      const storage = await openPaged(log, shortLimits)
      const { engine, bytes } = await fill(storage)
      await engine.call('close', {}, { now: startOfTime })
      const stood = recordsIn([bytes])
      const whole = await salvageLog(log)
      expect(whole.receipt).toMatchObject({ storage: 'indexeddb', records, unreadable: 0, missingChanges: 0 })
      expect(Buffer.concat([...whole.exportParts()]).equals(bytes)).toBe(true)
      whole.close()

      let behind = 0
      const kept = await tally(24, async (seed) => {
        const random = createRandom(seed)
        const copy = log.copy()
        // All copies of a part of the file: with one generation alone, the journal from the beginning is not needed.
        const generations = [...copy.values.keys()].filter((key) => /^[ab]\/\d+$/.test(key))
        const chunk = random.pick(generations).slice(1)
        const keys = seed % 3 === 0 ? [random.pick([...copy.values.keys()].toSorted())] : [`a${chunk}`, `b${chunk}`]
        for (const key of keys) {
          const value = copy.values.get(key)
          if (value !== undefined) damage(value, 0, value.length, random)
        }
        const stored = [...copy.values]
          .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
          .join('\n')
        let count = 0
        try {
          const salvage = await salvageLog(copy)
          behind += Number(salvage.receipt.missingChanges !== 0)
          // Where the journal ends early, records are in their state of that time: those are not compared.
          if (salvage.receipt.missingChanges === 0) expect(problemsOf(salvage, stood), `seed ${seed}`).toEqual([])
          count = salvage.receipt.records
          salvage.close()
        } catch (error) {
          expect(error, `seed ${seed}`).toMatchObject({ code: 'STORE_CORRUPT' })
        }
        expect(
          [...copy.values].map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`).join('\n'),
        ).toBe(stored)
        expect(copy.writes()).toBe(0)
        return count
      })
      told(`a chunk of the page log (${behind} with an end that is not proven)`, kept)
      expect(kept.mean).toBeGreaterThan(0.6)
    },
    slow,
  )

  test('a damaged journal ends before the damage, and reports how many steps are missing', async () => {
    const log = createMemoryByteStore()
    const storage = await openPaged(log)
    const engine = createEngineOver(storage, { ...engineOptions, ...portableOptions }, null)
    await storage.flush?.()
    for (const id of ['a', 'b', 'c']) await engine.call('put', { batch: [{ id, body: `text of ${id}` }] }, { now: 5 })
    const batches = [...log.values.keys()].filter((key) => key.startsWith('batch/')).length
    const last = log.values.get(`batch/${batches}`) as Uint8Array
    last[last.length >> 1] = last[last.length >> 1]! ^ 1
    const salvage = await salvageLog(log.copy())
    expect(salvage.receipt).toMatchObject({ records: 2, unreadable: 0, missingChanges: 1 })
    expect([...recordsIn(salvage.exportParts()).keys()]).toEqual(['a', 'b'])
    salvage.close()
    await expect(salvageLog(createMemoryByteStore())).rejects.toMatchObject({ code: 'DATA_MISSING' })
  })
})
