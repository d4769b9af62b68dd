/** Validates conditions on metadata in a scope: a value, a list of values, or a range. */
import { asTime, parseObject, refuse } from '../ingest/parse-fields.ts'
import { isDate } from '../model/errors.ts'
import { isPlainObject } from '../model/plain-object.ts'
import { tuning } from '../model/tuning.ts'

const invalid = 'INVALID_ARGUMENT'

export function checkMetadataScope(given: unknown, field: string): void {
  if (!isPlainObject(given)) throw refuse(field, given, 'must be an object', 'Give a plain object.', invalid)
  for (const [name, condition] of Object.entries(given)) checkCondition(condition, `${field}.${name}`)
}

function checkCondition(condition: unknown, field: string): void {
  if (isScalar(condition)) return
  if (Array.isArray(condition)) return checkList(condition, field)
  if (isPlainObject(condition)) return checkRange(condition, field)
  const hint = isDate(condition) ? asTime(condition) : 'Give a value, a list of values, or { from, before }.'
  const problem = 'must be a string, a number, a boolean, a list of these, or a range'
  throw refuse(field, condition, problem, hint, invalid)
}

function checkList(values: readonly unknown[], field: string): void {
  if (values.length > tuning.maxPutBatch)
    throw refuse(field, values, `must have at most ${tuning.maxPutBatch} entries`, 'Give fewer entries.', invalid)
  for (const [i, value] of values.entries()) {
    if (isScalar(value)) continue
    const problem = 'must be a string, a number or a boolean'
    throw refuse(`${field}[${i}]`, value, problem, 'Give a string, a number or a boolean.', invalid)
  }
}

function checkRange(given: object, field: string): void {
  const range = parseObject(given, field, new Set(['from', 'before']), invalid)
  const bounds = Object.entries(range).filter(([, bound]) => bound !== undefined)
  for (const [name, bound] of bounds) {
    if (isScalar(bound) && typeof bound !== 'boolean') continue
    const hint = isDate(bound) ? asTime(bound) : 'Give a finite number or a string.'
    throw refuse(`${field}.${name}`, bound, 'must be a finite number or a string', hint, invalid)
  }
  if (bounds.length === 0) throw refuse(field, given, 'must have a bound', 'Give from, before, or both.', invalid)
  if (bounds.length === 2 && typeof range.from !== typeof range.before) {
    const problem = 'must be of the type of from'
    throw refuse(`${field}.before`, range.before, problem, 'Give two numbers or two strings.', invalid)
  }
}

function isScalar(value: unknown): boolean {
  return (
    typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
  )
}
