/** Tests the options that choose what comes with an answer: `ledger`, `select`, `snippetLength`, and `offset`. */
import { beforeAll, describe, expect, it } from 'vitest'
import { replay } from '../../../src/core/index.ts'
import type { RecallQuery } from '../../../src/core/model/query.ts'
import { storedFields } from '../../../src/core/model/record.ts'
import type { CapturedFacts } from '../../../src/core/replay.ts'
import { createRandom } from '../../support/data/random.ts'
import { everyPolicy } from '../../support/stores/every-policy.ts'
import { openEngine, type TestEngine } from '../../support/stores/open-engine.ts'

const random = createRandom(18)
const asked = { text: 'jay acorn winter', vector: random.vector(8), limit: 7 } as const satisfies RecallQuery
let engine: TestEngine

beforeAll(async () => {
  engine = await openEngine({ space: { name: 'tiny', dimensions: 8 } })
  await engine.call('put', {
    batch: Array.from({ length: 60 }, (_, i) => ({
      id: `r${i}`,
      title: `Note ${i}`,
      body: `${random.pick(['jay', 'wren'])} ${random.pick(['acorn', 'nut'])} ${'in winter '.repeat(i % 9)} 🪶${i}`,
      source: random.pick([null, 'a', 'b']),
      // A record that names no language has no such field.
      language: 'en',
      vectors: i % 5 === 0 ? [] : random.vector(8),
    })),
  })
})

const ask = (query: RecallQuery) => engine.call('recall', { query })

describe('ledger', () => {
  it('[S5] is null by default; `ledger`, `explain` and `capture` give it, with the same answer otherwise', async () => {
    const { ledger: none, tookMs: _none, ...plain } = await ask(asked)
    expect(none).toBeNull()
    expect(plain.receipt.ledgerDigest).toBeUndefined()
    for (const option of ['ledger', 'explain', 'capture'] as const) {
      const { ledger, facts: _facts, tookMs: _took, ...answer } = await ask({ ...asked, [option]: true })
      expect(ledger.length + answer.hits.length).toBe(60)
      const { ledgerDigest, ...receipt } = answer.receipt
      expect(ledgerDigest).toMatch(/^[0-9a-f]{64}$/)
      expect({ ...answer, receipt }).toEqual(plain)
    }
    expect((await ask({ ...asked, ledger: false })).ledger).toBeNull()
  })

  it('[S5] the digest of the receipt follows the ledger, and the id of the receipt does not', async () => {
    const wide = await ask({ ...asked, ledger: true })
    const other = await ask({ ...asked, ledger: true, scope: { ids: wide.hits.map(({ id }) => id) } })
    expect(other.receipt.ledgerDigest).not.toBe(wide.receipt.ledgerDigest)
    expect((await ask({ ...asked, explain: true })).receipt).toEqual(wide.receipt)
  })

  it('the id of a receipt follows query, policy, revision and hits', async () => {
    const ids = new Set<string>()
    const other = await openEngine({ space: { name: 'tiny', dimensions: 8 } })
    for (const body of ['jay', 'wren']) {
      await other.call('put', { batch: [{ id: 'a', body }] })
      for (const text of ['jay', 'jay jay'])
        for (const policy of ['balanced', 'ctxsift'])
          ids.add((await other.call('recall', { query: { text, policy } })).receipt.id)
    }
    expect(ids.size).toBe(8)
  })

  it('[D1] a captured answer without `ledger` is replayed to the same bytes', async () => {
    const { facts, tookMs: _took, ...answer } = await ask({ ...asked, capture: true })
    expect(replay(answer.receipt, structuredClone(facts) as CapturedFacts)).toEqual(answer)
  })
})

describe('select', () => {
  it('returns only the selected fields and the id of the records, and changes nothing else', async () => {
    const full = await ask(asked)
    for (const select of [[], ['title'], ['id', 'title', 'tags', 'updatedAt'], storedFields] as const) {
      const { hits, tookMs: _took, ...rest } = await ask({ ...asked, select })
      expect(hits.map(({ record: _record, ...hit }) => hit)).toEqual(full.hits.map(({ record: _full, ...hit }) => hit))
      for (const [i, { record }] of hits.entries()) {
        expect(Object.keys(record).sort()).toEqual([...new Set(['id', ...select])].sort())
        for (const name of select) expect(record[name]).toEqual(full.hits[i]!.record[name])
      }
      const { hits: _hits, tookMs: _other, ...others } = full
      expect(rest).toEqual(others)
    }
  })

  it('knows every field of a stored record', async () => {
    expect(Object.keys((await ask(asked)).hits[0]!.record).sort()).toEqual([...storedFields].sort())
  })
})

describe('snippetLength', () => {
  it.each([0, 1, 2, 3, 5, 20, 60, 10_000])('gives snippets of at most %d code points', async (snippetLength) => {
    const { hits } = await ask({ ...asked, snippetLength })
    for (const { snippet, record } of hits) {
      const { text, marks } = snippet
      const length = Array.from(text).length
      expect(length).toBeLessThanOrEqual(snippetLength)
      if (Array.from(record.body ?? '').length <= snippetLength) expect(text).toBe(record.body)
      // A window shorter than a word cuts it.
      for (const [from, to] of marks)
        expect(['jay', 'acorn', 'winter'].some((word) => word.startsWith(text.slice(from, to)))).toBe(true)
    }
  })

  it('counts code points, not UTF-16 units', async () => {
    const own = await openEngine()
    await own.call('put', { batch: [{ id: 'a', body: `jay ${'🪶'.repeat(300)}` }] })
    const { hits } = await own.call('recall', { query: { text: 'jay', snippetLength: 304 } })
    expect(Array.from(hits[0]!.snippet.text)).toHaveLength(304)
    const { hits: cut } = await own.call('recall', { query: { text: 'jay', snippetLength: 100 } })
    const length = Array.from(cut[0]!.snippet.text).length
    expect(length).toBeLessThanOrEqual(100)
    expect(length).toBeGreaterThan(95)
  })
})

