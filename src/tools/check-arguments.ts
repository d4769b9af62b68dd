/** Checks a model's arguments against their schema. Throws `INVALID_ARGUMENT` with a text that the model can act on. */
import { recallError } from '../core/model/errors.ts'
import { isPlainObject } from '../core/model/plain-object.ts'
import type { ArgumentSchema, ArgumentsSchema } from './definitions.ts'

export type CheckedArguments = Readonly<Record<string, unknown>>

/** Parses and checks arguments, an object or its JSON text. Leaves out null, which some models use for "none". */
export function checkArguments(schema: ArgumentsSchema, input: unknown): CheckedArguments {
  const value = typeof input === 'string' ? parseJson(input) : input
  if (!isPlainObject(value)) throw wrong('arguments', value, 'must be an object', 'Give an object.')
  const checked: Record<string, unknown> = {}
  for (const [name, argument] of Object.entries(value)) {
    const property = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
    if (property === undefined) {
      throw wrong(
        name,
        argument,
        'must be a known argument',
        `Use one of ${Object.keys(schema.properties).join(', ')}.`,
      )
    }
    if (argument === null || argument === undefined) continue
    check(property, argument, name)
    checked[name] = argument
  }
  for (const name of schema.required) {
    if (checked[name] === undefined) throw wrong(name, checked[name], 'is required', `Give ${name}.`)
  }
  return checked
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw wrong('arguments', text, 'must be JSON', 'Give an object as JSON.')
  }
}

function check(schema: ArgumentSchema, value: unknown, field: string): void {
  if (schema.type === 'string') checkString(schema, value, field)
  else if (schema.type === 'array') checkArray(schema, value, field)
  else checkNumber(schema, value, field)
}

function checkString(schema: Extract<ArgumentSchema, { type: 'string' }>, value: unknown, field: string): void {
  const { minLength = 0, maxLength = Number.MAX_SAFE_INTEGER } = schema
  if (typeof value !== 'string') throw wrong(field, value, 'must be a string', 'Give a string.')
  if (value.length < minLength || value.length > maxLength) {
    throw wrong(field, value, `must have ${minLength} to ${maxLength} characters`, 'Give a string of this length.')
  }
  if (schema.format === 'date-time' && !(dateTime.test(value) && Number.isFinite(Date.parse(value)))) {
    throw wrong(field, value, 'must be a time', 'Give a time such as 2026-01-31T09:30:00Z.')
  }
}

/** A date without a time means the start of the day in UTC. */
const dateTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/

function checkNumber(
  schema: Extract<ArgumentSchema, { type: 'integer' | 'number' }>,
  value: unknown,
  field: string,
): void {
  const { type, minimum = -Infinity, maximum = Infinity } = schema
  const isOfType = type === 'integer' ? Number.isInteger(value) : Number.isFinite(value)
  if (isOfType && (value as number) >= minimum && (value as number) <= maximum) return
  throw wrong(
    field,
    value,
    `must be ${type === 'integer' ? 'an integer' : 'a number'} from ${minimum} to ${maximum}`,
    'Give a number in this range.',
  )
}

function checkArray(schema: Extract<ArgumentSchema, { type: 'array' }>, value: unknown, field: string): void {
  const { items, minItems = 0, maxItems = Number.MAX_SAFE_INTEGER } = schema
  if (!Array.isArray(value)) throw wrong(field, value, 'must be an array', 'Give an array.')
  if (value.length < minItems || value.length > maxItems) {
    throw wrong(field, value, `must have ${minItems} to ${maxItems} elements`, 'Give an array of this length.')
  }
  for (const [i, element] of value.entries()) check(items, element, `${field}[${i}]`)
}

function wrong(field: string, value: unknown, problem: string, hint: string) {
  return recallError('INVALID_ARGUMENT', problem, { field, value, hint })
}
