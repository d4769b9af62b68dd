/**
 * Finds what an unfinished word may become where the stemmer cuts off its ending. An index of stems contains `deploy` for
 * "deployment", so no stem begins with "deploym": the prefix alone would find nothing between the stem and the end of the word.
 * Complete for the endings listed here.
 */
import { stem } from './stem.ts'

/** Endings that steps 1 to 4 of Porter's algorithm (1980) remove, as they are written in texts. */
const endings: readonly string[] = (
  's es e y ies ed ied ing ings er ers ly ally ful fully fulness ness ment ments ement ements al als ic ics ical ically ' +
  'icate icates icated icating ion ions ional ation ations ational ator ators ative ive ives ively iveness ' +
  'ity ities ality alities ability abilities ibility ibilities ivity ivities icity icities able ably ible ibly ' +
  'ance ances ancy ancies ence ences ency encies ant ants antly ent ents ently ism isms alism ' +
  'ate ates ated ating ous ously ousness ize izes ized izing izer izers ization izations alize alized logy logies'
).split(' ')

/** What must be searched for in addition to the word as a prefix. */
export interface Completions {
  /** Words that begin with the typed one while their stems do not begin with its stem; one word per stem. */
  readonly words: readonly string[]
  /**
   * Prefixes with one more letter, if the typed word does not begin with its stem: "key" has the stem `kei`, but `keyword`
   * begins with "keyw".
   */
  readonly beginnings: readonly string[]
}

/** The completions of the folded word `typed`. They find each stem once: by its word, by a prefix, or by `typed` itself. */
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
