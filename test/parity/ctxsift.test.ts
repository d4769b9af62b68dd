/**
 * Tests CtxSift's numbers, docs/spec/ranking.md#staged-fusion and #parity-vectors: each case once by the oracle, once by the
 * engine. Scores are integers, next to the sum they come from.
 */
import { describe, expect, it } from 'vitest'
import type { FileState } from '../../src/core/evidence/freshness.ts'
import type { RecallQuery } from '../../src/core/model/query.ts'
import { type CtxsiftQuery, recallByCtxsift } from '../support/oracles/ctxsift.ts'
import { oracleRecordOf } from '../support/oracles/oracle-record.ts'
import { openForPolicies } from '../support/stores/open-for-policies.ts'
import { cases, now } from './ctxsift-cases.ts'

/** Files of the records below, by their state. */
const states: readonly FileState[] = [
  { path: 'kept.txt', exists: true },
  { path: 'changed.txt', exists: true, git: 'M' },
  { path: 'deleted.txt', exists: false },
]

describe('the oracle', () => {
  it.each(cases)('$name', ({ records, query, hits, left = [], matched }) => {
    const answer = recallByCtxsift(records.map(oracleRecordOf), states, query)
    expect(answer.hits.map(({ id, score }) => [id, score])).toEqual(hits)
    const others = answer.candidates.slice(answer.hits.length).map(({ id, score }) => [id, score])
    for (const one of left) expect(others).toContainEqual(one)
    if (matched !== undefined) expect(answer.hits[0]?.matched).toEqual(matched)
  })
})

describe('the engine', () => {
  it.each(cases)('$name', async ({ name, records, query, hits, left = [], matched }) => {
    const store = await openForPolicies(name.slice(0, 40), now)
    await store.put(records)
    await store.checkFiles(states)
    const asked: RecallQuery & CtxsiftQuery = { ...query, policy: 'ctxsift', explain: true }
    const answer = await store.recall(asked)
    await store.destroy()
    expect(answer.hits.map(({ id, score }) => [id, score])).toEqual(hits)
    const others = answer.ledger?.map(({ id, score }) => [id, score])
    for (const one of left) expect(others).toContainEqual(one)
    if (matched !== undefined) expect(answer.hits[0]?.matched.map(sourceName)).toEqual(matched.map(sourceName))
  })
})

/** Scrubjay's field names are those of the source. */
function sourceName(field: string): string {
  return { body: 'compressed_output', paths: 'file_paths', terms: 'extracted_terms' }[field] ?? field
}
