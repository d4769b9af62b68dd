/**
 * [E1] Checks that every code is reachable. The type makes the table complete: a new code does not compile until it is
 * in the table.
 */
import { describe, expect, it } from 'vitest'
import { type ErrorCode, errorCodes } from '../../../src/core/model/errors.ts'
import { policies } from '../../../src/core/policies/policies.ts'
import { precomputed } from '../../../src/embedders/index.ts'
import { openRecall, RecallError } from '../../../src/index.ts'
import { checkVersion } from '../../../src/protocol/handshake.ts'
import { openOver } from '../../support/stores/open-over.ts'

const vector = new Float32Array([1, 0, 0])

/** The call that gives the code here, or the file where it is tested. */
const reached: Readonly<Record<ErrorCode, (() => Promise<unknown>) | string>> = {
  INVALID_RECORD: async () => (await opened()).put({ body: ' ' }),
  INVALID_ARGUMENT: async () => (await opened()).recall({ limit: 0 }),
  INVALID_CONFIG: () => openRecall({ stemmer: 'snowball' as never }),
  INVALID_POLICY: async () =>
    (await opened()).recall({ text: 'x', policy: { ...policies.balanced, depths: {} } as never }),
  INVALID_CURSOR: async () => (await opened()).list({ cursor: 'not a cursor' }),
  UNKNOWN_REASON_CODE: async () => (await opened()).put({ body: 'x', reasons: [{ code: 'user_pined' }] }),
  UNKNOWN_RISK_FLAG: async () => (await opened()).put({ body: 'x', risks: [{ flag: 'governance_aplies' }] }),
  DIMENSION_MISMATCH: async () => (await opened()).recall({ vector: new Float32Array(4) }),
  SPACE_MISMATCH: async () => (await openRecall({ name: 'words', embedder: null })).recall({ vector }),
  QUOTA_EXCEEDED: async () => {
    const { call, database } = await openOver()
    database.execute('PRAGMA max_page_count=1')
    return call('put', { batch: Array.from({ length: 40 }, (_, i) => ({ body: `${i} `.repeat(30_000) })) })
  },
  STORAGE_UNAVAILABLE: () => openRecall({ storage: 'opfs' }),
  STORE_BUSY: 'test/browser/storage/persistence.browser.test.ts',
  STORE_CORRUPT: async () => {
    const { call, database } = await openOver()
    await call('put', { batch: [{ body: 'jay' }] })
    database.execute('PRAGMA foreign_keys=OFF')
    database.execute('DROP TRIGGER records_deleted')
    database.execute('DELETE FROM records')
    return call('recall', { query: { text: 'jay' } })
  },
  STORE_NEWER: async () => {
    const { database, reopen } = await openOver()
    database.execute('PRAGMA user_version=99')
    return reopen()
  },
  LOCKED: 'test/integration/storage/file/locked-file.test.ts',
  WRONG_KEY: 'test/integration/storage/file/locked-file.test.ts',
  DATA_MISSING: 'test/browser/storage/persistence.browser.test.ts',
  LEADER_LOST: 'test/integration/client/call-ends.test.ts',
  DEADLINE_EXCEEDED: 'test/integration/client/call-ends.test.ts',
  VERSION_SKEW: async () => checkVersion(0),
  CLOSED: async () => {
    const recall = await openRecall({ name: 'closing', embedder: null })
    await recall.close()
    return recall.count()
  },
  ABORTED: async () => (await opened()).recall('x', { signal: AbortSignal.abort() }),
}

const opened = () => openRecall({ name: 'codes', embedder: precomputed(3, 'codes') })

