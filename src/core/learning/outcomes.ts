/**
 * The table of outcomes (docs/spec/learning.md#outcomes): what each outcome changes in the learned data of a record. `deferred` is the
 * outcome of an acknowledged record without an explicit one.
 */
import { recallError } from '../model/errors.ts'
import type { Outcome } from '../model/learned.ts'
import { suggestName } from '../model/nearest.ts'

export interface OutcomeEffects {
  /** Whether the decay clock is reset. */
  readonly touches: boolean
  /** Whether the read counts. */
  readonly confirmsRead: boolean
  /** Factor for the amplitudes of its cycles. */
  readonly amplitude: number
  /** Whether its pressure is relieved: always, never, or only at a very low confidence. */
  readonly resolves: 'always' | 'never' | 'when abandoned'
  /** Signal for its confidence; null: none. */
  readonly signal: number | null
  /** Error with which its open prediction is resolved; null: it stays open. */
  readonly predictionError: number | null
}

/** Popoto's table (docs/spec/learning.md#outcomes). */
export const outcomes: Readonly<Record<Outcome, OutcomeEffects>> = Object.freeze({
  acted: { touches: true, confirmsRead: true, amplitude: 1.2, resolves: 'always', signal: 0.9, predictionError: 0.1 },
  used: { touches: false, confirmsRead: true, amplitude: 1, resolves: 'never', signal: null, predictionError: 0.3 },
  dismissed: {
    touches: false,
    confirmsRead: false,
    amplitude: 0.8,
    resolves: 'never',
    signal: null,
    predictionError: 0.5,
  },
  deferred: {
    touches: false,
    confirmsRead: false,
    amplitude: 1,
    resolves: 'never',
    signal: null,
    predictionError: null,
  },
  contradicted: {
    touches: false,
    confirmsRead: false,
    amplitude: 0.5,
    resolves: 'when abandoned',
    signal: 0.1,
    predictionError: 0.9,
  },
})

/** The outcome of this name. Throws `INVALID_ARGUMENT` and suggests the nearest name. */
export function parseOutcome(value: unknown, field: string): Outcome {
  if (typeof value === 'string' && Object.hasOwn(outcomes, value)) return value as Outcome
  const names = Object.keys(outcomes)
  const hint = typeof value === 'string' ? suggestName(value, names) : `Use one of ${names.join(', ')}.`
  throw recallError('INVALID_ARGUMENT', 'must be an outcome', { field, value, hint })
}
