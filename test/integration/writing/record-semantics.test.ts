/** Tests what docs/spec/records.md#records says of putting, patching and reading records, field by field. */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { RecordInput } from '../../../src/core/model/record.ts'
import { first } from '../../../worker/sqlite/database.ts'
import { startOfTime } from '../../support/stores/open-engine.ts'
import { openOver } from '../../support/stores/open-over.ts'

const full: RecordInput & { readonly id: string } = {
  id: 'full',
  kind: 'decision',
  project: 'p',
  topic: 't',
  agent: 'a',
  bank: 'b',
  session: 's',
  title: 'Title',
  summary: '',
  body: '\ufeffbody\0 with \u2028 odd 鳥 characters',
  instruction: 'do',
  command: 'run',
  exitCode: -1,
  source: 'tool_result',
  authority: 'user_approved',
  tags: ['z', 'a', 'Z'],
  files: [{ path: 'src\\a.ts', sha256: 'ab', mtime: 0.5, existed: false, git: 'D' }],
  terms: [{ term: 'Nest', kind: 'symbol' }],
  anchors: [{ id: '1', path: 'p', kind: 'k' }],
  reasons: [{ code: 'user_pinned', weight: 0.25 }, { code: 'mandatory' }],
  risks: [{ flag: 'mandatory_context_missing' }],
  relations: [{ kind: 'follows', target: 'other' }],
  status: 'proposed',
  supersededBy: 'next',
  validFrom: 0,
  validUntil: 8.64e15,
  expiresAt: 8.64e15,
  importance: 0.1,
  confidence: 0.9,
  cycles: [{ periodSeconds: 86_400, amplitude: 0.5, phaseSeconds: -3 }],
  pressureRate: 1e6,
  authorityTier: 'canon',
  profile: 'q',
  writeScore: 1,
  position: -7,
  occurredAt: -1,
  metadata: { '': null, a: [1, { b: 'é' }], lone: '\ud800' },
  createdAt: 0,
  updatedAt: 1.5,
}

describe('a record', () => {
  it('[W1] is read as it was put, byte for byte', async () => {
    const { call } = await openOver()
    await call('put', { batch: [full] })
    const [stored] = await call('get', { ids: ['full'] })
    expect(stored).toMatchObject({
      ...full,
      files: [{ path: 'src/a.ts', sha256: 'ab', mtime: 0.5, existed: false, git: 'D', declared: true }],
      terms: [{ term: 'Nest', kind: 'symbol', declared: true }],
      reasons: [
        { code: 'user_pinned', weight: 0.25 },
        { code: 'mandatory', weight: 1 },
      ],
      risks: [{ flag: 'mandatory_context_missing', severity: 'block' }],
    })
    const { records } = await call('put', { batch: [full] })
    expect(records).toEqual([{ id: 'full', outcome: 'unchanged', bodyChanged: false }])
  })

  it('[W1] has the defaults of the specification', async () => {
    const { call } = await openOver()
    const { records } = await call('put', { batch: [{ body: 'x' }] }, 0)
    const id = records[0]?.id ?? ''
    expect(id).toMatch(/^[0-9a-f]{32}$/)
    const [stored] = await call('get', { ids: [id] })
    expect(stored).toMatchObject({
      kind: 'note',
      status: 'active',
      importance: 1,
      confidence: 0.5,
      tags: [],
      files: [],
      project: null,
      createdAt: 0,
      updatedAt: 0,
    })
    const content = JSON.stringify([null, null, 'x', null, null])
    expect(stored?.contentHash).toBe(createHash('sha256').update(content).digest('hex'))
  })

  it('[W1] with the same text in another project is another record, and in the same project the same record', async () => {
    const { call } = await openOver()
    const { records } = await call('put', {
      batch: [{ body: 'x' }, { body: 'x', project: 'p' }, { body: 'x', tags: ['t'] }],
    })
    expect(records.map(({ outcome }) => outcome)).toEqual(['inserted', 'inserted', 'updated'])
  })
})

