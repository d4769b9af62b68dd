/** Reads what was typed into a search box: the whole words, and the beginning of a word at the end. */
import { foldLetters } from '../text/tokenise/fold-letters.ts'
import { foldWord, tokenise } from '../text/tokenise/tokenise.ts'

export interface TypedBeginning {
  /** The text before the last word, as it was typed. */
  readonly before: string
  /** The last word, folded; '' if the text ends after a whole word. */
  readonly word: string
  /** The whole text as titles are compared; '' if it has no words. */
  readonly folded: string
}

export function readBeginning(text: string): TypedBeginning {
  const last = tokenise(text).at(-1)
  if (last === undefined) return { before: '', word: '', folded: '' }
  const isWhole = last.to < text.length
  return {
    before: isWhole ? text : text.slice(0, last.from),
    word: isWhole ? '' : last.word,
    folded: foldTitle(text.trimStart()),
  }
}

/** The form of a title that is compared with the typed text: without case and diacritics, each white space as one space. */
export function foldTitle(title: string): string {
  return foldLetters(foldWord(title)).replace(/\s+/g, ' ')
}
