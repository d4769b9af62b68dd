/**
 * Retrieval quality of results an app has in hand, however it came by them: hits of a recall or stored records.
 * Refuses to mix the two: their scores do not compare.
 */

import type { ExistenceFilter } from '../collections/existence-filter.ts'
import { checkNumber } from '../learning/check-number.ts'
import { type CompositeArm, compositeArms, compositeScore } from '../learning/composite-score.ts'
import type { RetrievalQuality } from '../model/assemble.ts'
import { recallError } from '../model/errors.ts'
import { suggestName } from '../model/nearest.ts'
import { isPlainObject } from '../model/plain-object.ts'
import type { StoredRecord } from '../model/record.ts'
import type { Hit } from '../model/result.ts'
import { tuning } from '../model/tuning.ts'
import { armsOf } from './arms.ts'
import { noQuality, retrievalQuality } from './retrieval-quality.ts'

export interface QualityOptions {
  /** What was looked for: values by a label of your choice. Without cues the feeling of knowing is 0. */
  readonly cues?: Readonly<Record<string, string>> | undefined
  /** Weights of the composite score. Default none: then spread and staleness are 0 and the distribution is empty. */
  readonly scoreWeights?: Readonly<Partial<Record<CompositeArm, number>>> | undefined
  /** The most that may be selected. Default 10. */
  readonly maxItems?: number | undefined
  /** Scores below this are faint. Default 0.5. */
  readonly surfacingThreshold?: number | undefined
  /** Says whether a cue might be known. Default none: every cue is half familiar. */
  readonly filter?: ExistenceFilter | undefined
  /** ms; ages are counted up to it. Default: the latest updatedAt among the records. */
  readonly now?: number | undefined
}

/**
 * The measures of these records, which count as candidates and as selected. Ages count from updatedAt; the access arm
 * is 0, because a record does not say how often it was read. No records: all zeros. Throws `INVALID_ARGUMENT`.
 */
export function qualityOf(
  given: readonly Hit[] | readonly StoredRecord[],
  options: QualityOptions = {},
): RetrievalQuality {
  const { cues = {}, scoreWeights, filter, maxItems = 10, surfacingThreshold = tuning.surfacingThreshold } = options
  checkCues(cues)
  checkWeights(scoreWeights)
  checkNumber('maxItems', maxItems, 0)
  checkNumber('surfacingThreshold', surfacingThreshold)
  const records = recordsOf(given)
  const nowMs =
    options.now ?? records.reduce((latest, { updatedAt }) => Math.max(latest, updatedAt), -tuning.maxTimestampMs)
  checkNumber('now', nowMs, -tuning.maxTimestampMs, tuning.maxTimestampMs)
  if (records.length === 0) return noQuality
  const arms = records.map((record) => armsOf(record, nowMs))
  const composites = arms.map((own) => compositeScore(own, scoreWeights ?? {}))
  return retrievalQuality({
    cues: Object.fromEntries(
      Object.entries(cues).map(([label, cue]) => [label, filter === undefined ? null : filter.mightExist(cue)]),
    ),
    candidates: composites,
    selected: records.map((record, i) => ({
      confidence: record.confidence,
      scores: scoreWeights === undefined ? null : { composite: composites[i]!, decayed: arms[i]?.decay ?? 0 },
    })),
    maxItems,
    surfacingThreshold,
  })
}

function recordsOf(given: readonly Hit[] | readonly StoredRecord[]): readonly StoredRecord[] {
  if (!Array.isArray(given)) throw invalid('records', given, 'must be an array', 'Give hits or stored records.')
  const hits = given.filter(isHit)
  if (hits.length > 0 && hits.length < given.length) {
    const hint = 'Give hits alone or records alone. hit.record is the record of a hit.'
    throw invalid('records', given, 'must hold hits alone or stored records alone', hint)
  }
  const records = hits.length > 0 ? hits.map(({ record }) => record) : (given as readonly StoredRecord[])
  for (const [i, record] of records.entries()) {
    if (!isPlainObject(record) || typeof record.updatedAt !== 'number' || !Array.isArray(record.cycles)) {
      throw invalid(
        `records[${i}]`,
        record,
        'must be a stored record',
        'Give records that get, list or recall returned.',
      )
    }
  }
  return records
}

function isHit(given: unknown): given is Hit {
  return isPlainObject(given) && isPlainObject(given.record) && Array.isArray(given.contributions)
}

function checkCues(cues: Readonly<Record<string, string>>): void {
  if (!isPlainObject(cues))
    throw invalid('cues', cues, 'must be an object', 'Give an object that maps labels to strings.')
  for (const [label, cue] of Object.entries(cues)) {
    if (typeof cue !== 'string') throw invalid(`cues.${label}`, cue, 'must be a string', 'Give a string.')
  }
}

function checkWeights(weights: QualityOptions['scoreWeights']): void {
  if (weights === undefined) return
  if (!isPlainObject(weights))
    throw invalid(
      'scoreWeights',
      weights,
      'must be an object',
      'Give an object that maps parts of the score to weights.',
    )
  for (const arm of Object.keys(weights)) {
    if (compositeArms.some((known) => known === arm)) continue
    const hint = suggestName(arm, compositeArms)
    throw invalid(`scoreWeights.${arm}`, weights[arm as CompositeArm], 'must be a part of the composite score', hint)
  }
}

function invalid(field: string, value: unknown, problem: string, hint: string) {
  return recallError('INVALID_ARGUMENT', problem, { field, value, hint })
}