describe('an id made from text and scope', () => {
  it.each(['project', 'topic', 'agent', 'bank', 'session'])(
    '[W1] distinguishes two records with the same text by %s, and finds each of them again',
    async (field) => {
      const { call } = await openOver()
      const batch = [{ body: 'x' }, { body: 'x', [field]: 'one' }, { body: 'x', [field]: 'two' }]
      const first = await call('put', { batch })
      expect(first.records.map(({ outcome }) => outcome)).toEqual(['inserted', 'inserted', 'inserted'])
      const again = await call('put', { batch })
      expect(again.records.map(({ id, outcome }) => [id, outcome])).toEqual(
        first.records.map(({ id }) => [id, 'unchanged']),
      )
      expect(await call('count', { scope: {} })).toBe(3)
    },
  )

  it('[W1] is the hash of content and scope, the same in every release', async () => {
    const { call } = await openOver()
    const scope = { project: 'p', topic: 't', agent: 'a', bank: 'b', session: 's' }
    const { records } = await call('put', { batch: [{ body: 'x', ...scope }] })
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
    const content = sha256(JSON.stringify([null, null, 'x', null, null]))
    expect(records[0]?.id).toBe(sha256(JSON.stringify([content, 'p', 't', 'a', 'b', 's'])).slice(0, 32))
  })

  it('[W1] control: fields that are neither text nor scope make no other record', async () => {
    const { call } = await openOver()
    const batch = [{}, { kind: 'decision' }, { source: 'mail' }, { metadata: { a: 1 } }, { importance: 3 }]
    const { records } = await call('put', { batch: batch.map((fields) => ({ body: 'x', ...fields })) })
    expect(new Set(records.map(({ id }) => id)).size).toBe(1)
  })
})

