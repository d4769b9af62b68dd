/**
 * Checks how the states of files that the app reports decide the freshness of records: every state, both ways to pick,
 * all or nothing.
 */
import { describe, expect, it } from 'vitest'
import type { FileState } from '../../../src/core/evidence/freshness.ts'
import type { Freshness } from '../../../src/core/model/result.ts'
import { policies } from '../../../src/core/policies/policies.ts'
import type { EngineEvent } from '../../../src/protocol/events.ts'
import { dump } from '../../support/stores/dump.ts'
import { startOfTime as now, openEngine } from '../../support/stores/open-engine.ts'
import { openOver } from '../../support/stores/open-over.ts'

const files = [
  { id: 'same', files: [{ path: 'a.ts', sha256: 'h1' }] },
  { id: 'changed', files: [{ path: 'b.ts', sha256: 'h1' }] },
  { id: 'gone', files: [{ path: 'c.ts' }] },
  { id: 'untold', files: [{ path: 'd.ts' }] },
  { id: 'none' },
  { id: 'new', files: [{ path: 'e.ts', existed: false }] },
  { id: 'touched', files: [{ path: 'f.ts' }] },
  { id: 'in time', files: [{ path: 'g.ts' }] },
  { id: 'both', files: [{ path: 'b.ts', sha256: 'h1' }, { path: 'c.ts' }, { path: 'a.ts', sha256: 'h1' }] },
]
const records = files.map((record) => ({ ...record, body: 'jay', createdAt: now, vectors: [] }))
const states: FileState[] = [
  { path: 'a.ts', exists: true, sha256: 'h1', mtime: now + 9e9 },
  { path: 'b.ts', exists: true, sha256: 'h2' },
  { path: 'c.ts', exists: false },
  { path: 'e.ts', exists: true },
  { path: 'f.ts', exists: true, mtime: now + 1001 },
  { path: 'g.ts', exists: true, mtime: now + 1000 },
]
const expected: Readonly<Record<string, Freshness>> = {
  same: 'fresh',
  changed: 'stale_changed',
  gone: 'stale_deleted',
  untold: 'unknown',
  none: 'unverifiable',
  new: 'stale_changed',
  touched: 'stale_changed',
  'in time': 'fresh',
  both: 'stale_deleted',
}

const freshnessUnder = async ({ call }: Awaited<ReturnType<typeof openEngine>>, policy: string | object) => {
  const query = { text: 'jay', policy: policy as never, limit: 100, collapse: 'none' as const }
  const { hits } = await call('recall', { query })
  return Object.fromEntries(hits.map(({ id, freshness }) => [id, freshness]))
}

describe('freshness', async () => {
  const engine = await openEngine()
  await engine.call('put', { batch: records })
  const before = await freshnessUnder(engine, 'balanced')
  await engine.call('checkFiles', { states })

  it('is unknown, or unverifiable without files, before any report', () => {
    expect(new Set(Object.values(before))).toEqual(new Set(['unknown', 'unverifiable']))
    expect(before.none).toBe('unverifiable')
  })

  it.each(['balanced', 'tokenpak', 'secondBrain'])('is that of the worst file under %s', async (policy) => {
    expect(await freshnessUnder(engine, policy)).toEqual(expected)
  })

  it('is that of the first stale file under ctxsift', async () => {
    const { ctxsift } = policies
    const all = { ...ctxsift, thresholds: { ...ctxsift.thresholds, strong: -1000, weak: -1000 } }
    expect(await freshnessUnder(engine, all)).toEqual({ ...expected, both: 'stale_changed' })
    expect(await freshnessUnder(engine, { ...all, freshnessOf: 'worst' })).toEqual(expected)
  })

  it('moves scores as the policy says, and gives the reason', async () => {
    const { hits } = await engine.call('recall', { query: { text: 'jay', limit: 100, collapse: 'none' } })
    const moved = (id: string) =>
      hits.find((hit) => hit.id === id)?.contributions.find(({ signal }) => signal === 'freshness')
    expect(moved('same')).toMatchObject({ amount: 0.01, reason: 'its files are as they were' })
    expect(moved('changed')).toMatchObject({ amount: -0.03, reason: 'a file it speaks of has changed' })
    expect(moved('gone')).toMatchObject({ amount: -0.05, reason: 'a file it speaks of is gone' })
    expect([moved('untold'), moved('none')]).toEqual([undefined, undefined])
  })
})

