/** Checks that forgotten text leaves journal and generations of stores in pages. */
import { describe, expect, test } from 'vitest'
import { createEngineOver } from '../../../../worker/engine/engine.ts'
import { createMemoryByteStore, type MemoryByteStore } from '../../../support/stores/memory-byte-store.ts'
import { openPaged, shortLimits } from '../../../support/stores/open-paged.ts'
import { context, open, options, recordOf, until } from './paged-store.ts'

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
