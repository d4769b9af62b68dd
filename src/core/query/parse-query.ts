/**
 * Validates recall queries, scopes and list filters: from unknown input to a complete value, or one typed error.
 * Cuts a long text at the limits of docs/spec/text.md#query-text; rejects everything else that is invalid, by name.
 */

import { asTime, parseObject, refuse } from '../ingest/parse-fields.ts'
import { parseVector } from '../ingest/parse-vectors.ts'
import { isDate, recallError } from '../model/errors.ts'
import { suggestName } from '../model/nearest.ts'
import type { FacetRequest, ListFilter, RecallQuery, Scope, SuggestRequest } from '../model/query.ts'
import { storedFields, textFields } from '../model/record.ts'
import { tuning } from '../model/tuning.ts'
import { checkWords } from './all-words.ts'
import { checkMetadataScope } from './parse-metadata-scope.ts'

const scopeFields = [
  'project',
  'kind',
  'topic',
  'agent',
  'bank',
  'session',
  'status',
  'tags',
  'time',
  'ids',
  'metadata',
] as const
const listFields = [...scopeFields, 'reason', 'risk', 'text', 'prefix', 'typos', 'order', 'limit', 'cursor'] as const
const facetKeys = ['kind', 'project', 'topic', 'agent', 'bank', 'session', 'status', 'language', 'tags'] as const
const listOrders = ['updatedAt', 'createdAt', 'occurredAt', 'title'] as const
const queryFields: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'text',
  'vector',
  'scope',
  'prefer',
  'files',
  'limit',
  'policy',
  'exact',
  'prefix',
  'matching',
  'collapse',
  'perSource',
  'asOf',
  'now',
  'times',
  'timeZone',
  'typos',
  'changes',
  'without',
  'in',
  'minEvidence',
  'exclude',
  'explain',
  'capture',
  'ledger',
  'select',
  'snippetLength',
  'passages',
  'offset',
  'reserve',
])

const invalid = 'INVALID_ARGUMENT'
type Given = Readonly<Record<string, unknown>>

/** `at` is the name of the value in errors. */
export function parseRecallQuery(input: unknown, at = 'query'): RecallQuery {
  const given = parseObject(typeof input === 'string' ? { text: input } : input, at, queryFields, invalid, {
    place: 'query',
    instead: 'Give a text, or an object such as { text, limit }.',
  })
  oneOf(given, 'times', ['auto', 'off'], at)
  checkReading(given, at)
  oneOf(given, 'matching', ['any', 'only'], at)
  oneOf(given, 'changes', ['auto', 'off'], at)
  oneOf(given, 'collapse', ['exact', 'near', 'none'], at)
  oneOf(given, 'minEvidence', ['none', 'weak', 'strong'], at)
  for (const name of ['exact', 'explain', 'capture', 'ledger'])
    optional(given, name, (value) => typeof value === 'boolean', 'a boolean', at)
  optional(given, 'timeZone', (value) => typeof value === 'string', 'the IANA name of a time zone', at)
  optional(given, 'text', (value) => typeof value === 'string', 'a string', at)
  if (given.vector !== undefined) parseVector(given.vector, `${at}.vector`)
  if (given.files !== undefined) strings(given.files, `${at}.files`, tuning.maxFiles)
  if (given.prefer !== undefined) {
    const prefer = parseObject(given.prefer, `${at}.prefer`, new Set(['project', 'kind', 'topic']), invalid)
    for (const name of Object.keys(prefer))
      optional(prefer, name, (value) => typeof value === 'string', 'a string', `${at}.prefer`)
  }
  if (given.exclude !== undefined) strings(given.exclude, `${at}.exclude`, tuning.maxPutBatch)
  if (given.without !== undefined) heldBack(given.without, `${at}.without`)
  if (given.in !== undefined) {
    names(given.in, `${at}.in`, textFields, 'a field of text')
    if ((given.in as readonly string[]).length === 0)
      throw refuse(`${at}.in`, given.in, 'must have at least one field', 'Name a field, or leave it out.', invalid)
  }
  if (given.reserve !== undefined) {
    const reserve = parseObject(given.reserve, `${at}.reserve`, new Set(['kind', 'places']), invalid, {
      instead: "Give { kind: 'preference', places: 1 }.",
    })
    oneOf({ ...reserve, kind: reserve.kind ?? null }, 'kind', ['instruction', 'preference'], `${at}.reserve`)
    whole(reserve.places ?? null, `${at}.reserve.places`, tuning.maxReservedPlaces, 1)
  }
  for (const name of ['asOf', 'now']) time(given, name, at)
  for (const name of ['limit', 'perSource']) limit(given[name], `${at}.${name}`, tuning.maxRecallLimit)
  whole(given.offset, `${at}.offset`, tuning.maxRecallLimit - 1)
  limit(given.passages, `${at}.passages`, tuning.maxHitPassages)
  whole(given.snippetLength, `${at}.snippetLength`, tuning.maxSnippetLength)
  if (given.select !== undefined) names(given.select, `${at}.select`, storedFields, 'a field of a stored record')
  return {
    ...(given as RecallQuery),
    ...(given.scope === undefined ? {} : { scope: parseScope(given.scope, `${at}.scope`) }),
  }
}