describe('putting over a record', () => {
  it('[W1] replaces the caller’s fields and keeps the learned state', async () => {
    const { call } = await openOver()
    await call('put', { batch: [full] })
    await call('acknowledge', { of: ['full'], outcomes: { full: 'contradicted' } })
    const [learned] = await call('get', { ids: ['full'] })
    expect(learned!.confidence).toBeLessThan(0.9)
    const { records } = await call(
      'put',
      { batch: [{ id: 'full', body: 'new', createdAt: 99, updatedAt: 99 }] },
      startOfTime,
    )
    expect(records).toEqual([{ id: 'full', outcome: 'updated', bodyChanged: true }])
    const [stored] = await call('get', { ids: ['full'] })
    expect(stored).toMatchObject({
      title: null,
      tags: [],
      reasons: [],
      cycles: [],
      metadata: {},
      project: null,
      importance: 1,
      confidence: learned!.confidence,
      createdAt: 99,
      updatedAt: 99,
    })
    expect(await call('tags', { scope: {} })).toEqual([])
  })

  it.each<[string, Partial<RecordInput>, string, { createdAt: number; updatedAt: number }]>([
    ['none', { body: 'new' }, 'updated', { createdAt: 10, updatedAt: 2_000 }],
    ['both', { body: 'new', createdAt: 20, updatedAt: 500 }, 'updated', { createdAt: 20, updatedAt: 500 }],
    ['createdAt', { body: 'new', createdAt: 20 }, 'updated', { createdAt: 20, updatedAt: 2_000 }],
    ['a newer updatedAt, and the same text', { updatedAt: 5_000 }, 'updated', { createdAt: 10, updatedAt: 5_000 }],
    ['an older updatedAt, and the same text', { updatedAt: 500 }, 'updated', { createdAt: 10, updatedAt: 500 }],
    ['another createdAt, and the same text', { createdAt: 7 }, 'updated', { createdAt: 7, updatedAt: 2_000 }],
    ['the stored times', { createdAt: 10, updatedAt: 1_000 }, 'unchanged', { createdAt: 10, updatedAt: 1_000 }],
    ['none, and the same text', {}, 'unchanged', { createdAt: 10, updatedAt: 2_000 }],
  ])('[W1] with these times given: %s', async (_what, given, expected, times) => {
    const { call, database } = await openOver()
    await call('put', { batch: [{ id: 'a', body: 'old', createdAt: 10, updatedAt: 1_000 }] }, 1)
    const keyOf = () => first(database, `SELECT key FROM records`, [], (row) => row.number(0))
    const key = keyOf()
    const input = { id: 'a', body: 'old', ...given }
    const { records } = await call('put', { batch: [input] }, 2_000)
    expect(records[0]?.outcome).toBe(expected)
    const [stored] = await call('get', { ids: ['a'] })
    expect(stored).toMatchObject(times)
    // A change of time alone does not touch the text index.
    expect(keyOf() === key).toBe(given.body === undefined)
    // The second time changes nothing.
    expect((await call('put', { batch: [input] }, 2_000)).records[0]?.outcome).toBe('unchanged')
    expect(await call('get', { ids: ['a'] })).toEqual([stored])
  })

  it('keeps updatedAt when the clock goes back', async () => {
    const { call } = await openOver()
    await call('put', { batch: [{ id: 'a', body: 'old' }] }, 2_000)
    await call('patch', { id: 'a', fields: { body: 'new' } }, 1_800)
    await call('put', { batch: [{ id: 'a', body: 'new' }] }, 1_900)
    expect((await call('get', { ids: ['a'] }))[0]).toMatchObject({ createdAt: 2_000, updatedAt: 2_000 })
    // The log has the time of the request.
    expect((await call('events', {})).map(({ at }) => at)).toEqual([2_000, 1_800])
    await call('patch', { id: 'a', fields: { updatedAt: 1_700 } }, 1_900)
    expect((await call('get', { ids: ['a'] }))[0]).toMatchObject({ createdAt: 2_000, updatedAt: 1_700 })
  })

  it('moves updatedAt at most to the last time there is', async () => {
    const { call } = await openOver()
    await call('put', { batch: [{ id: 'a', body: 'old', updatedAt: 8.64e15 }] }, 2_000)
    await call('patch', { id: 'a', fields: { body: 'new' } }, 3_000)
    expect((await call('get', { ids: ['a'] }))[0]).toMatchObject({ body: 'new', updatedAt: 8.64e15 })
  })

  it('[W1] with the same fields moves updatedAt alone', async () => {
    const { call } = await openOver()
    await call('put', { batch: [{ id: 'a', body: 'x', tags: ['t'] }] }, 10)
    const [before] = await call('get', { ids: ['a'] })
    await call('put', { batch: [{ id: 'a', body: 'x', tags: ['t'] }] }, 20)
    expect(await call('get', { ids: ['a'] })).toEqual([{ ...before, updatedAt: 20 }])
  })

  it('[W1] with a write score below the floor stores nothing and harms nothing', async () => {
    const { call } = await openOver()
    const { records } = await call('put', {
      batch: [
        { id: 'a', body: 'x' },
        { id: 'a', body: 'y', writeScore: 0.09 },
        { id: 'b', body: 'z', writeScore: 0.1 },
      ],
    })
    expect(records.map(({ outcome }) => outcome)).toEqual(['inserted', 'filtered', 'inserted'])
    expect((await call('get', { ids: ['a'] }))[0]?.body).toBe('x')
  })

  it.each([
    ['only createdAt', { createdAt: 5 }, { createdAt: 5, updatedAt: 100 }],
    ['both', { createdAt: 5, updatedAt: 7 }, { createdAt: 5, updatedAt: 7 }],
    ['neither', {}, { createdAt: 100, updatedAt: 100 }],
  ])('[W1] backfills %s', async (_name, given, expected) => {
    const { call } = await openOver()
    for (let i = 0; i < 2; i++) await call('put', { batch: [{ id: 'a', body: 'x', ...given }] }, 100)
    expect((await call('get', { ids: ['a'] }))[0]).toMatchObject(expected)
  })
})

describe('patching', () => {
  it('[W1] changes the given fields, and no other', async () => {
    const { call } = await openOver({ space: { name: 'two', dimensions: 2 } })
    await call('put', { batch: [{ ...full, vectors: Float32Array.of(1, 0) }] }, 10)
    const [before] = await call('get', { ids: ['full'] })
    await call('patch', { id: 'full', fields: { tags: ['new'], project: null, title: undefined } }, 20)
    expect(await call('get', { ids: ['full'] })).toEqual([{ ...before, tags: ['new'], project: null, updatedAt: 20 }])
    expect(
      (await call('recall', { query: { vector: Float32Array.of(1, 0), scope: { status: 'proposed' } } })).hits.length,
    ).toBe(1)
  })
})
