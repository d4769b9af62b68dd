/**
 * Tests context packages as an app requests them: cues embedded with the text, the ledger written out, the receipt
 * acknowledged.
 */
import { afterAll, expect, it } from 'vitest'
import { openRecall, type Recall } from '../../../src/index.ts'

const now = Date.UTC(2026, 5, 1)
const open: Recall[] = []
afterAll(() => Promise.all(open.map((recall) => recall.close())))

it('a package is assembled, read and acknowledged', async () => {
  const recall = await openRecall({ name: 'client-assemble', embedder: null, now: () => now })
  open.push(recall)
  await recall.put([
    { id: 'a', body: 'the dam at the lake' },
    { id: 'b', body: 'the lake in winter' },
    { id: 'c', body: 'mend the dam', pressureRate: 1, createdAt: now - 86_400_000, updatedAt: now - 86_400_000 },
  ])
  const made = await recall.assemble({ cues: { place: 'lake' }, format: 'content', maxItems: 2, reserveProactive: 1 })
  expect(made.formatted).toBe('- the lake in winter\n- mend the dam')
  expect(made.ledger).toEqual([{ id: 'a', reason: 'beyond maxItems 2', stage: 'items' }])
  expect(made.metadata.timingMs).toBeGreaterThan(0)
  await recall.acknowledge(made.receipt, { b: 'used' })
  expect(await recall.proposals({})).toEqual([{ id: 'c', scope: '{}', reason: 'proactive', createdAt: now }])
  expect(await recall.assess({ cues: { place: 'lake' } })).toMatchObject({ avgConfidence: 0.5 })
  await expect(recall.assemble({ format: 'yaml' as never })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
})

it('an app’s own embedder gets text and cues in one call', async () => {
  const asked: string[] = []
  const embedder = {
    space: 'counted',
    dimensions: 2,
    async embed(texts: readonly string[], role: 'query' | 'document') {
      if (role === 'query') asked.push(...texts)
      return texts.map((text) => Float32Array.of(text.includes('lake') ? 1 : 0, 0.5))
    },
  }
  const recall = await openRecall({ name: 'client-embeds', embedder, now: () => now })
  open.push(recall)
  await recall.put([{ id: 'a', body: 'the lake' }])
  const { records, plan } = await recall.assemble({ text: 'where', cues: { place: 'lake' } })
  expect(asked).toEqual(['where\nlake'])
  expect(plan.channels.vector.ran).toBe(true)
  expect(records.map(({ id }) => id)).toEqual(['a'])
})
