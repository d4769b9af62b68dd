/**
 * Validates feedback on records (ids with outcomes), and the filter of prediction summaries. Rejects the whole call if one part is
 * invalid, before anything is learned.
 */

import { parseObject, refuse } from '../ingest/parse-fields.ts'
import { parseOutcome } from '../learning/outcomes.ts'
import type { AssemblyEffects, AssemblyReceipt } from '../model/assemble.ts'
import type { Outcome, PredictionFilter } from '../model/learned.ts'
import { isPlainObject } from '../model/plain-object.ts'
import type { Receipt } from '../model/result.ts'
import { tuning } from '../model/tuning.ts'
import { canonicalJson } from '../text/hash/canonical.ts'
import { sha256Hex } from '../text/hash/sha256.ts'
import { parseIds, parseScope } from './parse-query.ts'

export interface Acknowledged {
  /** Every id once, in the order of the input, with its outcome. */
  readonly outcomes: ReadonlyMap<string, Outcome>
  /** Digest of the receipt; null for bare ids, which may be acknowledged any number of times. */
  readonly receipt: string | null
  /** The effects of a context package, and its time (ms); null for other answers. */
  readonly assembled: { readonly effects: AssemblyEffects; readonly at: number } | null
}

/** `given`: a receipt, or ids. An id without an outcome is deferred. Rejects outcomes of other ids. */
export function parseAcknowledged(given: unknown, outcomes: unknown): Acknowledged {
  const ids = Array.isArray(given) ? parseIds(given) : parseReceipt(given).ids
  if (!isPlainObject(outcomes))
    throw refuse(
      'outcomes',
      outcomes,
      'must be an object',
      'Give an object that maps ids to outcomes.',
      'INVALID_ARGUMENT',
    )
  const known = new Set(ids)
  for (const [id, outcome] of Object.entries(outcomes)) {
    parseOutcome(outcome, `outcomes.${id}`)
    if (known.has(id)) continue
    const hint = 'Give outcomes for ids that the same call acknowledges.'
    throw refuse(`outcomes.${id}`, undefined, 'must be one of the acknowledged ids', hint, 'INVALID_ARGUMENT')
  }
  const outcomeOf = (id: string) => (Object.hasOwn(outcomes, id) ? (outcomes[id] as Outcome) : 'deferred')
  return {
    outcomes: new Map([...known].map((id) => [id, outcomeOf(id)])),
    receipt: Array.isArray(given) ? null : receiptDigest(given as Receipt),
    assembled: Array.isArray(given) ? null : parseAssembled(given as Partial<AssemblyReceipt>),
  }
}

export function parsePredictionFilter(input: unknown): PredictionFilter {
  const given = parseObject(input ?? {}, 'filter', new Set(['ids', 'after', 'before']), 'INVALID_ARGUMENT')
  if (given.ids !== undefined) parseIds(given.ids, 'filter.ids')
  for (const name of ['after', 'before']) {
    const value = given[name]
    if (value === undefined || (typeof value === 'number' && Math.abs(value) <= tuning.maxTimestampMs)) continue
    throw refuse(
      `filter.${name}`,
      value,
      'must be a time',
      'Give milliseconds since the epoch, or leave it out.',
      'INVALID_ARGUMENT',
    )
  }
  return given
}

function parseReceipt(given: unknown): Receipt {
  if (!isPlainObject(given) || typeof given.id !== 'string' || !Array.isArray(given.ids)) {
    const hint = 'Give the receipt of an answer (result.receipt), or an array of ids.'
    throw refuse('receipt', given, 'must be a receipt or an array of ids', hint, 'INVALID_ARGUMENT')
  }
  parseIds(given.ids, 'receipt.ids')
  return given as unknown as Receipt
}

function parseAssembled({ effects, now }: Partial<AssemblyReceipt>): Acknowledged['assembled'] {
  if (effects === undefined) return null
  const hint = 'Give the receipt of the context package, unchanged.'
  if (!isPlainObject(effects)) throw refuse('receipt.effects', effects, 'must be an object', hint, 'INVALID_ARGUMENT')
  const ids = (name: 'reads' | 'surfaced' | 'suppressed') => parseIds(effects[name], `receipt.effects.${name}`)
  const isTime = typeof now === 'number' && Math.abs(now) <= tuning.maxTimestampMs
  if (!isTime) throw refuse('receipt.now', now, 'must be a time', hint, 'INVALID_ARGUMENT')
  const scope = canonicalJson(parseScope(parsedJson(effects.scope), 'receipt.effects.scope'))
  return {
    effects: { reads: ids('reads'), surfaced: ids('surfaced'), suppressed: ids('suppressed'), links: [], scope },
    at: now,
  }
}

/** Undefined for a text that is not JSON, and so not a scope. */
function parsedJson(text: unknown): unknown {
  try {
    return JSON.parse(text as string)
  } catch {
    return undefined
  }
}

/** Answers have the same digest if they have the same ids and content at the same time; the ids are part of the hash. */
export function receiptDigest({ id, storeRevision, policyHash, queryHash, now, ids, digest }: Receipt): string {
  return sha256Hex(JSON.stringify([id, storeRevision, policyHash, queryHash, now, ids, digest]))
}
