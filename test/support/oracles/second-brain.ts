/**
 * A second implementation of docs/spec/ranking.md#product-fusion, from its text: cosine, decayed by tag and raised by use,
 * times importance; and of tag-scoped recall: the exact cosine of every record of a scope.
 */
import type { Scope } from '../../../src/core/model/query.ts'
import type { RecordInput } from '../../../src/core/model/record.ts'
import { plainCosine } from '../brute-force.ts'
import { isInScope } from '../scope-oracle.ts'
import { bestCosineOf, descending, type OracleRecord } from './oracle-record.ts'

export const secondBrainConstants = {
  /** Days; the first of these tags that the record has. */
  halfLives: [
    ['task', 7],
    ['context', 180],
    ['work', 90],
  ] as readonly (readonly [string, number])[],
  otherHalfLife: 30,
}

export interface ScoredId {
  readonly id: string
  readonly score: number
}

/** All records with a vector, best first. Age by createdAt; ties by updatedAt, newer first, then id. */
export function secondBrainRanking(
  records: readonly OracleRecord[],
  vector: Float32Array,
  now: number,
  accessCounts: Readonly<Record<string, number>> = {},
  constants = secondBrainConstants,
): ScoredId[] {
  return ranked(records, (record) => {
    const cosine = bestCosineOf(record, vector)
    if (cosine === undefined) return undefined
    const ageDays = Math.max(0, now - record.createdAt) / 86_400_000
    const days = constants.halfLives.find(([tag]) => record.tags.includes(tag))?.[1] ?? constants.otherHalfLife
    const decay = Math.min(1, Math.exp(-ageDays / days) * (1 + Math.log(1 + (accessCounts[record.id] ?? 0))))
    return cosine * decay * record.importance
  })
}

/** Every vector of a scope, by its exact cosine alone: the records that tag-scoped recall must find. */
export function tagScopedRanking(
  records: readonly (RecordInput & { readonly id: string })[],
  scope: Scope,
  vector: Float32Array,
): ScoredId[] {
  return ranked(
    records.filter((record) => isInScope(record, scope)),
    ({ vectors }) => (vectors instanceof Float32Array ? plainCosine(vector, vectors) : undefined),
  )
}

function ranked<T extends { readonly id: string; readonly updatedAt?: number | undefined }>(
  records: readonly T[],
  scoreOf: (record: T) => number | undefined,
): ScoredId[] {
  return records
    .flatMap((record) => {
      const score = scoreOf(record)
      return score === undefined ? [] : [{ record, score }]
    })
    .sort((a, b) =>
      descending([a.score, a.record.updatedAt ?? 0, a.record.id], [b.score, b.record.updatedAt ?? 0, b.record.id]),
    )
    .map(({ record, score }) => ({ id: record.id, score }))
}
