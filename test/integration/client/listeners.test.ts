import { expect, test } from 'vitest'
import { openEngine } from '../../support/stores/open-engine.ts'

test('a listener that throws is reported, and does not make a committed put reject', async () => {
  const { engine, call } = await openEngine()
  const reported = new Promise<unknown>((resolve) => process.once('uncaughtException', resolve))
  engine.subscribe(() => {
    throw new Error('from a listener')
  })
  const receipt = await call('put', { batch: [{ id: 'a', body: 'kept' }] })
  expect(receipt.records[0]?.outcome).toBe('inserted')
  expect(await call('count', { scope: {} })).toBe(1)
  expect(String(await reported)).toContain('from a listener')
})
