/**
 * The table of how text becomes words, for index and question: `wordRules` lists the rules in order. Words that FTS5 would not find in the text
 * itself follow the text, so that phrases of its words stay phrases.
 */
import { exactForms } from './irregular-forms.ts'
import { signWords } from './sign-words.ts'
import { lastLetters, type Token, tokenise, wordForm } from './tokenise.ts'
import { writtenNumbers } from './written-numbers.ts'

export interface WordRule {
  readonly name: string
  /** Whether its words follow the text in the index; otherwise they take the place of the text. */
  readonly isFurther: boolean
  words(text: string): readonly Token[]
}

export const wordRules: readonly WordRule[] = [
  {
    name: 'words: letters, marks and numbers, folded; pairs in scripts without spaces',
    isFurther: false,
    words: tokenise,
  },
  { name: 'the last letter of a run without spaces', isFurther: true, words: lastLetters },
  { name: 'signs that name something, options, symbols', isFurther: true, words: signWords },
  { name: 'numbers in their canonical form', isFurther: true, words: writtenNumbers },
  { name: 'forms that the stemmer takes for another word: ate', isFurther: true, words: exactForms },
]

/** The form of a text for FTS5: the text, or the words that it would not find in it, too. */
export function indexForm(text: string): string {
  const further = furtherWords(text)
  return further.length === 0 ? wordForm(text) : `${wordForm(text)}\n${further.join(' ')}`
}

/** Whether `indexForm(text)` differs from the text. */
export function needsIndexForm(text: string): boolean {
  return wordForm(text) !== text || furtherWords(text).length > 0
}

/** The places of the words that follow the text in the index, without single letters. */
export function furtherTokens(text: string): readonly Token[] {
  return [...signWords(text), ...writtenNumbers(text), ...exactForms(text)]
}

/** The distinct words besides those of `tokenise`, in the order of the rules. */
export function furtherWords(text: string): readonly string[] {
  const words = new Set<string>()
  for (const rule of wordRules) if (rule.isFurther) for (const { word } of rule.words(text)) words.add(word)
  return [...words]
}
