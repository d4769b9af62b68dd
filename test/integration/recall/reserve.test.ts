/** Tests reserved places for standing requests: what is marked, that hits stay the same, and that marks follow their records. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { RecordInput } from '../../../src/core/model/record.ts'
import { replay } from '../../../src/core/replay.ts'
import { all } from '../../../worker/sqlite/database.ts'
import { startOfTime } from '../../support/stores/open-engine.ts'
import { type OpenedOver, openOver } from '../../support/stores/open-over.ts'

const now = startOfTime
const batch: readonly RecordInput[] = [
  { id: 'fish', body: "I don't eat fish for dinner." },
  { id: 'oven', body: 'I prefer the oven at dinner.' },
  { id: 'oven copy', body: 'I prefer the oven at dinner.' },
  { id: 'diet', kind: 'preference', body: 'Beans are fine for dinner.' },
  { id: 'types', body: 'Always name the dinner recipe.' },
  ...Array.from({ length: 8 }, (_, i) => ({ id: `dinner ${i}`, body: `dinner, dinner and fish dinner ${i}` })),
]

let opened: OpenedOver
beforeEach(async () => {
  opened = await openOver()
  await opened.call('put', { batch }, now)
})

const recall = (query: object) => opened.call('recall', { query: { text: 'fish dinner', ...query } }, now)
const reserve = { kind: 'preference', places: 2 } as const
const marks = () =>
  all(opened.database, `SELECT id, s.kind FROM standing s JOIN records USING (key) ORDER BY id`, [], (row) =>
    [row.text(0), row.text(1)].join(': '),
  )

describe('[S6] reserved places', () => {
  it('hold the first records of that kind by the order of the answer, each content once', async () => {
    const { hits } = await recall({ limit: 20, collapse: 'none' })
    const ranked = hits.map(({ id }) => id).filter((id) => ['fish', 'diet', 'oven'].includes(id) || id === 'oven copy')
    const { reserved } = await recall({ limit: 3, reserve: { ...reserve, places: 4 } })
    expect(reserved?.map(({ id }) => id)).toEqual(
      ranked.filter((id) => id !== ranked.filter((one) => one.startsWith('oven'))[1]),
    )
    expect((await recall({ reserve: { kind: 'instruction', places: 1 } })).reserved?.map(({ id }) => id)).toEqual([
      'types',
    ])
  })

  it('leave the hits as they are, and do not depend on limit and offset', async () => {
    const { reserved: expected } = await recall({ limit: 1, reserve })
    expect(expected).toHaveLength(2)
    for (const paging of [{ limit: 2 }, { limit: 13 }, { limit: 2, offset: 3 }, { limit: 5, ledger: true }]) {
      const plain = await recall(paging)
      const { hits, evidence, reserved, receipt } = await recall({ ...paging, reserve })
      expect(hits).toEqual(plain.hits)
      expect(evidence).toEqual(plain.evidence)
      expect(reserved).toEqual(expected)
      expect(receipt.ids).toEqual([...new Set([...hits, ...expected!].map(({ id }) => id))])
    }
  })

  it('control: without reserve the answer has no such list', async () => {
    expect(await recall({})).not.toHaveProperty('reserved')
  })

  it('[D1] are replayed', async () => {
    const { receipt, facts, tookMs: _, ...answer } = await recall({ limit: 2, reserve, capture: true })
    expect(replay(receipt, facts as never).reserved).toEqual(answer.reserved)
  })

  it('come first in a package, and a larger package only appends', async () => {
    const ids = async (maxItems: number, more: object = { reserve }) =>
      (await opened.call('assemble', { query: { text: 'fish dinner', maxItems, ...more } as never }, now)).records.map(
        ({ id }) => id,
      )
    const reserved = (await recall({ reserve })).reserved?.map(({ id }) => id)
    expect(await ids(2)).toEqual(reserved)
    expect((await ids(6)).slice(0, 4)).toEqual(await ids(4))
    expect((await ids(6)).slice(2)).toEqual((await ids(12, {})).filter((id) => !reserved?.includes(id)).slice(0, 4))
  })

  it.each([
    [{ kind: 'request', places: 1 }, 'query.reserve.kind'],
    [{ places: 1 }, 'query.reserve.kind'],
    [{ kind: 'preference' }, 'query.reserve.places'],
    [{ kind: 'preference', places: 0 }, 'query.reserve.places'],
    [{ kind: 'preference', places: 1, most: 2 }, 'query.reserve.most'],
    [1, 'query.reserve'],
  ])('[E1] %j is refused', async (given, field) => {
    await expect(recall({ reserve: given })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', field })
  })
})

describe('the mark of a request', () => {
  it('follows its record, and is not a reason', async () => {
    expect(marks()).toEqual(['fish: preference', 'oven: preference', 'oven copy: preference', 'types: instruction'])
    await opened.call(
      'put',
      {
        batch: [
          { id: 'fish', body: 'Fish is for dinner.' },
          { id: 'diet', body: 'I hate beans.' },
        ],
      },
      now,
    )
    await opened.call('forget', { ids: ['oven copy'] }, now)
    expect(marks()).toEqual(['diet: preference', 'oven: preference', 'types: instruction'])
    expect((await opened.call('get', { ids: ['oven'] }))[0]?.reasons).toEqual([])
    expect((await opened.call('verifyForgotten', { id: 'oven copy' })).clean).toBe(true)
  })

  it('[V3] is checked and rebuilt', async () => {
    const expected = marks()
    opened.database.execute(`UPDATE standing SET kind = 'instruction'`)
    expect((await opened.call('integrityCheck', {})).problems.join()).toMatch('standing request')
    await opened.call('integrityCheck', { repair: true })
    expect(marks()).toEqual(expected)
    expect(await opened.call('integrityCheck', {})).toMatchObject({ ok: true, problems: [] })
  })
})
