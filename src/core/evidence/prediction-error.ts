/**
 * Computes the error of a prediction: compares two sets of named values, key by key, and averages.
 * Values are compared exactly: without fuzzy text and nested objects.
 */
import { compareCodePoints } from '../text/hash/code-point-order.ts'

export type PredictedValue = number | string | boolean | null

/** Values by name. A single value counts as one value without a name. */
export type Prediction = PredictedValue | { readonly [key: string]: PredictedValue }

/**
 * The mean error over all keys of both sides; 0 without keys. Two numbers: |p − a| / max(|p|, |a|, 1), which is in [0, 1] for
 * numbers of the same sign and reaches 2 for opposite ones. Any other pair: 0 if equal, else 1. A key that one side lacks: 1.
 * (Popoto's formula; docs/spec/learning.md#predictions.)
 */
export function predictionError(expected: Prediction, actual: Prediction): number {
  const predicted = valuesByKey(expected)
  const observed = valuesByKey(actual)
  // In a fixed order: a sum of doubles depends on it, and the order of the keys must not matter.
  const keys = [...new Set([...predicted.keys(), ...observed.keys()])].sort(compareCodePoints)
  const errors = keys.map((key) => errorOfValue(predicted.get(key), observed.get(key)))
  return keys.length === 0 ? 0 : errors.reduce((sum, error) => sum + error, 0) / keys.length
}

function valuesByKey(prediction: Prediction): Map<string, PredictedValue> {
  return new Map(
    typeof prediction === 'object' && prediction !== null ? Object.entries(prediction) : [['', prediction]],
  )
}

function errorOfValue(predicted: PredictedValue | undefined, observed: PredictedValue | undefined): number {
  if (typeof predicted !== 'number' || typeof observed !== 'number') return predicted === observed ? 0 : 1
  if (!Number.isFinite(predicted) || !Number.isFinite(observed)) return Object.is(predicted, observed) ? 0 : 1
  const largest = Math.max(Math.abs(predicted), Math.abs(observed), 1)
  const difference = Math.abs(predicted - observed)
  // For numbers near ±1.8e308 the difference overflows; the difference of their shares does not.
  return difference === Infinity ? Math.abs(predicted / largest - observed / largest) : difference / largest
}
