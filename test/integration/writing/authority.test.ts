/**
 * [A2] Tests authority from put to prompt: who gives a tier, and that no tier rises.
 */
import { describe, expect, it } from 'vitest'
import { parseAuthorityConfig } from '../../../src/core/ingest/parse-authority.ts'
import type { RecordInput } from '../../../src/core/model/record.ts'
import { formatAuthorityBlock } from '../../../src/core/present/authority-block.ts'
import { openRecall } from '../../../src/index.ts'
import { startOfTime as now, openEngine, type TestEngine } from '../../support/stores/open-engine.ts'
import { exported, imported } from '../../support/stores/portable.ts'
import { authority, blockHit, config } from './authority-config.ts'

const tierOf = async ({ call }: TestEngine, id: string) => (await call('get', { ids: [id] }))[0]?.authorityTier
const derivedFrom = (...targets: string[]) => targets.map((target) => ({ kind: 'derived_from', target }))

describe('a tier', async () => {
  it.each<[string, Partial<RecordInput>, string | null]>([
    ['the profile', { profile: 'handbook', bank: 'chat', authorityTier: 'notes' }, 'canonical'],
    ['else the bank', { profile: 'unknown', bank: 'chat', authorityTier: 'canonical' }, 'notes'],
    ['else the caller', { profile: 'toString', bank: 'constructor', authorityTier: 'notes' }, 'notes'],
    ['else nobody', {}, null],
  ])('is given by %s', async (_name, fields, tier) => {
    const engine = await openEngine({ authority })
    await engine.call('put', { batch: [{ id: 'r', body: 'jay', ...fields }] })
    expect(await tierOf(engine, 'r')).toBe(tier)
  })

  it('is the caller’s where authority is disabled', async () => {
    const engine = await openEngine({ authority: parseAuthorityConfig({ ...config, enabled: false }) })
    await engine.call('put', { batch: [{ id: 'r', body: 'jay', bank: 'wiki', authorityTier: 'notes' }] })
    expect(await tierOf(engine, 'r')).toBe('notes')
  })
})

describe('[A2] derivation', async () => {
  const sources: RecordInput[] = [
    { id: 'high', body: 'a', authorityTier: 'canonical' },
    { id: 'low', body: 'b', authorityTier: 'notes' },
    { id: 'bare', body: 'c' },
  ]

  it.each<[string, string[], string | null, string | null]>([
    ['none to a record that has none of its own', ['high'], null, null],
    ['its own tier, which is that of its source', ['high'], 'canonical', 'canonical'],
    ['the lowest of its sources', ['high', 'low'], 'canonical', 'notes'],
    ['none where a source has none', ['high', 'bare'], 'canonical', null],
    ['none where a source is missing', ['high', 'nobody'], 'canonical', null],
    ['not what its caller claims', ['low'], 'canonical', 'notes'],
    ['less than its sources, where its caller says so', ['high'], 'notes', 'notes'],
    ['none, claimed by a caller who derives it from itself', ['itself'], 'canonical', null],
  ])('gives %s', async (_name, from, claimed, tier) => {
    const engine = await openEngine({ authority })
    await engine.call('put', { batch: sources })
    await engine.call('put', {
      batch: [{ id: 'itself', body: 'd', authorityTier: claimed, relations: derivedFrom(...from) }],
    })
    expect(await tierOf(engine, 'itself')).toBe(tier)
  })

  it('goes down chains inside one batch', async () => {
    const engine = await openEngine({ authority })
    const chain = Array.from({ length: 6 }, (_, i) => ({
      id: `c${i}`,
      body: `chain ${i}`,
      authorityTier: 'canonical',
      relations: derivedFrom(i === 0 ? 'low' : `c${i - 1}`),
    }))
    await engine.call('put', { batch: [...sources, ...chain] })
    for (const { id } of chain) expect(await tierOf(engine, id)).toBe('notes')
  })

  it('holds for a source that was not stored, and for one that comes later', async () => {
    const engine = await openEngine({ authority, space: { name: 'two', dimensions: 2 } })
    const batch = [
      { id: 'rejected', body: 'h', authorityTier: 'canonical', vectors: new Float32Array(3) },
      { id: 'of rejected', body: 'i', authorityTier: 'canonical', relations: derivedFrom('rejected') },
      { id: 'before', body: 'd', relations: derivedFrom('later') },
      { id: 'later', body: 'e', authorityTier: 'canonical' },
      { id: 'filtered', body: 'f', authorityTier: 'canonical', writeScore: 0.01 },
      { id: 'of filtered', body: 'g', authorityTier: 'canonical', relations: derivedFrom('filtered') },
    ]
    await engine.call('put', { batch })
    expect(await tierOf(engine, 'filtered')).toBeUndefined()
    expect(await tierOf(engine, 'before')).toBeNull()
    expect(await tierOf(engine, 'of rejected')).toBeNull()
    expect(await tierOf(engine, 'of filtered')).toBeNull()
  })

  it('is kept by patch', async () => {
    const engine = await openEngine({ authority })
    await engine.call('put', { batch: [...sources, { id: 'r', body: 'd', authorityTier: 'canonical' }] })
    await engine.call('patch', { id: 'r', fields: { relations: derivedFrom('low') } })
    expect(await tierOf(engine, 'r')).toBe('notes')
    await engine.call('patch', { id: 'r', fields: { authorityTier: 'canonical' } })
    expect(await tierOf(engine, 'r')).toBe('notes')
    await engine.call('patch', { id: 'r', fields: { bank: 'wiki', profile: 'handbook' } })
    expect(await tierOf(engine, 'r')).toBe('notes')
  })

  it.each<[string, (engine: TestEngine) => Promise<unknown>]>([
    ['put', ({ call }) => call('put', { batch: [{ id: 'source', body: 's', authorityTier: 'notes' }] })],
    ['patch', ({ call }) => call('patch', { id: 'source', fields: { authorityTier: 'notes' } })],
    ['a patch of its bank', ({ call }) => call('patch', { id: 'source', fields: { bank: 'chat' } })],
    ['a source of its own', ({ call }) => call('patch', { id: 'source', fields: { relations: derivedFrom('low') } })],
    [
      'import',
      async (engine) => {
        const theirs = await openEngine()
        await theirs.call('put', { batch: [{ id: 'source', body: 's', authorityTier: 'notes' }] }, now + 1)
        await imported(engine, await exported(theirs), 'merge')
      },
    ],
  ])('follows a source that is lowered later by %s, through a chain, and rises with it again', async (_by, lowered) => {
    const engine = await openEngine({ authority })
    const given = { authorityTier: 'canonical' }
    await engine.call('put', { batch: sources })
    await engine.call('put', {
      batch: [
        { id: 'source', body: 's', ...given },
        { id: 'middle', body: 'm', ...given, relations: derivedFrom('source') },
        { id: 'end', body: 'e', ...given, relations: derivedFrom('middle', 'high') },
      ],
    })
    expect([await tierOf(engine, 'middle'), await tierOf(engine, 'end')]).toEqual(['canonical', 'canonical'])
    await lowered(engine)
    expect([await tierOf(engine, 'middle'), await tierOf(engine, 'end')]).toEqual(['notes', 'notes'])
    await engine.call('forget', { ids: ['source'] })
    expect([await tierOf(engine, 'middle'), await tierOf(engine, 'end')]).toEqual([null, null])
    await engine.call('put', { batch: [{ id: 'source', body: 's', ...given }] }, now + 2)
    expect([await tierOf(engine, 'middle'), await tierOf(engine, 'end')]).toEqual(['canonical', 'canonical'])
  })

  it('goes down a chain as long as a store, and round a circle', async () => {
    const engine = await openEngine({ authority })
    const chain = Array.from({ length: 5_000 }, (_, i) => ({
      id: `c${i}`,
      body: `chain ${i}`,
      authorityTier: 'canonical',
      relations: i === 0 ? [] : derivedFrom(`c${i - 1}`),
    }))
    await engine.call('put', { batch: chain })
    expect(await tierOf(engine, 'c4999')).toBe('canonical')
    await engine.call('patch', { id: 'c0', fields: { authorityTier: 'notes' } })
    expect(await tierOf(engine, 'c4999')).toBe('notes')
    await engine.call('patch', { id: 'c0', fields: { relations: derivedFrom('c4999') } })
    for (const id of ['c0', 'c2500', 'c4999']) expect(await tierOf(engine, id)).toBeNull()
  })

  it('control: without the relation the caller’s tier is kept', async () => {
    const engine = await openEngine({ authority })
    await engine.call('put', {
      batch: [{ id: 'r', body: 'd', authorityTier: 'canonical', relations: [{ kind: 'about', target: 'low' }] }],
    })
    expect(await tierOf(engine, 'r')).toBe('canonical')
  })
})

