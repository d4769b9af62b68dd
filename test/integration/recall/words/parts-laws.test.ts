/** [L1] [D3] [Q4] [V3] [W3] Tests a store whose texts hold words with capitals inside and letters that fold into others. Each law has its control. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { RecallQuery } from '../../../../src/core/model/query.ts'
import type { RecordInput } from '../../../../src/core/model/record.ts'
import { canonicalJson } from '../../../../src/core/text/hash/canonical.ts'
import { all } from '../../../../worker/sqlite/database.ts'
import { proof } from '../../../../worker/retrieval/top-k/proof.ts'
import { createRandom, type Random } from '../../../support/data/random.ts'
import { dump } from '../../../support/stores/dump.ts'
import { type OpenedOver, openOver } from '../../../support/stores/open-over.ts'
import { exported, imported } from '../../../support/stores/portable.ts'

afterEach(() => vi.restoreAllMocks())

const words = (
  'effect useEffect runEffect user getUser getUserName UserNames name names request XMLHttpRequest strasse Straße lodz ' +
  'Łódź rain page of the'
).split(' ')

const space = { name: 'eight', dimensions: 8 }

function text(random: Random, count: number): string {
  return Array.from({ length: count }, () => words[Math.floor(random.next() ** 1.5 * words.length)]!).join(' ')
}

function record(random: Random, id: string, position = 0): RecordInput {
  return {
    id,
    position,
    body: text(random, 2 + random.below(8)),
    project: random.pick(['a', 'b']),
    session: random.pick(['s', 't', 'u']),
    vectors: [{ vector: random.vector(space.dimensions), from: 0, to: 2 }],
    updatedAt: 1e12 + random.below(1e6),
  }
}

async function filled(seed: number, records: number): Promise<OpenedOver> {
  const random = createRandom(seed)
  const over = await openOver({ space })
  await over.call('put', { batch: Array.from({ length: records }, (_, i) => record(random, `r${i}`, i)) })
  return over
}

/** The rows of forms, with the number of records of each part. */
const formsIn = ({ database }: OpenedOver) =>
  all(database, `SELECT key, word, ifnull(records, 0) FROM forms`, [], (row) => [
    row.text(0),
    row.text(1),
    row.number(2),
  ])

async function answer({ call }: OpenedOver, query: RecallQuery): Promise<string> {
  const { hits, evidence, plan, warnings } = await call('recall', { query })
  return canonicalJson(JSON.parse(JSON.stringify({ hits, evidence, plan, warnings })))
}

const questions: readonly RecallQuery[] = [
  { text: 'effect' },
  { text: 'user name', limit: 20 },
  { text: 'names of the request' },
  { text: 'strasse lodz -rain' },
  { text: '"useEffect" page' },
  { text: 'Łódź user', prefix: 'last' },
]

test('[L1] answers from few records equal those from all', async () => {
  const over = await filled(1, 400)
  const random = createRandom(2)
  const holds = vi.spyOn(proof, 'holds')
  let formed = 0
  for (let i = 0; i < 40; i++) {
    const vector = random.vector(space.dimensions)
    const query = { text: text(random, 1 + random.below(3)), vector, limit: 1 + random.below(8) }
    const fast = await answer(over, query)
    expect(fast, query.text).toBe(await answer(over, { ...query, ledger: true }))
    if (/ as (useeffect|runeffect|getuser|usernames|xmlhttprequest|stra|łodz|lodz)/.test(fast)) formed++
  }
  // Control: words with parts were found, and records were left out.
  expect(formed).toBeGreaterThan(10)
  expect(holds.mock.calls.filter(([, , beyond]) => beyond !== null).length).toBeGreaterThan(10)
})

test('[D3] the rows and answers depend on the records alone, not on the order of writes', async () => {
  const random = createRandom(3)
  const over = await openOver({ space })
  const kept = new Map<string, RecordInput>()
  for (let step = 0; step < 60; step++) {
    const ids = Array.from({ length: 1 + random.below(4) }, () => `r${random.below(15)}`)
    if (random.below(4) === 0) {
      await over.call('forget', { ids })
      for (const id of ids) kept.delete(id)
    } else {
      const batch = [...new Set(ids)].map((id) => record(random, id))
      await over.call('put', { batch })
      for (const one of batch) kept.set(one.id!, one)
    }
  }
  const fresh = await openOver({ space })
  await fresh.call('put', { batch: [...kept.values()] })
  expect(formsIn(over)).toEqual(formsIn(fresh))
  expect(
    formsIn(fresh).some(([key]) => key === ' effect'),
    'control: there are rows',
  ).toBe(true)
  const ranked = async ({ call }: OpenedOver, query: RecallQuery) =>
    (await call('recall', { query })).hits.map(({ id, score, reasons, marks }) => ({ id, score, reasons, marks }))
  for (const query of questions) expect(await ranked(over, query)).toEqual(await ranked(fresh, query))
  expect(await over.call('integrityCheck', {})).toMatchObject({ ok: true, problems: [] })
})

