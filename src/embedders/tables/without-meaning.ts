/** Says which questions cannot be a word of any language, so that the pieces of a table say nothing of them: one letter again and again, a run of keys, consonants alone. */

/** Rows of keyboards: English, German, French. */
const rows = 'qwertyuiop asdfghjkl zxcvbnm qwertzuiop yxcvbnm azertyuiop qsdfghjklm wxcvbn'

/** Whether a text is one such word: `zzz`, `asdfgh`, `qwrtzp`. Abbreviations have fewer consonants (`gdpr`). */
export function isWithoutMeaning(text: string): boolean {
  const word = text.trim().toLowerCase()
  if (!/^[a-z]{3,32}$/.test(word)) return false
  if ([...word].every((letter) => letter === word[0])) return true
  return word.length > 3 && (rows.includes(word) || /^[^aeiouy]{5,}$/.test(word))
}
