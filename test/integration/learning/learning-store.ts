/** A store of a few records for each test of the importing file, and readers of what it learned. */
import { beforeEach } from 'vitest'
import type { RecordInput } from '../../../src/core/model/record.ts'
import type { Receipt } from '../../../src/core/model/result.ts'
import { first } from '../../../worker/sqlite/database.ts'
import { startOfTime } from '../../support/stores/open-engine.ts'
import { type OpenedOver, openOver } from '../../support/stores/open-over.ts'

export const minute = 60_000
export const day = 86_400_000
export const now = startOfTime + day
export const daily = { periodSeconds: 86_400, amplitude: 1, phaseSeconds: 0 }
export const batch: readonly RecordInput[] = [
  { id: 'a', body: 'the dam at the lake', cycles: [daily], pressureRate: 0.5 },
  { id: 'b', body: 'the lake in winter' },
  { id: 'c', body: 'a dam of sticks', confidence: 0.1 },
  { id: 'd', body: 'beavers build a dam' },
]

export let opened: OpenedOver
export let receipt: Receipt
beforeEach(async () => {
  opened = await openOver()
  await opened.call('put', { batch }, startOfTime)
  receipt = (await opened.call('recall', { query: { text: 'dam lake' } }, now)).receipt
})

export const acknowledge = (of: Receipt | readonly string[], outcomes: Record<string, string>, at = now) =>
  opened.call('acknowledge', { of, outcomes: outcomes as never }, at)
export const confidenceOf = async (id: string) => (await opened.call('get', { ids: [id] }))[0]?.confidence
export const learnedRow = (id: string) =>
  first(
    opened.database,
    `SELECT touched_at, resolved_at, access_count FROM learned JOIN records USING (key) WHERE id = ?`,
    [id],
    (row) => [row.numberOrNull(0), row.numberOrNull(1), row.number(2)],
  )