describe('offset', () => {
  const queries: RecallQuery[] = [
    asked,
    { text: 'jay winter', collapse: 'none' },
    { vector: asked.vector, perSource: 3 },
    {},
  ]

  it.each(everyPolicy)('[S4] continues the order of a larger limit, under %s', async (_name, policy) => {
    for (const query of queries) {
      const all = await ask({ ...query, policy, limit: 1000 })
      for (const [offset, limit] of [
        [0, 5],
        [1, 1],
        [3, 4],
        [10, 10],
        [58, 9],
        [200, 5],
        [999, 1],
      ] as const) {
        const page = await ask({ ...query, policy, offset, limit })
        expect(page.hits).toEqual(all.hits.slice(offset, offset + limit))
        expect(page.evidence).toEqual(all.evidence)
        expect(page.receipt.ids).toEqual(page.hits.map(({ id }) => id))
      }
    }
  })

  it('[S4] control: a page is not the first places of a query with its own limit', async () => {
    const { hits } = await ask({ ...asked, offset: 3, limit: 4 })
    expect(hits).not.toEqual((await ask({ ...asked, limit: 4 })).hits)
  })

  it('[S5] the ledger names the records before the page and beyond it', async () => {
    const { hits, ledger } = await ask({ ...asked, offset: 3, limit: 4, ledger: true })
    expect(new Set([...hits, ...ledger].map(({ id }) => id)).size).toBe(60)
    expect(ledger.filter(({ reason }) => reason === 'before offset 3')).toHaveLength(3)
    expect(ledger.filter(({ reason }) => reason === 'beyond limit 4 from offset 3').length).toBeGreaterThan(30)
    const before = ledger.find(({ reason }) => reason === 'before offset 3')!
    const why = await engine.call('why', { query: { ...asked, offset: 3, limit: 4 }, id: before.id })
    expect([why.selected, why.stage, why.reason.split(':')[0]]).toEqual([false, 'limit', 'before offset 3'])
  })
})

describe('bad values', () => {
  it.each([
    [{ offset: -1 }, 'query.offset', 'must be an integer from 0 to 999'],
    [{ offset: 1.5 }, 'query.offset', 'must be an integer from 0 to 999'],
    [{ offset: '1' }, 'query.offset', 'must be an integer from 0 to 999'],
    [{ offset: 1000 }, 'query.offset', 'must be an integer from 0 to 999'],
    [{ offset: 991, limit: 10 }, 'query.offset', 'must be at most 1000 together with the limit of 10'],
    [{ offset: 991 }, 'query.offset', 'must be at most 1000 together with the limit of 10'],
    [{ snippetLength: -1 }, 'query.snippetLength', 'must be an integer from 0 to 10000'],
    [{ snippetLength: 10_001 }, 'query.snippetLength', 'must be an integer from 0 to 10000'],
    [{ select: 'title' }, 'query.select', 'must be an array of strings'],
    [{ select: ['title', 'bodi'] }, 'query.select[1]', 'must be a field of a stored record'],
    [{ ledger: 'yes' }, 'query.ledger', 'must be a boolean'],
  ])('%j names the field and the way out', async (query, field, problem) => {
    const error = await ask({ text: 'jay', ...query } as never).then(
      () => null,
      (thrown: unknown) => thrown,
    )
    expect(error).toMatchObject({
      name: 'RecallError',
      code: 'INVALID_ARGUMENT',
      field,
      hint: expect.stringMatching(/./),
    })
    expect(String((error as Error).message)).toContain(problem)
  })

  it('the largest offset of a limit is accepted', async () => {
    expect((await ask({ ...asked, limit: 10, offset: 990 })).hits).toEqual([])
  })
})

it('why says which channels found a record, and that a source of the policy did where no channel ran', async () => {
  const foundOf = async (query: RecallQuery) => {
    const { steps } = await engine.call('why', { query, id: 'r1' })
    return steps.find(({ stage }) => stage === 'found')?.detail
  }
  const text = 'jay acorn wren nut'
  expect(await foundOf({ text })).toBe('came up in lexical')
  expect(await foundOf({ text, vector: asked.vector })).toBe('came up in lexical, vector')
  // Part of a word: only the substrings of the policy find it.
  expect(await foundOf({ text: 'ay', policy: 'ctxsift' })).toBe('came up in a source of the policy')
})

it('why explains a record where the question names a time that tells no records apart', async () => {
  // Every record is of that time, so its words are read as others.
  const explained = await engine.call('why', { query: { text: 'jay acorn since 1999', limit: 60 }, id: 'r1' })
  expect(explained).toMatchObject({ selected: true, hit: { id: 'r1' } })
  expect(explained.steps.every(({ passed }) => passed)).toBe(true)
})
