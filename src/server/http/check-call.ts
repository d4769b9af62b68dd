/**
 * Checks the shape of calls from clients: their method, the members of their request, and their context. The engine checks the values.
 * A wrong shape is an error of the caller, INVALID_ARGUMENT.
 */
import { type RecallError, recallError } from '../../core/model/errors.ts'
import { nearest } from '../../core/model/nearest.ts'
import { isPlainObject } from '../../core/model/plain-object.ts'
import type { Method } from '../../protocol/engine-api.ts'
import type { CallRequest } from '../../protocol/engine-host.ts'

/** Closing is the host's own business: other clients use the same engine. It has no locks. */
export type ClientMethod = Exclude<Method, 'close' | 'locks' | 'storedLocks' | 'lockNow'>

type Kind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'bytes' | 'any'

/** The members that a request must have, and those that it may have. */
interface Shape {
  readonly has?: Readonly<Record<string, Kind>>
  readonly may?: Readonly<Record<string, Kind>>
}

const nothing: Shape = {}

export const shapes: Readonly<Record<ClientMethod, Shape>> = {
  put: { has: { batch: 'array' }, may: { findContradictions: 'boolean' } },
  patch: { has: { id: 'string', fields: 'object' } },
  get: { has: { ids: 'array' } },
  versions: { has: { id: 'string' } },
  list: { may: { filter: 'object' } },
  count: { may: { scope: 'object' } },
  facets: { has: { request: 'object' } },
  suggest: { has: { prefix: 'string' }, may: { request: 'object' } },
  tags: { may: { scope: 'object' } },
  // One of `ids` and `scope`.
  forget: { may: { ids: 'array', scope: 'object', limit: 'number' } },
  verifyForgotten: { has: { id: 'string' } },
  recall: { has: { query: 'object' }, may: { withoutVector: 'string' } },
  assemble: { has: { query: 'object' }, may: { withoutVector: 'string' } },
  assess: { has: { query: 'object' }, may: { withoutVector: 'string' } },
  related: { has: { id: 'string' }, may: { request: 'object' } },
  about: { has: { query: 'object' }, may: { withoutVector: 'string' } },
  why: { has: { query: 'object', id: 'string' }, may: { withoutVector: 'string' } },
  checkFiles: { has: { states: 'array' } },
  acknowledge: { has: { of: 'any', outcomes: 'object' } },
  link: { has: { a: 'string', b: 'string' }, may: { weight: 'number' } },
  strengthen: { has: { a: 'string', b: 'string' }, may: { delta: 'number' } },
  weakenLinks: { may: { factor: 'number' } },
  linked: { has: { id: 'string' }, may: { limit: 'number' } },
  predict: { has: { id: 'string', expected: 'any' } },
  resolvePrediction: { has: { id: 'string', actual: 'any' } },
  predictionErrors: { may: { filter: 'object' } },
  proposals: { may: { scope: 'object' } },
  expireProposals: { may: { ttlMs: 'number' } },
  events: { may: { since: 'number' } },
  exportPart: { has: { export: 'string', part: 'number' } },
  endExport: { has: { export: 'string' } },
  importPart: { has: { import: 'string', at: 'number', bytes: 'bytes' } },
  finishImport: {
    has: { import: 'string', mode: 'string' },
    may: { authorityTier: 'any', redact: 'boolean', learned: 'string', withConflicts: 'boolean' },
  },
  endImport: { has: { import: 'string' } },
  embedNext: {
    has: { after: 'number', done: 'number', total: 'number' },
    may: { byCaller: 'boolean', pending: 'boolean', limit: 'number' },
  },
  attachVectors: { has: { records: 'array', done: 'number', total: 'number' } },
  compact: nothing,
  integrityCheck: { may: { repair: 'boolean' } },
  retain: { may: { dryRun: 'boolean', limit: 'number' } },
  status: nothing,
  destroy: nothing,
}

const clientMethods = Object.keys(shapes)

/** Throws INVALID_ARGUMENT unless the value has the shape of a call with a known method. */
export function checkCall(value: unknown): CallRequest {
  const call = need(value, 'object', 'call')
  need(call['id'], 'string', 'id')
  const method = methodOf(call['method'])
  const context = need(call['context'], 'object', 'context')
  need(context['now'], 'number', 'now')
  if (context['operation'] !== undefined) need(context['operation'], 'string', 'operation')
  const deadlineMs = need(call['deadlineMs'], 'number', 'deadlineMs')
  if (!(deadlineMs > 0)) throw wrong('deadlineMs', deadlineMs, 'a number above 0')
  const request = need(call['request'], 'object', 'request')
  checkMembers(request, shapes[method])
  if (method === 'forget' && (request['ids'] === undefined) === (request['scope'] === undefined))
    throw wrong('request', request, 'an object with ids or with a scope')
  return call as unknown as CallRequest
}

function checkMembers(request: Readonly<Record<string, unknown>>, { has = {}, may = {} }: Shape): void {
  for (const [name, kind] of Object.entries(has)) need(request[name], kind, name)
  for (const [name, kind] of Object.entries(may)) if (request[name] !== undefined) need(request[name], kind, name)
}

function methodOf(method: unknown): ClientMethod {
  if (typeof method === 'string' && Object.hasOwn(shapes, method)) return method as ClientMethod
  const near = typeof method === 'string' ? nearest(method, clientMethods) : null
  throw recallError('INVALID_ARGUMENT', 'must be a method that this server offers', {
    field: 'method',
    value: method,
    hint: `${near === null ? '' : `Did you mean "${near}"? `}Use one of ${clientMethods.join(', ')}.`,
  })
}

interface Values {
  readonly object: Readonly<Record<string, unknown>>
  readonly array: readonly unknown[]
  readonly string: string
  readonly number: number
  readonly boolean: boolean
  readonly bytes: Uint8Array
  readonly any: unknown
}

const tests: { readonly [K in Kind]: { readonly is: (value: unknown) => boolean; readonly words: string } } = {
  object: { is: isPlainObject, words: 'an object' },
  array: { is: Array.isArray, words: 'an array' },
  string: { is: (value) => typeof value === 'string', words: 'a string' },
  number: { is: Number.isFinite, words: 'a finite number' },
  boolean: { is: (value) => typeof value === 'boolean', words: 'true or false' },
  bytes: { is: (value) => value instanceof Uint8Array, words: 'bytes' },
  any: { is: (value) => value !== undefined, words: 'given' },
}

function need<K extends Kind>(value: unknown, kind: K, field: string): Values[K] {
  const { is, words } = tests[kind]
  if (!is(value)) throw wrong(field, value, words)
  return value as Values[K]
}

function wrong(field: string, value: unknown, words: string): RecallError {
  return recallError('INVALID_ARGUMENT', `must be ${words}`, {
    field,
    value,
    hint: 'Use the client of this package, or send what the API page lists for this method.',
  })
}
