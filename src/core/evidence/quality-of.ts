/**
 * Computes the retrieval quality of hits or stored records that an app has.
 * Rejects a mix of the two, because their scores cannot be compared.
 */

import type { ExistenceFilter } from '../collections/existence-filter.ts'
import { checkNumber } from '../learning/check-number.ts'
import { type CompositeComponent, compositeComponents, compositeScore } from '../learning/composite-score.ts'
import type { RetrievalQuality } from '../model/assemble.ts'
import { recallError } from '../model/errors.ts'
import { suggestName } from '../model/nearest.ts'
import { isPlainObject } from '../model/plain-object.ts'
import type { StoredRecord } from '../model/record.ts'
import type { Hit } from '../model/result.ts'
import { tuning } from '../model/tuning.ts'
import { componentsOf } from './composite-components.ts'
import { noQuality, retrievalQuality } from './retrieval-quality.ts'

export interface QualityOptions {
  /** The cues of the retrieval: values by labels of your choice. Without cues the feeling of knowing is 0. */
  readonly cues?: Readonly<Record<string, string>> | undefined
  /** Weights of the composite score. Without weights, spread and staleness are 0 and the distribution is empty. */
  readonly scoreWeights?: Readonly<Partial<Record<CompositeComponent, number>>> | undefined
  /** Most records that may be selected. Default 10. */
  readonly maxItems?: number | undefined
  /** Scores below this are faint. Default 0.5. */
  readonly surfacingThreshold?: number | undefined
  /** Says whether the store might contain a cue. Without a filter the familiarity of every cue is 0.5. */
  readonly filter?: ExistenceFilter | undefined
  /** Time for ages, ms. Default: the latest updatedAt of the records. */
  readonly now?: number | undefined
}

/**
 * The measures of these records, which count as candidates and as selected. Ages count from updatedAt. The access component is
 * 0, because a record has no read count. Without records all measures are 0. Throws `INVALID_ARGUMENT` for invalid options.
 */
export function qualityOf(
  results: readonly Hit[] | readonly StoredRecord[],
  options: QualityOptions = {},
): RetrievalQuality {
  const { cues = {}, scoreWeights, filter, maxItems = 10, surfacingThreshold = tuning.surfacingThreshold } = options
  checkCues(cues)
  checkWeights(scoreWeights)
  checkNumber('maxItems', maxItems, 0)
  checkNumber('surfacingThreshold', surfacingThreshold)
  const records = recordsOf(results)
  const nowMs =
    options.now ?? records.reduce((latest, { updatedAt }) => Math.max(latest, updatedAt), -tuning.maxTimestampMs)
  checkNumber('now', nowMs, -tuning.maxTimestampMs, tuning.maxTimestampMs)
  if (records.length === 0) return noQuality
  const components = records.map((record) => componentsOf(record, nowMs))
  const composites = components.map((own) => compositeScore(own, scoreWeights ?? {}))
  return retrievalQuality({
    cues: Object.fromEntries(
      Object.entries(cues).map(([label, cue]) => [label, filter === undefined ? null : filter.mightExist(cue)]),
    ),
    candidates: composites,
    selected: records.map((record, i) => ({
      confidence: record.confidence,
      scores: scoreWeights === undefined ? null : { composite: composites[i]!, decayed: components[i]?.decay ?? 0 },
    })),
    maxItems,
    surfacingThreshold,
  })
}

function recordsOf(results: readonly Hit[] | readonly StoredRecord[]): readonly StoredRecord[] {
  if (!Array.isArray(results)) throw invalid('records', results, 'must be an array', 'Pass hits or stored records.')
  const hits = results.filter(isHit)
  if (hits.length > 0 && hits.length < results.length) {
    const hint = 'Pass only hits or only records. hit.record is the record of a hit.'
    throw invalid('records', results, 'must contain only hits or only stored records', hint)
  }
  const records = hits.length > 0 ? hits.map(({ record }) => record) : results
  for (const [i, record] of records.entries()) {
    if (!isPlainObject(record) || typeof record.updatedAt !== 'number' || !Array.isArray(record.cycles)) {
      throw invalid(
        `records[${i}]`,
        record,
        'must be a stored record',
        'Pass records that get, list or recall returned.',
      )
    }
  }
  return records
}

function isHit(entry: unknown): entry is Hit {
  return isPlainObject(entry) && isPlainObject(entry.record) && Array.isArray(entry.contributions)
}

function checkCues(cues: Readonly<Record<string, string>>): void {
  if (!isPlainObject(cues))
    throw invalid('cues', cues, 'must be an object', 'Pass an object that maps labels to strings.')
  for (const [label, cue] of Object.entries(cues)) {
    if (typeof cue !== 'string') throw invalid(`cues.${label}`, cue, 'must be a string', 'Pass a string.')
  }
}

function checkWeights(weights: QualityOptions['scoreWeights']): void {
  if (weights === undefined) return
  if (!isPlainObject(weights))
    throw invalid(
      'scoreWeights',
      weights,
      'must be an object',
      'Pass an object that maps components of the score to weights.',
    )
  for (const component of Object.keys(weights)) {
    if (compositeComponents.some((known) => known === component)) continue
    const hint = suggestName(component, compositeComponents)
    throw invalid(
      `scoreWeights.${component}`,
      weights[component as CompositeComponent],
      'must be a component of the composite score',
      hint,
    )
  }
}

function invalid(field: string, value: unknown, problem: string, hint: string) {
  return recallError('INVALID_ARGUMENT', problem, { field, value, hint })
}
