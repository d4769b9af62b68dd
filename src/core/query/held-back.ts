/** The excluded words and phrases of a query: those with a minus in its text, and those in `without`. */
import type { HeldBack } from '../model/query-plan.ts'
import { tokenise } from '../text/tokenise/tokenise.ts'
import { joinedForm, writtenApart } from './joined-words.ts'
import { isLoneLetter, quote } from './phrases.ts'

/** One entry for each distinct word or phrase. Texts without words are left out. */
export function heldBackBy(texts: readonly string[]): readonly HeldBack[] {
  const entries = new Map<string, HeldBack>()
  for (const text of texts) {
    const tokens = tokenise(text)
    const words = tokens.map(({ word }) => word)
    const key = words.join(' ')
    if (words.length === 0 || entries.has(key)) continue
    // The index holds pairs of such letters.
    const phrase = quote(key) + (isLoneLetter(words) ? '*' : '')
    const joined = joinedForm(text, tokens)
    const others = words.length === 1 ? writtenApart(text.slice(tokens[0]!.from, tokens[0]!.to)) : []
    entries.set(key, {
      words,
      phrases: [phrase, ...(joined === null ? others : [joined]).map(quote)],
      reason: `contains -${/\s/.test(text.trim()) ? `"${text.trim()}"` : text.trim()}`,
    })
  }
  return [...entries.values()]
}
