/** Writes FTS5 phrases. */
import { type TextField, textFields } from '../model/record.ts'
import { characterClass, characterClasses } from '../text/tokenise/letters.ts'

/** A complete FTS5 phrase of folded words. */
export function quote(words: string): string {
  const isPlain = !words.includes('"') && !words.includes('\0')
  return isPlain ? `"${words}"` : `"${words.replaceAll('"', '""').replaceAll('\0', '')}"`
}

/** The phrase, found only in these fields; null: in every field. */
export function inFields(phrase: string, fields: readonly TextField[] | null): string {
  return fields === null ? phrase : `{${fields.join(' ')}} : ${phrase}`
}

/** The fields in the order of the index; null if they are all of them, or not given. */
export function fieldsOf(given: readonly TextField[] | undefined): readonly TextField[] | null {
  const fields = textFields.filter((field) => given?.includes(field) ?? true)
  return fields.length === textFields.length ? null : fields
}

/** A single letter of a script without spaces. The index contains pairs of such letters, and the last one, so it is a prefix of some. */
export function isLoneLetter([word = '', ...others]: readonly string[]): boolean {
  // With its vowel marks, which are private characters.
  return others.length === 0 && isUnspaced(word) && /^.[\uf000-\uf7ff]*$/su.test(word)
}

/** A pair of letters, or a single one, of a script without spaces. Such pairs overlap: two of them represent three letters. */
export function isUnspaced(word: string): boolean {
  return characterClass(word.codePointAt(0) ?? 0) === characterClasses.unspaced
}