export function parseScope(input: unknown, field = 'scope'): Scope {
  const given = parseObject(input, field, new Set(scopeFields), invalid, {
    place: 'scope',
    instead: 'Give an object such as { project, tags: { any: […] } }.',
  })
  checkScope(given, field)
  return withoutUndefined(given) as Scope
}

export function parseListFilter(input: unknown): ListFilter {
  const given = parseObject(input ?? {}, 'filter', new Set(listFields), invalid, { place: 'filter' })
  checkScope(given, 'filter')
  for (const name of ['reason', 'risk']) {
    if (given[name] !== undefined) oneOrMany(given[name], `filter.${name}`)
  }
  checkWords(given.text, 'filter.text')
  checkReading(given, 'filter')
  if (given.order !== undefined) {
    const order = parseObject(given.order, 'filter.order', new Set(['by', 'direction']), invalid, {
      instead: "Give { by: 'createdAt', direction: 'asc' }.",
    })
    oneOf({ by: null, ...order }, 'by', listOrders, 'filter.order')
    oneOf(order, 'direction', ['asc', 'desc'], 'filter.order')
  }
  limit(given.limit, 'filter.limit', tuning.maxListLimit)
  if (given.cursor !== undefined && given.cursor !== null && typeof given.cursor !== 'string') {
    throw recallError('INVALID_CURSOR', 'must be a string', {
      field: 'filter.cursor',
      value: given.cursor,
      hint: 'Pass nextCursor of the previous page.',
    })
  }
  return withoutUndefined(given) as ListFilter
}

const maxFacetKeys = 64

export function parseFacets(input: unknown): FacetRequest {
  const given = parseObject(input, 'request', new Set(['keys', 'scope', 'text', 'prefix', 'typos', 'limit']), invalid, {
    instead: "Give { keys: ['kind'] }.",
  })
  strings(given.keys, 'request.keys', maxFacetKeys)
  for (const [i, key] of (given.keys as readonly string[]).entries()) {
    if ((facetKeys as readonly string[]).includes(key) || /^metadata\../s.test(key)) continue
    const known = [...facetKeys, 'metadata.x']
    throw refuse(`request.keys[${i}]`, key, 'must be a key that facets can count', suggestName(key, known), invalid)
  }
  checkWords(given.text, 'request.text')
  checkReading(given, 'request')
  limit(given.limit, 'request.limit', tuning.maxListLimit)
  const request = withoutUndefined(given) as unknown as FacetRequest
  return given.scope === undefined ? request : { ...request, scope: parseScope(given.scope, 'request.scope') }
}

export function parseSuggest(prefix: unknown, input: unknown = {}): SuggestRequest {
  if (typeof prefix !== 'string')
    throw refuse('prefix', prefix, 'must be a string', 'Give what the user has typed so far.', invalid)
  checkWords(prefix, 'prefix')
  const given = parseObject(input, 'request', new Set(['scope', 'limit']), invalid, { instead: 'Give { limit: 8 }.' })
  limit(given.limit, 'request.limit', tuning.maxListLimit)
  const request = withoutUndefined(given) as unknown as SuggestRequest
  return given.scope === undefined ? request : { ...request, scope: parseScope(given.scope, 'request.scope') }
}

/** Ids in the order of the input: a list of strings, at most as many as a batch. */
export function parseIds(input: unknown, field = 'ids'): readonly string[] {
  strings(input, field, tuning.maxPutBatch)
  return input as readonly string[]
}

