/**
 * The words that a record must hold to be listed or counted: every word of a text, stop words too, and every quoted phrase. It must not
 * hold a `-word`.
 */
import { refuse } from '../ingest/parse-fields.ts'
import type { RecallQuery } from '../model/query.ts'
import type { HeldBack, QueryJoin, QueryTerm } from '../model/query-plan.ts'
import { tuning } from '../model/tuning.ts'
import { heldBackBy } from './held-back.ts'
import { parseText } from './parse-text.ts'
import { readSigns, withoutHeldBack } from './read-signs.ts'

export interface AllWords {
  readonly terms: readonly QueryTerm[]
  readonly joins: readonly QueryJoin[]
  readonly without: readonly HeldBack[]
}

/** Throws `INVALID_ARGUMENT` if the text is not a string, or too long to read all its words. */
export function checkWords(text: unknown, field: string): void {
  if (text === undefined) return
  if (typeof text !== 'string')
    throw refuse(field, text, 'must be a string', 'Give a string, or leave it out.', 'INVALID_ARGUMENT')
  const { maxQueryCharacters, maxQueryTerms } = tuning
  if (text.length > maxQueryCharacters)
    throw refuse(field, text, `must have at most ${maxQueryCharacters} characters`, 'Shorten it.', 'INVALID_ARGUMENT')
  const { terms, without } = allWords(text, 'none')
  if (terms.length >= maxQueryTerms || without.length > maxQueryTerms)
    throw refuse(field, text, `must have fewer than ${maxQueryTerms} words`, 'Shorten it.', 'INVALID_ARGUMENT')
}

/** Every word counts alike. */
export const everyWord = { commonWordWeight: 1, questionWordWeight: 1, units: 'words', statistics: 'scope' } as const

/** One term for each distinct word or quoted phrase; none for a text without words. `prefix`: as in a query. */
export function allWords(
  text: string,
  stemmer: 'porter' | 'none',
  prefix: NonNullable<RecallQuery['prefix']> = 'none',
): AllWords {
  const signs = readSigns(text)
  const { terms, joins } = parseText(withoutHeldBack(text, signs), { prefix, stemmer, lexical: everyWord })
  return { terms, joins, without: heldBackBy(signs.flatMap((sign) => (sign.kind === 'without' ? sign.text : []))) }
}