describe('the catalogue', () => {
  it.each(errorCodes.filter((code) => typeof reached[code] !== 'string'))('[E1] %s', async (code) => {
    const failure = await (reached[code] as () => Promise<unknown>)().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(RecallError)
    expect(failure).toMatchObject({ code, message: expect.stringMatching(/^\S.{10}/) })
  })

  it('[E1] names the nearest known code', async () => {
    const recall = await opened()
    await expect(recall.put({ body: 'x', reasons: [{ code: 'user_pined' }] })).rejects.toThrow('user_pinned')
    await expect(recall.put({ body: 'x', risks: [{ flag: 'governance_aplies' }] })).rejects.toThrow(
      'governance_applies',
    )
  })

  it('[E1] SPACE_MISMATCH and DIMENSION_MISMATCH apply to records, too', async () => {
    const words = await openRecall({ name: 'words', embedder: null })
    await expect(words.put({ body: 'x', vectors: vector })).rejects.toMatchObject({ code: 'SPACE_MISMATCH' })
    const four = new Float32Array(4)
    await expect((await opened()).put({ body: 'x', vectors: four })).rejects.toMatchObject({
      code: 'DIMENSION_MISMATCH',
    })
  })
})

describe('a damaged store', () => {
  it('[E1] STORE_CORRUPT: a vector without its record ends in an error, not in a loop', async () => {
    const { call, database, reopen } = await openOver({ space: { name: 'three', dimensions: 3 } })
    await call('put', { batch: [{ body: 'jay', vectors: vector }] })
    database.execute('DELETE FROM records')
    await expect(reopen().call('recall', { query: { vector } })).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
  })

  it('[E1] STORE_CORRUPT: a code without its vector', async () => {
    const { call, database } = await openOver({ space: { name: 'three', dimensions: 3 } })
    await call('put', { batch: [{ body: 'jay', vectors: Float32Array.of(1, 2, 3) }] })
    database.execute('DELETE FROM vectors')
    await expect(call('recall', { query: { vector } })).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
  })

  it('[E1] STORE_CORRUPT: a database of another program', async () => {
    const { database, reopen } = await openOver()
    database.execute('PRAGMA application_id=1')
    expect(() => reopen()).toThrow(expect.objectContaining({ code: 'STORE_CORRUPT' }))
  })
})

describe('a policy that could break a score', () => {
  const { balanced } = policies
  const { lexical, fusion } = balanced
  it.each([
    ['a negative saturation', { ...balanced, lexical: { ...lexical, k1: -1 } }, 'lexical.k1'],
    ['a negative prior', { ...balanced, lexical: { ...lexical, lengthPrior: -20 } }, 'lexical.lengthPrior'],
    ['a share above one', { ...balanced, lexical: { ...lexical, b: 1.5 } }, 'lexical.b'],
    ['a negative weight', { ...balanced, fusion: { ...fusion, cosine: -1 } }, 'fusion.cosine'],
    ['an endless weight', { ...balanced, fusion: { ...fusion, lexical: 1e300 } }, 'fusion.lexical'],
    [
      'no offset',
      { ...balanced, fusion: { ...fusion, meaning: { ...fusion.meaning, peakOffset: 0 } } },
      'fusion.meaning.peakOffset',
    ],
    [
      'a clamp upside down',
      { ...balanced, fusion: { ...fusion, meaning: { ...fusion.meaning, clamp: [2, 1] } } },
      'fusion.meaning.clamp',
    ],
    ['a fractional depth', { ...balanced, depths: { ...balanced.depths, vector: 1000.5 } }, 'depths.vector'],
    ['a shallow channel', { ...balanced, depths: { ...balanced.depths, lexical: 10 } }, 'depths.lexical'],
    ['no limit', { ...balanced, defaultLimit: 0 }, 'defaultLimit'],
    ['a part too many', { ...balanced, nose: 1 }, 'nose'],
    ['not a number', { ...balanced, version: Number.NaN }, 'version'],
  ])('[G1] %s is INVALID_POLICY', async (_name, policy, field) => {
    const failure = (await opened()).recall({ text: 'x', policy: policy as never })
    await expect(failure).rejects.toMatchObject({ code: 'INVALID_POLICY', field: `policy.${field}` })
  })
})
