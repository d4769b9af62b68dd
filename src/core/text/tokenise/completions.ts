/**
 * What a word still being typed may end in, as far as the stemmer cuts it off again. An index of stems holds `deploy` for
 * "deployment", so that no stem begins with "deploym": asked for as a prefix alone, a word would be lost between its stem
 * and its end. Complete for the endings listed here.
 */
import { stem } from './stem.ts'

/** Endings that step 1 to 4 of Porter's algorithm (1980) take off, in the spellings of the surface. */
const endings: readonly string[] = (
  's es e y ies ed ied ing ings er ers ly ally ful fully fulness ness ment ments ement ements al als ic ics ical ically ' +
  'icate icates icated icating ion ions ional ation ations ational ator ators ative ive ives ively iveness ' +
  'ity ities ality alities ability abilities ibility ibilities ivity ivities icity icities able ably ible ibly ' +
  'ance ances ancy ancies ence ences ency encies ant ants antly ent ents ently ism isms alism ' +
  'ate ates ated ating ous ously ousness ize izes ized izing izer izers ization izations alize alized logy logies'
).split(' ')

/** What must be asked for besides the word as a prefix. */
export interface Completions {
  /** Words that begin with the typed one while their stems do not begin with its own: one a stem. */
  readonly words: readonly string[]
  /**
   * Beginnings one letter longer, where the stem of the typed word is no beginning of it: "key" is asked for as `kei`,
   * and `keyword` begins with "keyw".
   */
  readonly beginnings: readonly string[]
}

/** What the folded word `typed` may become. No stem is found twice, by its word, a beginning or `typed` itself. */
export function completions(typed: string): Completions {
  const own = stem(typed)
  const letters = typed.endsWith('y') && own !== typed ? [...'abcdefghijklmnopqrstuvwxyz'] : []
  const beginnings = letters.map((letter) => typed + letter).filter((longer) => stem(longer) === longer)
  const isFound = (stemmed: string) => [own, ...beginnings].some((beginning) => stemmed.startsWith(beginning))
  const words = new Map<string, string>()
  for (const ending of endings) {
    for (let overlap = Math.min(ending.length - 1, typed.length); overlap >= 0; overlap--) {
      if (!typed.endsWith(ending.slice(0, overlap))) continue
      const word = typed + ending.slice(overlap)
      const stemmed = stem(word)
      if (!isFound(stemmed) && !words.has(stemmed)) words.set(stemmed, word)
    }
  }
  return { words: [...words.values()], beginnings }
}