describe('checkFiles', () => {
  it('[W3] after a path is forgotten, its freshness is unknown again, and neither rows nor an export name it', async () => {
    const opened = await openOver()
    const { call } = opened
    const exportedText = async (id: string) => {
      let text = ''
      for (let part = 0, isLast = false; !isLast; part++) {
        const answer = await call('exportPart', { export: id, part })
        text += Buffer.from(answer.bytes).toString('latin1')
        isLast = answer.isLast
      }
      return text
    }
    await call('put', { batch: [{ id: 'r', body: 'jay', files: [{ path: 'kept.ts' }] }] })
    await call('checkFiles', { states: ['kept.ts', 'secret.ts'].map((path) => ({ path, exists: false })) })
    // Control: before that, both name it.
    expect(await exportedText('before')).toContain('secret.ts')
    expect(JSON.stringify(dump(opened.database))).toContain('secret.ts')
    const states = [
      { path: 'secret.ts', exists: null },
      { path: 'kept.ts', exists: null },
    ]
    await call('checkFiles', { states })
    expect(await exportedText('after')).not.toContain('secret.ts')
    expect(JSON.stringify(dump(opened.database))).not.toContain('secret.ts')
    const { hits } = await call('recall', { query: { text: 'jay' } })
    expect(hits[0]?.freshness).toBe('unknown')
    const { revision } = await call('status', {})
    await call('checkFiles', { states })
    expect((await call('status', {})).revision).toBe(revision)
    await expect(
      call('checkFiles', { states: [{ path: 'a.ts', exists: null, git: 'M' } as never] }),
    ).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', field: 'states[0]' })
  })

  it('changes nothing where a state is the stored one', async () => {
    const { call } = await openEngine()
    const state = { path: 'a.ts', exists: true }
    await call('checkFiles', { states: [state] })
    const { revision } = await call('status', {})
    await call('checkFiles', { states: [state] })
    expect((await call('status', {})).revision).toBe(revision)
    // Control: another state is a change.
    await call('checkFiles', { states: [{ ...state, git: 'M' }] })
    expect((await call('status', {})).revision).toBeGreaterThan(revision)
  })

  it('replaces earlier states, path by path, with / for \\', async () => {
    const engine = await openEngine()
    await engine.call('put', { batch: records })
    await engine.call('checkFiles', { states })
    await engine.call('checkFiles', { states: [{ path: 'a.ts', exists: false }] })
    await engine.call('put', { batch: [{ id: 'deep', body: 'jay', files: [{ path: 'src\\x.ts' }] }] })
    await engine.call('checkFiles', { states: [{ path: 'src\\x.ts', exists: false }] })
    const found = await freshnessUnder(engine, 'balanced')
    expect(found).toMatchObject({ same: 'stale_deleted', changed: 'stale_changed', deep: 'stale_deleted' })
    // Of two states for one path in one call the later counts.
    await engine.call('checkFiles', {
      states: [
        { path: 'c.ts', exists: false },
        { path: 'c.ts', exists: true, mtime: now },
      ],
    })
    expect(await freshnessUnder(engine, 'balanced')).toMatchObject({ gone: 'fresh' })
  })

  it('reaches paths that were extracted from the text', async () => {
    const engine = await openEngine()
    await engine.call('put', { batch: [{ id: 'r', body: 'jay broke src/nest.ts again' }] })
    await engine.call('checkFiles', { states: [{ path: 'src/nest.ts', exists: false }] })
    expect(await freshnessUnder(engine, 'balanced')).toEqual({ r: 'stale_deleted' })
  })

  it('reaches records put or patched afterwards', async () => {
    const engine = await openEngine()
    await engine.call('checkFiles', { states })
    await engine.call('put', { batch: records })
    expect(await freshnessUnder(engine, 'balanced')).toEqual(expected)
    await engine.call('patch', { id: 'gone', fields: { files: [{ path: 'a.ts', sha256: 'h1' }] } })
    expect(await freshnessUnder(engine, 'balanced')).toMatchObject({ gone: 'fresh' })
  })

  it('moves the revision and sends one event where something changed, otherwise none', async () => {
    const { engine, call } = await openEngine()
    const events: EngineEvent[] = []
    engine.subscribe((event) => events.push(event))
    const revision = async () => (await call('status', {})).revision
    const first = await revision()
    await call('checkFiles', { states })
    expect(await revision()).toBe(first + 1)
    expect(events).toEqual([{ type: 'changed', revision: first + 1, ids: [] }])
    for (const again of [states, []]) await call('checkFiles', { states: again })
    expect(await revision()).toBe(first + 1)
    expect(events).toHaveLength(1)
  })

  it.each<[string, unknown, string]>([
    ['no list', { path: 'a', exists: true }, 'states'],
    ['no object', ['a.ts'], 'states[0]'],
    ['a hole', holeThen(states[0]), 'states[0]'],
    ['no path', [{ exists: true }], 'states[0].path'],
    ['a blank path', [{ path: ' ', exists: true }], 'states[0].path'],
    ['a path in numbers', [{ path: 5, exists: true }], 'states[0].path'],
    ['no word of existing', [{ path: 'a' }], 'states[0].exists'],
    ['existing in words', [{ path: 'a', exists: 'yes' }], 'states[0].exists'],
    ['a hash in numbers', [{ path: 'a', exists: true, sha256: 5 }], 'states[0].sha256'],
    ['a time that is none', [{ path: 'a', exists: true, mtime: Number.NaN }], 'states[0].mtime'],
    ['a time in words', [{ path: 'a', exists: true, mtime: '2026-01-01' }], 'states[0].mtime'],
    ['a time beyond time', [{ path: 'a', exists: true, mtime: 9e15 }], 'states[0].mtime'],
    ['a code in numbers', [{ path: 'a', exists: true, git: 1 }], 'states[0].git'],
    ['a field of its own', [{ path: 'a', exists: true, size: 1 }], 'states[0].size'],
    ['a bad one behind good ones', [...states, { path: 'z', exists: 1 }], `states[${states.length}].exists`],
  ])('[E1] %s is refused, the error names the field, and the call stores nothing', async (_name, bad, field) => {
    const { call, database } = await openOver()
    await call('put', { batch: records })
    const before = dump(database)
    await expect(call('checkFiles', { states: bad as FileState[] })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      field,
      hint: expect.stringMatching(/\S/),
    })
    expect(dump(database)).toBe(before)
  })
})

function holeThen<T>(value: T): T[] {
  const list: T[] = []
  list[1] = value
  return list
}
