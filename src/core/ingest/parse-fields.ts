/**
 * The small parsers of record and query fields. Each error names the field, the value and the hint.
 * No value is converted: a number in quotes is an error.
 */
import { type ErrorCode, isDate, type RecallError, recallError } from '../model/errors.ts'
import type { NamedPlace } from '../model/names-elsewhere.ts'
import { suggestName } from '../model/nearest.ts'
import { isPlainObject, prototypeNames } from '../model/plain-object.ts'
import type { Metadata, MetadataValue } from '../model/record.ts'
import { tuning } from '../model/tuning.ts'
import { canonicalJson } from '../text/hash/canonical.ts'
import { wellFormed } from '../text/tokenise/well-formed.ts'

type Given = Readonly<Record<string, unknown>>

export function refuse(
  field: string,
  value: unknown,
  problem: string,
  hint: string,
  code: ErrorCode = 'INVALID_RECORD',
): RecallError {
  return recallError(code, problem, value === undefined ? { field, hint } : { field, value, hint })
}

/** Suggestions for errors of `parseObject`. */
interface Suggestions {
  /** The kind of object, whose field names in other libraries are suggested. */
  readonly place?: NamedPlace
  /** The hint for a value that is not an object. Default: an object with the first two known names. */
  readonly instead?: string
}

/** A plain object with known keys only. The error names the first unknown key. */
export function parseObject(
  input: unknown,
  field: string,
  known: ReadonlySet<string>,
  code: ErrorCode = 'INVALID_RECORD',
  { place, instead = `Give an object such as { ${[...known].slice(0, 2).join(', ')} }.` }: Suggestions = {},
): Given {
  if (!isPlainObject(input)) throw refuse(field, input, 'must be an object', instead, code)
  for (const key of Object.keys(input)) {
    if (known.has(key)) continue
    const at = place === 'record' ? key : `${field}.${key}`
    const own = place === 'record' ? ' Fields of your own belong under metadata.' : ''
    throw refuse(at, input[key], 'must be a known field', `${suggestName(key, known, place)}${own}`, code)
  }
  return input
}

export function requiredString(
  value: unknown,
  field: string,
  maxLength: number,
  code: ErrorCode = 'INVALID_RECORD',
): string {
  if (typeof value !== 'string') throw refuse(field, value, 'must be a string', 'Give a string.', code)
  if (value.length === 0)
    throw refuse(field, value, 'must have at least one character', 'Give at least one character.', code)
  if (value.length > maxLength)
    throw refuse(field, value, `must have at most ${maxLength} characters`, 'Shorten it.', code)
  return wellFormed(value)
}

/** undefined and null mean absent; an empty string is kept. */
export function optionalString(
  given: Given,
  name: string,
  options: { readonly maxLength: number; readonly blank?: 'refuse'; readonly at?: string },
): string | null {
  const value = given[name]
  if (value === undefined || value === null) return null
  const field = options.at === undefined ? name : `${options.at}.${name}`
  if (typeof value !== 'string') throw refuse(field, value, 'must be a string', 'Give a string, or leave it out.')
  if (value.length > options.maxLength)
    throw refuse(field, value, `must have at most ${options.maxLength} characters`, 'Shorten it.')
  if (options.blank === 'refuse' && value.trim() === '')
    throw refuse(field, value, 'must have a character that is not a space', 'Give a word, or leave it out.')
  return wellFormed(value)
}

export function optionalBoolean(given: Given, name: string, at: string): boolean | null {
  const value = given[name]
  if (value === undefined || value === null) return null
  if (typeof value !== 'boolean') throw refuse(`${at}.${name}`, value, 'must be a boolean', 'Give true or false.')
  return value
}

