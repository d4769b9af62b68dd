/** The words of texts as they are written: folded, not stemmed. */
import { characterClass, characterClasses } from './letters.ts'
import { tokenise } from './tokenise.ts'

/**
 * The distinct words of 2 to 32 UTF-16 units. Left out: numbers, and the pairs of letters that stand for words in scripts without
 * spaces. `visit` gets the words of texts for which `isVisited` is true, each with its spelling in the text.
 */
export function writtenWords(
  texts: Iterable<string | null>,
  isVisited: (text: string) => boolean = () => false,
  visit: (word: string, written: string) => void = () => undefined,
): Set<string> {
  const words = new Set<string>()
  for (const text of texts) {
    if (text === null) continue
    const visits = isVisited(text)
    for (const { word, from, to } of tokenise(text)) {
      if (!isKept(word)) continue
      words.add(word)
      if (visits) visit(word, text.slice(from, to))
    }
  }
  return words
}

function isKept(word: string): boolean {
  if (word.length < 2 || word.length > 32 || /^[0-9]+$/.test(word)) return false
  return characterClass(word.codePointAt(0)!) === characterClasses.letter
}
