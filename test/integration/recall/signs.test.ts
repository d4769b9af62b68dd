/** Checks phrases, words that no answer may contain, and words that count in some fields only. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { RecallQuery } from '../../../src/core/model/query.ts'
import { everyPolicy } from '../../support/stores/every-policy.ts'
import { openEngine, type TestEngine } from '../../support/stores/open-engine.ts'
import { idsOf, notes } from './searched-notes.ts'

let engine: TestEngine
beforeAll(async () => {
  engine = await openEngine()
  await engine.call('put', { batch: notes })
})

const ask = (query: RecallQuery) => engine.call('recall', { query })
const idsFor = async (query: RecallQuery) => idsOf(await ask(query))

describe('a word with a minus', () => {
  it('[S5] holds records back that contain it in any field, and the ledger says so', async () => {
    const answer = await ask({ text: 'migration -friday', ledger: true })
    expect(idsOf(answer)).toEqual(['monday'])
    const heldBack = { reason: 'contains -friday', stage: 'gate' }
    expect(answer.ledger).toEqual(['friday', 'file', 'both'].map((id) => ({ id, ...heldBack })))
    expect(answer.plan.read).toEqual([{ kind: 'without', text: 'friday' }])
  })

  it('control: without the minus these records are found', async () => {
    expect(await idsFor({ text: 'migration friday' })).toEqual(['both', 'file', 'friday', 'monday'])
    expect(await idsFor({ text: 'migration - friday' })).toEqual(['both', 'file', 'friday', 'monday'])
  })

  it('counts in its forms, as in a search', async () => {
    expect(await idsFor({ text: 'migration -Fridays' })).toEqual(['monday'])
    const plain = await openEngine({ stemmer: 'none' })
    await plain.call('put', { batch: notes })
    expect(idsOf(await plain.call('recall', { query: { text: 'migration -Fridays' } }))).toContain('friday')
  })

  it('before a phrase holds back the phrase only', async () => {
    const answer = await ask({ text: 'friday monday migrations -"two words"', ledger: true })
    expect(idsOf(answer)).toEqual(['both', 'file', 'friday'])
    expect(answer.ledger.find(({ id }) => id === 'monday')?.reason).toBe('contains -"two words"')
  })

  it('means the same as `without`', async () => {
    const {
      receipt: _some,
      plan: some,
      tookMs: _now,
      ...asked
    } = await ask({ text: 'migration -friday', ledger: true })
    const {
      receipt: _other,
      plan: other,
      tookMs: _then,
      ...told
    } = await ask({ text: 'migration', without: ['friday'], ledger: true })
    expect(told).toEqual(asked)
    expect(other).toEqual({ ...some, read: [] })
  })

  it('alone lists the rest of the scope', async () => {
    for (const query of [{ text: '-friday' }, { without: ['friday'] }]) {
      const answer = await ask(query)
      expect(idsOf(answer)).toEqual(['monday', 'other'])
      expect(answer.plan.channels.recent.ran).toBe(true)
      expect(answer.plan.existence).toBeUndefined()
    }
  })

  it('works under every policy', async () => {
    for (const [, policy] of everyPolicy) {
      const { hits } = await ask({ text: 'migration', without: ['friday'], policy })
      expect(hits.map(({ id }) => id)).not.toContain('friday')
      expect(hits.map(({ id }) => id)).not.toContain('both')
      expect((await ask({ text: 'migration', policy })).hits.map(({ id }) => id)).toContain('friday')
    }
  })

  it('has no meaning where the units are runs', async () => {
    const { hits, plan } = await ask({ text: 'migration -friday', policy: 'ctxsift' })
    expect(hits.map(({ id }) => id)).toContain('friday')
    expect(plan.read).toEqual([])
  })

  it('[Q3] does not count as a word of the question', async () => {
    const { hits, plan, evidence } = await ask({ text: 'zebra -migration' })
    expect(hits).toEqual([])
    expect(plan.existence).toEqual({ mightExist: false, tokens: 1 })
    expect(evidence.strength).toBe('none')
  })

  it('is left out of the text that is embedded', async () => {
    const texts: string[] = []
    const embedding = {
      embed: (given: readonly string[]) => {
        texts.push(...given)
        return Promise.resolve({ kind: 'made' as const, vectors: given.map(() => Float32Array.of(1, 0)) })
      },
    }
    const { call } = await openEngine({ space: { name: 'two', dimensions: 2 } }, embedding as never)
    await call('recall', { query: { text: 'migration -friday "two words"' } })
    expect(texts.map((text) => text.replaceAll('\n', ' ').replace(/ +/g, ' '))).toEqual(['migration "two words"'])
  })

  it('[S4] a larger limit only appends, and `offset` continues', async () => {
    const { call } = await openEngine()
    const batch = Array.from({ length: 90 }, (_, i) => ({
      id: `r${i}`,
      body: `jay ${'nest '.repeat(i % 7)}${i % 3 === 0 ? 'wren' : 'acorn'} ${i}`,
    }))
    await call('put', { batch })
    const ids = async (query: RecallQuery) =>
      (await call('recall', { query: { collapse: 'none', ...query } })).hits.map(({ id }) => id)
    const all = await ids({ text: 'jay nest -wren', limit: 100 })
    expect(all).toHaveLength(60)
    for (const limit of [1, 5, 20]) expect(await ids({ text: 'jay nest -wren', limit })).toEqual(all.slice(0, limit))
    expect(await ids({ text: 'jay nest -wren', limit: 7, offset: 11 })).toEqual(all.slice(11, 18))
  })

  it('[Q4] records held back take no places of others', async () => {
    const { call } = await openEngine()
    const batch = Array.from({ length: 1200 }, (_, i) => ({ id: `r${i}`, body: `jay jay wren ${i}` }))
    await call('put', { batch: [...batch, { id: 'far', body: `jay ${'feather '.repeat(300)}` }] })
    const { hits } = await call('recall', { query: { text: 'jay -wren' } })
    expect(hits.map(({ id }) => id)).toEqual(['far'])
  })

  it('is explained by `why`, and holds for context packages', async () => {
    const explained = await engine.call('why', { query: { text: 'migration -friday' }, id: 'friday' })
    expect(explained).toMatchObject({ selected: false, stage: 'gate', reason: 'contains -friday' })
    const due = { id: 'due', body: 'A check of each Friday.', pressureRate: 100, createdAt: 0, updatedAt: 0 }
    const { call } = await openEngine()
    await call('put', { batch: [...notes, due] })
    const assembled = async (request: object) =>
      (await call('assemble', { query: request })).records.map(({ id }) => id).sort()
    const request = { text: 'migration', policy: 'popoto', surfacingThreshold: 0 }
    expect(await assembled(request)).toContain('due')
    const held = await assembled({ ...request, without: ['friday'] })
    for (const id of ['friday', 'both', 'file', 'due']) expect(held).not.toContain(id)
    expect(held).toContain('monday')
  })
})

describe('a phrase', () => {
  it('is named in the plan, in order with everything else that was read', async () => {
    const { plan, hits } = await ask({ text: 'runs "on monday" -lunch yesterday -"noodles"' })
    expect(plan.read).toEqual([
      { kind: 'phrase', text: 'on monday' },
      { kind: 'without', text: 'lunch' },
      expect.objectContaining({ kind: 'time', text: 'yesterday' }),
      { kind: 'without', text: 'noodles' },
    ])
    expect(hits[0]?.id).toBe('monday')
  })
})

describe('`in`', () => {
  it('counts words in these fields only', async () => {
    expect(await idsFor({ text: 'migration' })).toEqual(['both', 'file', 'friday', 'monday'])
    expect(await idsFor({ text: 'migration', in: ['title'] })).toEqual(['friday', 'monday'])
    expect(await idsFor({ text: 'friday', in: ['paths'] })).toEqual(['file'])
    expect(await idsFor({ text: 'friday', in: ['body', 'paths'] })).toEqual(['both', 'file', 'friday'])
    expect(await idsFor({ text: '"two words"', in: ['title', 'body'] })).toEqual(['monday'])
    expect(await idsFor({ text: 'migr', prefix: 'last', in: ['title'] })).toEqual(['friday', 'monday'])
    expect(await idsFor({ text: 'where is src/friday/run.ts', in: ['title'] })).toEqual([])
  })

  it('[Q3] a word in another field does not exist', async () => {
    const { plan } = await ask({ text: 'noodles', in: ['title'] })
    expect(plan.existence).toEqual({ mightExist: false, tokens: 1 })
    expect((await ask({ text: 'noodles', in: ['body'] })).plan.existence?.mightExist).toBe(true)
  })

  it('reports matches in these fields only', async () => {
    const { hits } = await ask({ text: 'migration', in: ['title'] })
    expect(new Set(hits.flatMap(({ matched }) => matched))).toEqual(new Set(['title']))
    expect(hits[0]?.snippet.text).toBe('Migration')
  })

  it('does not limit the fields of excluded words', async () => {
    expect(await idsFor({ text: 'migration -monday', in: ['title'] })).toEqual(['friday'])
  })

  it('holds for substrings, too', async () => {
    const ids = (fields: RecallQuery['in']) => idsFor({ text: 'frid', policy: 'ctxsift', in: fields })
    expect(await ids(['paths'])).toEqual(['file'])
    expect(await ids(['body'])).toEqual(['friday'])
    expect(await ids(['command'])).toEqual([])
  })

  it('naming all fields is the same as naming none', async () => {
    const every = ['terms', 'paths', 'command', 'instruction', 'body', 'summary', 'title'] as const
    expect((await ask({ text: 'migration', in: every })).hits).toEqual((await ask({ text: 'migration' })).hits)
  })
})

describe('bad input', () => {
  it.each<[string, unknown, string]>([
    ['without', 'friday', 'query.without'],
    ['without', [5], 'query.without[0]'],
    ['without', ['friday', ' - '], 'query.without[1]'],
    ['without', ['x'.repeat(4097)], 'query.without[0]'],
    ['without', Array(257).fill('x'), 'query.without'],
    ['in', 'title', 'query.in'],
    ['in', [], 'query.in'],
    ['in', ['titel'], 'query.in[0]'],
    ['in', ['kind'], 'query.in[0]'],
  ])('[E1] refuses a wrong `%s`, case %#', async (name, value, field) => {
    const failed = ask({ text: 'migration', [name]: value })
    await expect(failed).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', field, hint: expect.stringMatching(/\S/) })
  })
})