export function optionalNumber(
  given: Given,
  name: string,
  bounds: { readonly min?: number; readonly max?: number; readonly integer?: boolean } = {},
  at?: string,
): number | null {
  const value = given[name]
  if (value === undefined || value === null) return null
  const field = at === undefined ? name : `${at}.${name}`
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw refuse(field, value, 'must be a finite number', isDate(value) ? asTime(value) : 'Give a finite number.')
  if (bounds.integer === true && !Number.isSafeInteger(value))
    throw refuse(field, value, 'must be an integer', 'Give an integer.')
  if (bounds.min !== undefined && value < bounds.min)
    throw refuse(field, value, `must be at least ${bounds.min}`, `Give a number of at least ${bounds.min}.`)
  if (bounds.max !== undefined && value > bounds.max)
    throw refuse(field, value, `must be at most ${bounds.max}`, `Give a number of at most ${bounds.max}.`)
  return value === 0 ? 0 : value
}

/** The hint for a `Date` where a number is required. */
export function asTime(date: { getTime(): number }): string {
  const ms = date.getTime()
  const example = Number.isFinite(ms) ? `: ${ms}` : ''
  return `Times are milliseconds since the epoch. Give date.getTime()${example}.`
}

/** The hint for a text where a time is required. */
function asNumber(text: string): string {
  const example = /^\d+$/.test(text) ? text : `Date.parse(${JSON.stringify(text.slice(0, 40))})`
  return `Times are milliseconds since the epoch. Give the number ${example}.`
}

/** ms since the epoch; 0 is a valid time. */
export function parseTimestamp(given: Given, name: string, at?: string): number | null {
  const value = given[name]
  if (typeof value === 'string')
    throw refuse(at === undefined ? name : `${at}.${name}`, value, 'must be a time', asNumber(value))
  return optionalNumber(given, name, { min: -tuning.maxTimestampMs, max: tuning.maxTimestampMs }, at)
}

export function parseList<T>(
  value: unknown,
  field: string,
  max: number,
  parse: (entry: unknown, field: string) => T,
): readonly T[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw refuse(field, value, 'must be an array', 'Give an array.')
  if (value.length > max) throw refuse(field, value, `must have at most ${max} entries`, 'Give fewer entries.')
  // Array.from turns a hole into an entry, which is rejected.
  return Array.from(value, (entry, i) => parse(entry, `${field}[${i}]`))
}

/** Plain JSON of at most 16 KiB. Rejects keys that could reach a prototype. */
export function parseMetadata(value: unknown): Metadata {
  if (value === undefined || value === null) return {}
  const metadata = parseJson(value, 'metadata', 0)
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) {
    throw refuse('metadata', value, 'must be an object', 'Give a plain object.')
  }
  const bytes = utf8Length(canonicalJson(metadata))
  if (bytes > tuning.maxMetadataBytes) {
    throw refuse(
      'metadata',
      `${bytes} bytes`,
      `must be at most ${tuning.maxMetadataBytes} bytes of JSON`,
      'Put large values into body.',
    )
  }
  return metadata as Metadata
}

const maxJsonDepth = 32

function parseJson(value: unknown, field: string, depth: number): MetadataValue {
  if (depth > maxJsonDepth) throw refuse(field, undefined, `must have at most ${maxJsonDepth} levels`, 'Flatten it.')
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw refuse(field, value, 'must be a finite number', 'Give a finite number.')
    return value === 0 ? 0 : value
  }
  if (Array.isArray(value)) return Array.from(value, (entry, i) => parseJson(entry, `${field}[${i}]`, depth + 1))
  if (!isPlainObject(value))
    throw refuse(field, value, 'must be plain JSON', 'Give strings, numbers, booleans, null, arrays and plain objects.')
  const copy: Record<string, MetadataValue> = {}
  for (const key of Object.keys(value)) {
    if (prototypeNames.has(key))
      throw refuse(
        `${field}.${key}`,
        undefined,
        'must have another name',
        'Rename it: this name could reach a prototype.',
      )
    if (value[key] !== undefined) copy[key] = parseJson(value[key], `${field}.${key}`, depth + 1)
  }
  return copy
}

/** Bytes of the UTF-8 form; a lone surrogate counts as U+FFFD. */
export function utf8Length(text: string): number {
  let bytes = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) bytes += 1
    else if (unit < 0x800) bytes += 2
    else if (unit >= 0xd800 && unit < 0xdc00 && i + 1 < text.length && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      bytes += 4
      i++
    } else bytes += 3
  }
  return bytes
}
