/** Validates the request of `related`. */
import { parseObject, refuse } from '../ingest/parse-fields.ts'
import type { RelatedRequest } from '../model/query.ts'
import { parseRecallQuery } from './parse-query.ts'

/** A recall query without a text. Throws `INVALID_ARGUMENT`. */
export function parseRelated(id: unknown, input: unknown = {}): RelatedRequest {
  if (typeof id !== 'string') throw refuse('id', id, 'must be a string', 'Give the id of a record.', invalid)
  const given = parseObject(input, 'request', new Set(['scope', 'limit', 'collapse', 'now']), invalid, {
    instead: 'Give { limit: 5 }.',
  })
  return parseRecallQuery(
    Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    'request',
  )
}

const invalid = 'INVALID_ARGUMENT'
