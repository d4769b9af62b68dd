/** [E1] Checks that bad input is refused by code and field, before any write: the dump of the store does not change. */
import { describe, expect, it } from 'vitest'
import type { RecordInput } from '../../../src/core/model/record.ts'
import { dump } from '../../support/stores/dump.ts'
import { openOver } from '../../support/stores/open-over.ts'

const { call, database } = await openOver({ space: { name: 'three', dimensions: 3 }, metadataKeys: ['known'] })
await call('put', { batch: [{ id: 'stored', body: 'jay', vectors: Float32Array.of(1, 0, 0) }] })
const before = dump(database)

const deep: unknown = JSON.parse(`${'['.repeat(40)}1${']'.repeat(40)}`)
/** A list with a hole, as a structured clone keeps it. */
function holeThen<T>(value: T): T[] {
  const list: T[] = []
  list[1] = value
  return list
}

const badRecords: readonly (readonly [string, unknown, string, string | undefined])[] = [
  ['nothing', undefined, 'INVALID_RECORD', 'record'],
  ['no object', 'text', 'INVALID_RECORD', 'record'],
  ['a date', new Date(0), 'INVALID_RECORD', 'record'],
  ['no text', {}, 'INVALID_RECORD', 'body'],
  ['blank text', { body: ' \n\t', title: '' }, 'INVALID_RECORD', 'body'],
  ['an unknown field', { body: 'x', nose: 1 }, 'INVALID_RECORD', 'nose'],
  ['an own __proto__', JSON.parse('{"body":"x","__proto__":{"a":1}}'), 'INVALID_RECORD', '__proto__'],
  [
    'a prototype key in metadata',
    { body: 'x', metadata: JSON.parse('{"__proto__":{"a":1}}') },
    'INVALID_RECORD',
    'metadata.__proto__',
  ],
  ['one deeper', { body: 'x', metadata: { a: [{ constructor: 1 }] } }, 'INVALID_RECORD', 'metadata.a[0].constructor'],
  ['metadata too deep', { body: 'x', metadata: { deep } }, 'INVALID_RECORD', undefined],
  ['metadata too long', { body: 'x', metadata: { a: 'x'.repeat(20_000) } }, 'INVALID_RECORD', 'metadata'],
  ['metadata not a number', { body: 'x', metadata: { a: Number.NaN } }, 'INVALID_RECORD', 'metadata.a'],
  ['a body of 2 MB', { body: 'x'.repeat(2_000_000) }, 'INVALID_RECORD', 'body'],
  ['a long body in few characters', { body: '図'.repeat(400_000) }, 'INVALID_RECORD', 'body'],
  ['a body that is a number', { body: 5 }, 'INVALID_RECORD', 'body'],
  ['an empty id', { id: '', body: 'x' }, 'INVALID_RECORD', 'id'],
  ['a long id', { id: 'x'.repeat(513), body: 'x' }, 'INVALID_RECORD', 'id'],
  ['half an emoji as id', { id: '\ud83d', body: 'x' }, 'INVALID_RECORD', 'id'],
  ['a hole among tags', { body: 'x', tags: holeThen('a') }, 'INVALID_RECORD', 'tags[0]'],
  ['an empty tag', { body: 'x', tags: ['a', ''] }, 'INVALID_RECORD', 'tags[1]'],
  ['a status of its own', { body: 'x', status: 'great' }, 'INVALID_RECORD', 'status'],
  ['importance without end', { body: 'x', importance: Infinity }, 'INVALID_RECORD', 'importance'],
  ['a time in words', { body: 'x', createdAt: '2026-01-01' }, 'INVALID_RECORD', 'createdAt'],
  ['a time beyond time', { body: 'x', updatedAt: 8.65e15 }, 'INVALID_RECORD', 'updatedAt'],
  ['a wrong hash', { body: 'x', contentHash: 'abc' }, 'INVALID_RECORD', 'contentHash'],
  [
    'a reason twice',
    { body: 'x', reasons: [{ code: 'mandatory' }, { code: 'mandatory' }] },
    'INVALID_RECORD',
    'reasons',
  ],
  ['an unknown reason', { body: 'x', reasons: [{ code: 'toString' }] }, 'UNKNOWN_REASON_CODE', 'reasons[0].code'],
  ['an unknown risk', { body: 'x', risks: [{ flag: '__proto__' }] }, 'UNKNOWN_RISK_FLAG', 'risks[0].flag'],
  ['a vector of plain numbers', { body: 'x', vectors: [1, 0, 0] }, 'INVALID_RECORD', 'vectors[0]'],
  ['a vector with a hole', { body: 'x', vectors: holeThen(Float32Array.of(1, 0, 0)) }, 'INVALID_RECORD', 'vectors[0]'],
  [
    'a vector that is not finite',
    { body: 'x', vectors: Float32Array.of(1, Number.NaN, 0) },
    'INVALID_RECORD',
    'vectors[0][1]',
  ],
  ['a vector of another length', { body: 'x', vectors: Float32Array.of(1, 0) }, 'DIMENSION_MISMATCH', 'vectors'],
  [
    'chunks of two lengths',
    { body: 'x', vectors: [new Float32Array(3), new Float32Array(2)] },
    'DIMENSION_MISMATCH',
    'vectors[1]',
  ],
  [
    'a cycle of a second',
    { body: 'x', cycles: [{ periodSeconds: 1, amplitude: 1, phaseSeconds: 0 }] },
    'INVALID_RECORD',
    'cycles[0].periodSeconds',
  ],
]

