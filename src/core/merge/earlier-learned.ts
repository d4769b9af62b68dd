/**
 * Brings learned state of stores and exports that kept no reports into the form of reports: a summary of the device `''`, which comes
 * right after the record's version. Predictions get stamps of their times.
 */
import type { LearnedState } from '../learning/apply-outcome.ts'
import { tuning } from '../model/tuning.ts'
import { unstamped } from './portable-stamp.ts'
import type { Prediction } from './predictions.ts'
import type { Reports } from './reports.ts'
import type { Stamp } from './stamp.ts'

/** The stamp of the earlier learned state: right after the version, so that its decay clock counts. */
export function earlierStamp({ at, count }: Stamp): Stamp {
  return { at, count: count + 1, device: '' }
}

/** Without amplitudes, which each cycle keeps as its start. Empty if nothing but amplitudes was learned. */
export function earlierReports(state: LearnedState, version: Stamp): Reports {
  const { confidence, touchedAt, resolvedAt, accessCount, accessedAt } = state
  const { confidence: value, evidence } = confidence
  if (
    value === tuning.startConfidence &&
    evidence === 0 &&
    touchedAt === null &&
    resolvedAt === null &&
    accessCount === 0
  )
    return []
  const stamp = earlierStamp(version)
  const summary = {
    state: { confidence, touchedAt, resolvedAt, accessCount, accessedAt, amplitudes: [1] },
    touchedBy: touchedAt === null ? null : stamp,
    resolvedBy: resolvedAt === null ? null : stamp,
    settledBy: null,
    through: stamp,
    marks: [],
  }
  return [{ device: '', summary, listed: [] }]
}

/** A prediction as versions without stamps kept it. */
export type Unstamped = Omit<Prediction, 'made' | 'resolvedBy'>

/** Stamps for the predictions of one record, which are in the order of their times. */
export function withStamps(predictions: readonly Unstamped[]): readonly Prediction[] {
  let last: Stamp | null = null
  return predictions.map((prediction) => {
    const at: number = Math.floor(prediction.createdAt)
    const made: Stamp = unstamped(at, last?.at === at ? last.count + 1 : 0)
    last = made
    const { resolvedAt } = prediction
    return { ...prediction, made, resolvedBy: resolvedAt === null ? null : unstamped(resolvedAt) }
  })
}
