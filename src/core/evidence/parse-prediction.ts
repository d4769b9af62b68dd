/** Validates predictions: a single value, or values by name, small enough to store. */
import { refuse, utf8Length } from '../ingest/parse-fields.ts'
import { isPlainObject } from '../model/plain-object.ts'
import { tuning } from '../model/tuning.ts'
import { canonicalJson } from '../text/hash/canonical.ts'
import type { Prediction } from './prediction-error.ts'

/** Throws `INVALID_ARGUMENT` with the field of an invalid value: nested objects, NaN, functions, more than 16 KiB of JSON. */
export function parsePrediction(input: unknown, field: string): Prediction {
  if (isPlainObject(input)) {
    for (const [name, value] of Object.entries(input)) checkValue(value, `${field}.${name}`)
  } else checkValue(input, field)
  const bytes = utf8Length(canonicalJson(input))
  if (bytes > tuning.maxMetadataBytes) {
    const problem = `must be at most ${tuning.maxMetadataBytes} bytes of JSON`
    throw refuse(field, `${bytes} bytes`, problem, 'Predict fewer values.', 'INVALID_ARGUMENT')
  }
  return input as Prediction
}

function checkValue(value: unknown, field: string): void {
  const isValue =
    value === null ||
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    (typeof value === 'number' && Number.isFinite(value))
  if (isValue) return
  const hint = 'Pass a string, a finite number, a boolean, null, or an object of these.'
  throw refuse(field, value, 'must be a string, a finite number, a boolean or null', hint, 'INVALID_ARGUMENT')
}