const badQueries: readonly (readonly [string, unknown, string, string | undefined])[] = [
  ['nothing', undefined, 'INVALID_ARGUMENT', 'query'],
  ['an unknown field', { texte: 'x' }, 'INVALID_ARGUMENT', 'query.texte'],
  ['text that is none', { text: 5 }, 'INVALID_ARGUMENT', 'query.text'],
  ['a limit of none', { limit: 0 }, 'INVALID_ARGUMENT', 'query.limit'],
  ['a limit too large', { limit: 1001 }, 'INVALID_ARGUMENT', 'query.limit'],
  ['a share of none', { perSource: 0 }, 'INVALID_ARGUMENT', 'query.perSource'],
  ['a share too large', { perSource: 1001 }, 'INVALID_ARGUMENT', 'query.perSource'],
  ['a share in words', { perSource: '3' }, 'INVALID_ARGUMENT', 'query.perSource'],
  ['half a limit', { limit: 1.5 }, 'INVALID_ARGUMENT', 'query.limit'],
  ['a vector that is not finite', { vector: Float32Array.of(1, Infinity, 0) }, 'INVALID_ARGUMENT', 'query.vector'],
  ['a vector of another length', { vector: new Float32Array(4) }, 'DIMENSION_MISMATCH', 'query.vector'],
  ['a vector of none', { vector: new Float32Array(0) }, 'DIMENSION_MISMATCH', 'query.vector'],
  ['an unknown policy', { policy: 'toString' }, 'INVALID_POLICY', 'query.policy'],
  ['a scope that is none', { scope: 'all' }, 'INVALID_ARGUMENT', 'query.scope'],
  ['an unknown condition', { scope: { tag: 'x' } }, 'INVALID_ARGUMENT', 'query.scope.tag'],
  ['tags as a list', { scope: { tags: ['x'] } }, 'INVALID_ARGUMENT', 'query.scope.tags'],
  ['a time that is none', { scope: { time: { after: Number.NaN } } }, 'INVALID_ARGUMENT', 'query.scope.time.after'],
  ['undeclared metadata', { scope: { metadata: { other: 1 } } }, 'INVALID_ARGUMENT', 'scope.metadata.other'],
  [
    'metadata that is not a scalar',
    { scope: { metadata: { known: null } } },
    'INVALID_ARGUMENT',
    'query.scope.metadata.known',
  ],
  ['a prefix of its own', { prefix: 'first' }, 'INVALID_ARGUMENT', 'query.prefix'],
  ['a clock that is none', { now: Number.NaN }, 'INVALID_ARGUMENT', 'query.now'],
]

