import { afterEach, expect, test } from 'vitest'
import { openRecall, type Recall } from '../../../src/index.ts'

const open: Recall[] = []
afterEach(async () => {
  for (const recall of open.splice(0)) await recall.destroy()
})

async function openWithRecord(): Promise<Recall> {
  const recall = await openRecall({ name: `sets-${open.length}`, embedder: null })
  open.push(recall)
  await recall.put({ id: 'a', body: 'ship on Friday', tags: ['team'], reasons: [{ code: 'mandatory' }] })
  return recall
}

test('each set is replaced as a whole, and nothing else changes', async () => {
  const recall = await openWithRecord()
  await recall.setReasons('a', [{ code: 'current_task', weight: 0.5 }, { code: 'user_pinned' }])
  await recall.setRisks('a', [{ flag: 'mandatory_context_missing' }])
  await recall.setRelations('a', [{ kind: 'follows', target: 'b' }])
  expect(await recall.get('a')).toMatchObject({
    body: 'ship on Friday',
    tags: ['team'],
    reasons: [
      { code: 'current_task', weight: 0.5 },
      { code: 'user_pinned', weight: 1 },
    ],
    risks: [{ flag: 'mandatory_context_missing', severity: 'block' }],
    relations: [{ kind: 'follows', target: 'b' }],
  })
  await recall.setReasons('a', [])
  expect((await recall.get('a'))?.reasons).toEqual([])
  expect((await recall.get('a'))?.risks).toHaveLength(1)
})

test('[E1] an unknown code is refused with the nearest known one, and nothing changes', async () => {
  const recall = await openWithRecord()
  await expect(recall.setReasons('a', [{ code: 'mandatry' }])).rejects.toMatchObject({
    code: 'UNKNOWN_REASON_CODE',
    field: 'reasons[0].code',
    hint: expect.stringContaining('mandatory'),
  })
  await expect(recall.setRisks('a', [{ flag: 'governance' }])).rejects.toMatchObject({ code: 'UNKNOWN_RISK_FLAG' })
  await expect(recall.setReasons('nobody', [])).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', field: 'id' })
  expect((await recall.get('a'))?.reasons).toEqual([{ code: 'mandatory', weight: 1 }])
})

test('list filters by reason and by risk', async () => {
  const recall = await openWithRecord()
  await recall.put({ id: 'b', body: 'rest on Sunday', risks: [{ flag: 'governance_applies' }] })
  const idsOf = async (filter: Parameters<Recall['list']>[0]) => (await recall.list(filter)).items.map(({ id }) => id)
  expect(await idsOf({ reason: 'mandatory' })).toEqual(['a'])
  expect(await idsOf({ risk: ['governance_applies', 'raw_logs_deferred'] })).toEqual(['b'])
  expect(await idsOf({ reason: 'user_pinned' })).toEqual([])
})
