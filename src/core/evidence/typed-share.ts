/**
 * Computes how much of an unfinished word is typed: the largest share of its letters in a word of the record that begins with
 * it. The index cannot say this: the words it finds may share no more than the stem of the typed one.
 */
import { contentFields, type StoredRecord, type TextField } from '../model/record.ts'
import { foldLetters } from '../text/tokenise/fold-letters.ts'
import { stem } from '../text/tokenise/stem.ts'
import { tokenise } from '../text/tokenise/tokenise.ts'

/** 0..1: 1 if the record contains the word itself or a form of it, 0 if none of its words begins with it. `typed` is folded. `fields`: those whose words count; default all. */
export function typedShareIn(record: StoredRecord, typed: string, fields?: readonly TextField[]): number {
  const beginning = foldLetters(typed)
  const letters = [...beginning].length
  const own = stem(beginning)
  let best = 0
  for (const text of textsOf(record, (field) => fields?.includes(field) ?? true)) {
    let before = ''
    let end = -1
    for (const { word: written, from, to } of tokenise(text)) {
      const word = foldLetters(written)
      // Typed without the sign: `oreil` for O'Reilly.
      const joined = from === end + 1 && joining.includes(text[end]!) ? before + word : word
      before = joined
      end = to
      const found = [word, joined].filter((one) => one.startsWith(beginning))
      if (found.some((one) => stem(one) === own)) return 1
      for (const one of found) best = Math.max(best, letters / [...one].length)
    }
  }
  return best
}

/** Signs inside words that people leave out. */
const joining = "'\u2018\u2019`\u00b4\uff07-\u2010\u2011\u00ad"

function* textsOf(record: StoredRecord, counts: (field: TextField) => boolean): Generator<string, void, void> {
  for (const field of contentFields) if (record[field] !== null && counts(field)) yield record[field]
  if (counts('paths')) for (const { path } of record.files) yield path
  if (counts('terms')) for (const { term } of record.terms) yield term
}