describe('bad input', () => {
  it('[E1] control: input at the limits is taken, and the dump shows it', async () => {
    const other = await openOver({ space: { name: 'three', dimensions: 3 }, metadataKeys: ['known'] })
    const empty = dump(other.database)
    const batch: readonly RecordInput[] = [
      { body: 'x', metadata: { a: 'x'.repeat(1_000), known: 1 } },
      { id: 'x'.repeat(512), body: 'x' },
      { body: 'y', tags: ['a'], createdAt: 8.64e15, updatedAt: 8.64e15 },
      { body: 'x', reasons: [{ code: 'mandatory' }], risks: [{ flag: 'governance_applies' }] },
      { body: 'z', vectors: [Float32Array.of(1, 0, 0), Float32Array.of(0, 1, 0)] },
    ]
    const { records } = await other.call('put', { batch })
    expect(records.map(({ outcome }) => outcome)).not.toContain('rejected')
    expect(dump(other.database)).not.toBe(empty)
    for (const query of [
      { limit: 1 },
      { limit: 1000 },
      { perSource: 1 },
      { perSource: 1000 },
      { now: 0 },
      { text: '' },
    ])
      expect(await other.call('recall', { query }), JSON.stringify(query)).toHaveProperty('hits')
  })

  it.each(badRecords)('[E1] put of %s', async (_name, record, code, field) => {
    const { records } = await call('put', { batch: [record as RecordInput] })
    expect(records).toEqual([expect.objectContaining({ outcome: 'rejected', code })])
    if (field !== undefined) expect(records[0]?.field).toBe(field)
    expect(dump(database)).toBe(before)
  })

  it.each(badQueries)('[E1] recall of %s', async (_name, query, code, field) => {
    await expect(call('recall', { query: query as never })).rejects.toMatchObject({ name: 'RecallError', code, field })
    expect(dump(database)).toBe(before)
  })

  it.each([
    ['put of no list', () => call('put', { batch: 'x' as never }), 'INVALID_ARGUMENT'],
    ['put of too many', () => call('put', { batch: Array(10_001).fill({ body: 'x' }) }), 'INVALID_ARGUMENT'],
    [
      'patch of a record that is not stored',
      () => call('patch', { id: 'nobody', fields: { title: 'x' } }),
      'INVALID_ARGUMENT',
    ],
    ['patch of an id', () => call('patch', { id: 'stored', fields: { id: 'other' } }), 'INVALID_ARGUMENT'],
    [
      'patch of an unknown field',
      () => call('patch', { id: 'stored', fields: { nose: 1 } as never }),
      'INVALID_RECORD',
    ],
    ['patch with no fields', () => call('patch', { id: 'stored', fields: null as never }), 'INVALID_ARGUMENT'],
    ['get of no list', () => call('get', { ids: 'stored' as never }), 'INVALID_ARGUMENT'],
    ['get of no string', () => call('get', { ids: [{}] as never }), 'INVALID_ARGUMENT'],
    ['forget of no list', () => call('forget', { ids: 'stored' as never }), 'INVALID_ARGUMENT'],
    ['forget of no string', () => call('forget', { ids: [5] as never }), 'INVALID_ARGUMENT'],
    ['forget of everything', () => call('forget', { scope: {} }), 'INVALID_ARGUMENT'],
    ['verifyForgotten of no string', () => call('verifyForgotten', { id: 5 as never }), 'INVALID_ARGUMENT'],
    ['count of undeclared metadata', () => call('count', { scope: { metadata: { other: 1 } } }), 'INVALID_ARGUMENT'],
    ['tags of no scope', () => call('tags', { scope: null as never }), 'INVALID_ARGUMENT'],
    ['list of too many', () => call('list', { filter: { limit: 1001 } }), 'INVALID_ARGUMENT'],
    ['list of undeclared metadata', () => call('list', { filter: { metadata: { other: 1 } } }), 'INVALID_ARGUMENT'],
    ['a clock that is none', () => call('put', { batch: [{ body: 'x' }] }, Number.NaN), 'INVALID_ARGUMENT'],
    ['a clock beyond time', () => call('put', { batch: [{ body: 'x' }] }, 9e15), 'INVALID_ARGUMENT'],
  ] as const)('[E1] %s', async (_name, attempt, code) => {
    await expect(attempt()).rejects.toMatchObject({ name: 'RecallError', code })
    expect(dump(database)).toBe(before)
  })

  it.each(['', 'x', '%%%', btoa('null'), btoa('["a",1,"b"]'), btoa('[1,2,3]'), 'é', btoa('[]').repeat(1000)])(
    '[E1] list with the cursor %j',
    async (cursor) => {
      await expect(call('list', { filter: { cursor } })).rejects.toMatchObject({ code: 'INVALID_CURSOR' })
    },
  )

  it('[E1] list with the cursor of another filter', async () => {
    const { call: other } = await openOver()
    await other('put', { batch: [{ body: 'a' }, { body: 'b' }] })
    const { nextCursor } = await other('list', { filter: { limit: 1 } })
    await expect(other('list', { filter: { cursor: nextCursor, kind: 'note' } })).rejects.toMatchObject({
      code: 'INVALID_CURSOR',
    })
  })

  it('[E1] nothing changed a prototype', () => {
    expect(Object.hasOwn(Object.prototype, 'a')).toBe(false)
  })

  it('[E1] every call after close is CLOSED', async () => {
    const { call: closed } = await openOver()
    await closed('close', {})
    for (const method of ['status', 'close', 'destroy'] as const)
      await expect(closed(method, {})).rejects.toMatchObject({ code: 'CLOSED' })
    await expect(closed('recall', { query: {} })).rejects.toMatchObject({ code: 'CLOSED' })
  })
})
