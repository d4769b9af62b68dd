/** Puts corrected words in place of those that no record of the scope holds, in a plan. */
import type { LexicalTuning } from '../model/policy.ts'
import type { QueryJoin, QueryPair, QueryPlan, QueryTerm } from '../model/query-plan.ts'
import type { Reading } from '../model/result.ts'
import { tuning } from '../model/tuning.ts'
import { stem } from '../text/tokenise/stem.ts'
import { tokenise } from '../text/tokenise/tokenise.ts'
import { stopWeight, typedTerm } from './parse-text.ts'
import { inFields, quote } from './phrases.ts'

export interface Correction {
  /** The word, or with `isBeginning` the beginning of words. */
  readonly as: string
  readonly edits: 1 | 2
  readonly isBeginning: boolean
}

type Corrections = ReadonlyMap<string, Correction>
type Stemmer = 'porter' | 'none'

/** `corrections`: by the typed word, folded. */
export function correctWords(plan: QueryPlan, corrections: Corrections, stemmer: Stemmer): QueryPlan {
  const { terms, pairs, joins } = correctedWords(plan, plan, corrections, stemmer)
  return {
    ...plan,
    terms,
    pairs,
    joins,
    otherWords: plan.otherWords.map((phrase) => correctedPhrase(phrase, corrections)),
    typed: plan.typed === null ? null : correctedTyped(plan, plan.typed, corrections, stemmer),
    read: readingsOf(plan, corrections),
  }
}

/** How words are looked for: a word of weight 0 is left out. */
export interface Sought extends Pick<QueryPlan, 'fields'> {
  readonly policy: { readonly lexical: Pick<LexicalTuning, 'commonWordWeight' | 'questionWordWeight'> }
}

/** The term that looks for a corrected word. */
export function correctedTerm(
  { as, edits, isBeginning }: Correction,
  { policy, fields }: Sought,
  weight: number,
  stemmer: Stemmer,
): QueryTerm {
  const own = isBeginning
    ? typedTerm(as, stemmer)
    : {
        phrase: quote(as),
        word: as,
        stems: [stemmer === 'porter' ? stem(as) : as],
        weight: stopWeight(as, policy.lexical),
      }
  const only = (phrase: string) => inFields(phrase, fields ?? null)
  return {
    ...own,
    phrase: only(own.phrase),
    ...('completions' in own && own.completions ? { completions: own.completions.map(only) } : {}),
    weight: own.weight * weight,
    share: tuning.correctedShare[edits - 1]!,
  }
}

interface Words {
  readonly terms: readonly QueryTerm[]
  readonly pairs: readonly QueryPair[]
  readonly joins: readonly QueryJoin[]
}

/** The same words with the corrected ones in place of theirs. */
export function correctedWords(sought: Sought, words: Words, corrections: Corrections, stemmer: Stemmer): Words {
  const all = words.terms.map((term) => {
    if (term.optional) return term
    const correction = corrections.get(term.word)
    if (correction !== undefined) return correctedTerm(correction, sought, term.weight, stemmer)
    return term.word.includes(' ') ? correctedPhraseTerm(term, corrections, stemmer) : term
  })
  // Corrected words that turn out to be stop words are left out, as if they had been typed so, unless nothing else is left.
  const kept = all.some(({ weight }) => weight > 0) ? all.flatMap(({ weight }, i) => (weight > 0 ? [i] : [])) : null
  const terms = kept === null ? all.map((term) => ({ ...term, weight: 1 })) : kept.map((i) => all[i]!)
  const moved = (term: number) => (kept === null ? term : kept.indexOf(term))
  return {
    terms,
    pairs: words.pairs.flatMap(({ phrase, terms: [first, second] }) =>
      moved(first) === -1 || moved(second) === -1
        ? []
        : [{ phrase: correctedPhrase(phrase, corrections), terms: [moved(first), moved(second)] as const }],
    ),
    joins: words.joins.flatMap((join) => {
      const left = join.terms.map(moved).filter((term) => term !== -1)
      return left.length === 0 ? [] : [{ ...join, terms: left }]
    }),
  }
}

function correctedTyped(
  plan: QueryPlan,
  typed: NonNullable<QueryPlan['typed']>,
  corrections: Corrections,
  stemmer: Stemmer,
): NonNullable<QueryPlan['typed']> {
  const correction = corrections.get(typed.word)
  // As a whole word here, because the evidence takes the last word as complete.
  const asWhole = new Map([...corrections].map(([word, one]) => [word, { ...one, isBeginning: false }]))
  const { terms, joins } = correctedWords(
    plan,
    { terms: typed.complete, pairs: [], joins: typed.joins },
    asWhole,
    stemmer,
  )
  const word = correction?.as ?? typed.word
  const last =
    typed.term === -1
      ? -1
      : terms.findIndex((term) => term.word === (correction?.as ?? typed.complete[typed.term]!.word))
  return { ...typed, word, complete: terms, joins, term: last }
}

/** A quoted phrase. Without the correction no record could hold it. */
function correctedPhraseTerm(term: QueryTerm, corrections: Corrections, stemmer: Stemmer): QueryTerm {
  const words = term.word.split(' ')
  const edits = words.map((word) => corrections.get(word)?.edits ?? 0)
  if (edits.every((count) => count === 0)) return term
  const right = words.map((word) => corrections.get(word)?.as ?? word)
  return {
    ...term,
    phrase: correctedPhrase(term.phrase, corrections),
    word: right.join(' '),
    stems: right.map((word) => (stemmer === 'porter' ? stem(word) : word)),
    share: tuning.correctedShare[Math.max(...edits) - 1]!,
  }
}

/** Replaces words inside an FTS5 phrase. */
function correctedPhrase(phrase: string, corrections: Corrections): string {
  const from = phrase.indexOf('"')
  const words = phrase.slice(from + 1, -1).split(' ')
  return phrase.slice(0, from) + quote(words.map((word) => corrections.get(word)?.as ?? word).join(' '))
}

/** The items of `plan.read` with the corrections, in order of appearance. */
function readingsOf({ text, query, read = [] }: QueryPlan, corrections: Corrections): readonly Reading[] {
  const given = query.text ?? ''
  let from = 0
  const found = read.map((reading) => {
    const at = given.indexOf(reading.text, from)
    if (at !== -1) from = at
    return { at: from, reading }
  })
  const left = new Map(corrections)
  for (const { word, from: at, to } of tokenise(text.slice(0, tuning.maxQueryCharacters))) {
    const correction = left.get(word)
    if (correction === undefined) continue
    left.delete(word)
    const { as, edits } = correction
    // The beginning of longer words is not misspelt.
    if (as !== word) found.push({ at, reading: { kind: 'typo', text: text.slice(at, to), as, edits } })
  }
  return found.sort((a, b) => a.at - b.at).map(({ reading }) => reading)
}