describe('the context of an answer', async () => {
  const batch = [
    { id: 'a', body: 'A jay', authorityTier: 'notes' },
    { id: 'b', body: 'B jay', authorityTier: 'canonical' },
    { id: 'c', body: 'C jay' },
  ]

  it('is the block of its hits in their order', async () => {
    const { call } = await openEngine({ authority })
    await call('put', { batch })
    for (const limit of [1, 3]) {
      const { hits, authorityContext } = await call('recall', { query: { text: 'jay', limit } })
      expect(authorityContext).toBe(formatAuthorityBlock(hits.map(blockHit), config))
    }
    const { authorityContext } = await call('recall', { query: { text: 'jay' } })
    expect(authorityContext).toBe('R\n\n---\n\nCanonical\n- B jay\n\nNotes\n- A jay\n\n[UNASSIGNED]\n- C jay\n')
    const nothing = await call('recall', { query: { text: 'nothing' } })
    expect(nothing.authorityContext).toBe(
      'R\n\n---\n\nCanonical\n(no hits in this tier)\n\nNotes\n(no hits in this tier)\n',
    )
  })

  it('is absent, and nothing else changes, where authority is disabled or not configured', async () => {
    const answers = []
    for (const given of [null, parseAuthorityConfig({ ...config, enabled: false }), authority]) {
      const { call } = await openEngine({ authority: given })
      await call('put', { batch })
      answers.push(await call('recall', { query: { text: 'jay', explain: true } }))
    }
    expect(answers[1]).toEqual(answers[0])
    expect(answers[0]?.authorityContext).toBeNull()
    expect({ ...answers[2], authorityContext: null }).toEqual(answers[0])
  })

  it('comes with reflectPrompt over the client, by the store’s configuration or the given one', async () => {
    const recall = await openRecall({
      name: 'authority',
      storage: 'memory',
      runtime: 'inline',
      embedder: null,
      authority: config,
    })
    await recall.put(batch)
    const { hits, authorityContext } = await recall.recall('jay')
    const contents = async (given: object) =>
      (await recall.reflectPrompt({ query: 'q', hits, ...given })).map(({ content }) => content)
    const memories = `<memories>\n${hits.map(({ record }) => `- ${record.body}\n`).join('')}</memories>`
    const context = `<authority_context>\n${authorityContext?.trim()}\n</authority_context>`
    expect(await contents({})).toEqual([context, memories, 'q'])
    expect(await contents({ authority: authorityContext })).toEqual([context, memories, 'q'])
    expect(await contents({ authority: null })).toEqual([memories, 'q'])
    await recall.destroy()
  })
})
