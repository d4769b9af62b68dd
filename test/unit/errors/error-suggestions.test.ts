/**
 * Tests the hints of errors: the name used here for another library's name, the nearest known name, or all known
 * names.
 */
import { describe, expect, it } from 'vitest'
import { parseRecord } from '../../../src/core/ingest/parse-record.ts'
import { parseRetention } from '../../../src/core/learning/retention.ts'
import { preview, recallError } from '../../../src/core/model/errors.ts'
import { namesElsewhere } from '../../../src/core/model/names-elsewhere.ts'
import { meantBy, nearest, suggestName } from '../../../src/core/model/nearest.ts'
import { findPolicy } from '../../../src/core/policies/find-policy.ts'
import { parseAssembleRequest } from '../../../src/core/query/parse-assemble.ts'
import { parseListFilter, parseRecallQuery, parseScope } from '../../../src/core/query/parse-query.ts'

const hintOf = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    return (error as { readonly hint?: string }).hint ?? ''
  }
  throw new Error('nothing was refused')
}

describe('[E1] a name from another library', () => {
  it.each([
    ['record', 'text', 'Use body.'],
    ['record', 'content', 'Use body.'],
    ['record', 'pageContent', 'Use body.'],
    ['record', 'embedding', 'Use vectors.'],
    ['query', 'where', 'Use scope.'],
    ['query', 'filter', 'Use scope.'],
    ['query', 'topK', 'Use limit.'],
    ['query', 'top_k', 'Use limit.'],
    ['query', 'k', 'Use limit.'],
    ['query', 'skip', 'Use offset.'],
    ['query', 'sort', 'Answers come in order of score. list() gives records in order of a time or of titles.'],
    ['query', 'threshold', 'Use minEvidence.'],
    ['query', 'fuzzy', 'Use typos.'],
    ['query', 'includeMetadata', 'Use select.'],
    ['query', 'alpha', 'Use policy.'],
    ['scope', 'where', 'Give its conditions here, for example { project, kind }.'],
    ['time', 'from', 'Use after.'],
    ['time', 'lte', 'Use before.'],
    ['filter', 'offset', 'Use cursor.'],
    ['filter', 'sort', 'Use order: { by, direction }.'],
    ['scope', 'since', 'Use time.'],
    ['request', 'topK', 'Use maxItems.'],
    ['retention', 'days', 'Use maxAgeDays.'],
    ['policy', 'hybrid', 'Use balanced.'],
    ...(['record', 'query', 'filter', 'scope', 'request'] as const).map(
      (place) => [place, 'signal', 'Options are the next argument: recall({ text }, { signal }).'] as const,
    ),
  ] as const)('in a %s, %s: %s', (place, name, hint) => {
    const parse = {
      record: () => parseRecord({ [name]: 'x' }),
      query: () => parseRecallQuery({ [name]: 'x' }),
      filter: () => parseListFilter({ [name]: 'x' }),
      scope: () => parseScope({ [name]: 'x' }),
      time: () => parseScope({ time: { [name]: 1 } }),
      request: () => parseAssembleRequest({ [name]: 'x' }),
      retention: () => parseRetention({ [name]: 1 } as object),
      policy: () => findPolicy(name, 'policy'),
    }[place]
    expect(hintOf(parse).startsWith(hint), hintOf(parse)).toBe(true)
  })

  it('is listed once per place', () => {
    for (const [place, names] of Object.entries(namesElsewhere)) {
      expect(names.size, place).toBeGreaterThan(0)
      for (const name of names.keys()) expect(name, place).toMatch(/^[a-z0-9]+$/)
    }
  })
})

describe('[E1] a mistyped name', () => {
  it('gets the nearest known name', () => {
    expect(meantBy('titel', ['title', 'tags'])).toBe('Did you mean title?')
    expect(meantBy('created_at', ['createdAt'])).toBe('Did you mean createdAt?')
  })

  it('gets no suggestion that differs in more than a third of its letters', () => {
    expect(nearest('text', ['agent', 'tags'])).toBeNull()
    expect(nearest('offset', ['files'])).toBeNull()
    expect(suggestName('xyzzy', ['title', 'tags'])).toBe('Use one of title, tags.')
  })

  it('control: without the bound, the nearest of all would be suggested', () => {
    expect(nearest('texts', ['agent', 'text'])).toBe('text')
    expect(nearest('tagged', ['tag'])).toBeNull()
  })
})

describe('[E1] a value of a wrong type', () => {
  it('a Date: the hint shows the number to use', () => {
    const date = new Date(1_700_000_000_000)
    for (const refused of [
      () => parseRecord({ body: 'x', createdAt: date }),
      () => parseRecallQuery({ text: 'x', now: date }),
      () => parseScope({ time: { after: date } }),
    ])
      expect(hintOf(refused)).toBe('Times are milliseconds since the epoch. Give date.getTime(): 1700000000000.')
  })

  it('a date in a text: the hint shows the number to use', () => {
    expect(hintOf(() => parseRecord({ body: 'x', updatedAt: '2026-11-03' }))).toBe(
      'Times are milliseconds since the epoch. Give the number Date.parse("2026-11-03").',
    )
  })

  it('a list of tags in a scope, a number as a query', () => {
    expect(hintOf(() => parseScope({ tags: ['a'] }))).toBe('Give { any: […] }, { all: […] } or { none: […] }.')
    expect(hintOf(() => parseRecallQuery(5))).toBe('Give a text, or an object such as { text, limit }.')
  })

  it('a text where an object belongs: the hint shows the object', () => {
    expect(hintOf(() => parseRecord('hello'))).toBe('Give an object such as { id, body }.')
    expect(hintOf(() => parseRecord({ body: 'x', files: ['a.ts'] }))).toMatch(/^Give an object such as \{ path/)
    expect(hintOf(() => parseRecord({ body: 'x', relations: ['a'] }))).toBe('Give an object such as { kind, target }.')
    expect(hintOf(() => parseScope('notes'))).toBe('Give an object such as { project, tags: { any: […] } }.')
    expect(hintOf(() => parseScope({ time: 5 }))).toBe('Give an object such as { after, before }.')
  })

  it('is quoted once in the preview', () => {
    expect(recallError('INVALID_CONFIG', 'differs', { got: '["a"]' }).message).toBe('differs, got ["a"].')
    expect(preview(new Float32Array(4))).toBe('Float32Array of 4 elements')
    expect(preview(new Date())).toBe('a Date')
  })
})
