/** [H1] Tests that a package spends its budget on the later of two statements, and marks the earlier one with the day of the later. */
import { expect, it } from 'vitest'
import { contextFormats } from '../../../src/core/model/assemble.ts'
import { openEngine, startOfTime } from '../../support/stores/open-engine.ts'

const { call } = await openEngine()
const told = (id: string, body: string, days: number) => ({ id, body, createdAt: startOfTime + days * 86_400_000 })
await call('put', { batch: [told('berlin', 'Anna lives in Berlin.', 0), told('hamburg', 'Anna moved to Hamburg.', 9)] })
const day = new Date(startOfTime + 9 * 86_400_000).toISOString().slice(0, 10)
const text = 'where does Anna live?'

it.each(contextFormats)('%s: the later first, the earlier with its day', async (format) => {
  const { records, formatted } = await call('assemble', { query: { text, format } })
  expect(records.map(({ id }) => id)).toEqual(['hamburg', 'berlin'])
  const [first = '', second = ''] = formatted.split('Berlin')
  expect(first).not.toMatch(/replaced/)
  expect(second).toMatch(new RegExp(`replaced.*${day}`))
})

it('a budget for one holds the later one', async () => {
  const { records } = await call('assemble', { query: { text, format: 'content', maxTokens: 8 } })
  expect(records.map(({ id }) => id)).toEqual(['hamburg'])
})

it('control: without changes the earlier one takes the budget, and nothing is marked', async () => {
  const { records, formatted } = await call('assemble', {
    query: { text, changes: 'off', format: 'content', maxTokens: 8 },
  })
  expect(records.map(({ id }) => id)).toEqual(['berlin'])
  expect(formatted).not.toMatch(/replaced/)
})