test('[Q4] records outside the scope change nothing', async () => {
  const random = createRandom(4)
  const batch = Array.from({ length: 120 }, (_, i) => record(random, `r${i}`))
  const [both, alone] = [await openOver({ space }), await openOver({ space })]
  await both.call('put', { batch })
  await alone.call('put', { batch: batch.filter(({ project }) => project === 'a') })
  const scope = { project: 'a' }
  const hitsOf = async ({ call }: OpenedOver, query: RecallQuery) =>
    (await call('recall', { query })).hits.map(({ id, score, reasons }) => ({ id, score, reasons }))
  for (const query of questions) {
    const own = await hitsOf(alone, query)
    expect(await hitsOf(both, { ...query, scope }), query.text).toEqual(own)
    expect(await hitsOf(both, query), 'control: without the scope').not.toEqual(own)
  }
})

describe('[V3] an integrity check', () => {
  test.each([
    ['a part that is gone', `DELETE FROM forms WHERE key = ' effect'`, 'the vocabulary is not that of the records'],
    [
      'a wrong count',
      `UPDATE forms SET records = records + 1 WHERE key = ' effect'`,
      'the vocabulary is not that of the records',
    ],
    [
      'a part of no record',
      `INSERT INTO forms VALUES (' zebra', 'runzebra', 1)`,
      'the vocabulary is not that of the records',
    ],
    [
      'folded letters that are gone',
      `DELETE FROM forms WHERE key = ' strass'`,
      'the word forms are not those of the vocabulary',
    ],
  ])('finds and rebuilds %s', async (_name, damage, problem) => {
    const over = await filled(5, 60)
    const [rows, before] = [formsIn(over), await Promise.all(questions.map((query) => answer(over, query)))]
    over.database.execute(damage)
    expect(formsIn(over), 'control').not.toEqual(rows)
    expect(await over.call('integrityCheck', {})).toMatchObject({ ok: false, problems: [`derived: ${problem}`] })
    expect(await over.call('integrityCheck', { repair: true })).toMatchObject({ ok: true, derived: 'repaired' })
    expect(formsIn(over)).toEqual(rows)
    expect(await Promise.all(questions.map((query) => answer(over, query)))).toEqual(before)
  })

  test('control: without the rows answers differ', async () => {
    const over = await filled(5, 60)
    const before = await answer(over, questions[0]!)
    over.database.execute(`DELETE FROM forms`)
    expect(await answer(over.reopen(), questions[0]!)).not.toEqual(before)
  })
})

test('[V3] another stemmer at opening gives the rows of a store that was made with it', async () => {
  const over = await filled(6, 60)
  const rows = formsIn(over)
  const changed = over.reopen({ stemmer: 'none' })
  expect(formsIn(changed)).not.toEqual(rows)
  expect(formsIn(changed).some(([key]) => key === ' names')).toBe(true)
  expect(await changed.call('integrityCheck', {})).toMatchObject({ ok: true })
  expect(formsIn(changed.reopen({ stemmer: 'porter' }))).toEqual(rows)
})

test('[W3] forgetting or replacing the last record with a part leaves no byte of it', async () => {
  const over = await filled(7, 20)
  const rows = formsIn(over)
  const holds = (part: string) => {
    const { sqlite3, pointer } = over.database
    return Buffer.from(sqlite3.capi.sqlite3_js_db_export(pointer)).includes(part)
  }
  const canary = 'ofQuokkaCanary xyloßcanary'
  await over.call('put', { batch: [{ id: 'x', body: canary }] })
  await over.call('put', { batch: [{ id: 'y', body: canary }] })
  expect([' quokka', ' canari', 'xylosscanari'].map(holds), 'control: they are there').toEqual([true, true, true])
  await over.call('forget', { ids: ['x'] })
  expect(formsIn(over).filter(([, word]) => word === 'ofquokkacanary')).toEqual([
    [' canari', 'ofquokkacanary', 1],
    [' quokka', 'ofquokkacanary', 1],
  ])
  // The same word without capitals has no parts.
  await over.call('put', { batch: [{ id: 'y', body: 'ofquokkacanary' }] })
  expect(formsIn(over)).toEqual(rows)
  await over.call('forget', { ids: ['y'] })
  expect(['quokka', 'canari', 'xyloss'].map(holds)).toEqual([false, false, false])
  expect(dump(over.database)).not.toContain('quokka')
})

test.each(['replace', 'merge'] as const)('[X1] the rows are found again from an export, mode %s', async (mode) => {
  const source = await filled(8, 40)
  const copy = await openOver({ space })
  await copy.call('put', { batch: [{ id: 'r1', body: 'anOlderText', updatedAt: 1 }] }, 1e11)
  await imported(copy, await exported(source), mode)
  expect(formsIn(copy)).toEqual(formsIn(source))
})