function checkScope(given: Given, field: string): void {
  for (const name of ['project', 'kind', 'topic', 'agent', 'bank', 'session', 'status'] as const) {
    if (given[name] !== undefined) oneOrMany(given[name], `${field}.${name}`)
  }
  if (given.tags !== undefined) {
    const tags = parseObject(given.tags, `${field}.tags`, new Set(['any', 'all', 'none']), invalid, {
      instead: 'Give { any: […] }, { all: […] } or { none: […] }.',
    })
    for (const name of Object.keys(tags)) {
      if (tags[name] !== undefined) strings(tags[name], `${field}.tags.${name}`, tuning.maxTags)
    }
  }
  if (given.time !== undefined) {
    const times = parseObject(given.time, `${field}.time`, new Set(['of', 'after', 'before']), invalid, {
      place: 'time',
      instead: 'Give an object such as { after, before }.',
    })
    oneOf(times, 'of', ['createdAt', 'updatedAt', 'occurredAt'], `${field}.time`)
    for (const name of ['after', 'before']) time(times, name, `${field}.time`)
  }
  if (given.ids !== undefined) strings(given.ids, `${field}.ids`, tuning.maxPutBatch)
  if (given.metadata !== undefined) checkMetadataScope(given.metadata, `${field}.metadata`)
}

function oneOrMany(value: unknown, field: string): void {
  if (typeof value !== 'string') strings(value, field, tuning.maxPutBatch)
}

function strings(value: unknown, field: string, max: number): void {
  if (!Array.isArray(value))
    throw refuse(field, value, 'must be an array of strings', 'Give an array of strings.', invalid)
  if (value.length > max) throw refuse(field, value, `must have at most ${max} entries`, 'Give fewer entries.', invalid)
  for (const [i, entry] of value.entries()) {
    if (typeof entry !== 'string') throw refuse(`${field}[${i}]`, entry, 'must be a string', 'Give a string.', invalid)
  }
}

function names(value: unknown, field: string, known: readonly string[], wanted: string): void {
  strings(value, field, known.length)
  for (const [i, name] of (value as readonly string[]).entries()) {
    if (!known.includes(name))
      throw refuse(`${field}[${i}]`, name, `must be ${wanted}`, suggestName(name, known), invalid)
  }
}

/** Words or phrases. */
function heldBack(value: unknown, field: string): void {
  strings(value, field, tuning.maxQueryTerms)
  for (const [i, text] of (value as readonly string[]).entries()) {
    if (text.length <= tuning.maxQueryCharacters && /[\p{L}\p{N}]/u.test(text)) continue
    const problem = `must have a letter or a number, and at most ${tuning.maxQueryCharacters} characters`
    throw refuse(`${field}[${i}]`, text, problem, 'Give a word or a phrase, or leave it out.', invalid)
  }
}

function limit(value: unknown, field: string, max: number): void {
  whole(value, field, max, 1)
}

function whole(value: unknown, field: string, max: number, min = 0): void {
  if (value === undefined) return
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    throw refuse(
      field,
      value,
      `must be an integer from ${min} to ${max}`,
      'Give an integer in this range, or leave it out.',
      invalid,
    )
  }
}

function oneOf(given: Given, name: string, known: readonly string[], at: string): void {
  const value = given[name]
  if (value !== undefined && !known.includes(value as string)) {
    throw refuse(`${at}.${name}`, value, `must be one of ${known.join(', ')}`, 'Use one of these names.', invalid)
  }
}

function optional(given: Given, name: string, holds: (value: unknown) => boolean, wanted: string, at: string): void {
  const value = given[name]
  if (value !== undefined && !holds(value))
    throw refuse(`${at}.${name}`, value, `must be ${wanted}`, `Give ${wanted}, or leave it out.`, invalid)
}

/** How the words of a text are read. */
function checkReading(given: Given, at: string): void {
  oneOf(given, 'prefix', ['last', 'none'], at)
  oneOf(given, 'typos', ['auto', 'off'], at)
}

/** ms since the epoch, or absent. */
function time(given: Given, name: string, at: string): void {
  const value = given[name]
  if (value === undefined) return
  if (typeof value === 'number' && Math.abs(value) <= tuning.maxTimestampMs) return
  const hint = isDate(value) ? asTime(value) : 'Give a finite number of milliseconds, or leave it out.'
  throw refuse(`${at}.${name}`, value, 'must be a finite number of milliseconds', hint, invalid)
}

function withoutUndefined(given: Given): Given {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}
