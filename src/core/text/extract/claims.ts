/**
 * Extracts the exact parts of a text: numbers, dates, versions, identifiers, signs, negations, words that limit or doubt.
 * If two similar texts differ in one of them, they make different statements. Reads spelling, not meaning; in doubt a word
 * counts as a claim.
 */
import { foldWord } from '../tokenise/tokenise.ts'
import { trimEndOf } from '../tokenise/trim.ts'

/** The claims in the order of the text, each a short string. Takes linear time. */
export function claimsOf(text: string): string[] {
  const claims: string[] = []
  let denies = false
  for (const [run] of text.matchAll(runs)) {
    const bare = trimEndOf(run.replace(opening, ''), closing)
    if (bare === '') continue
    const word = foldWord(bare)
    // Includes the word that it negates: "not old but big" and "old but not big" differ.
    if (denies) claims.push(`not ${word}`)
    denies = negations.has(word) || /n['’]t$/.test(word)
    if (denies) continue
    if (exactLetters.test(bare) || exactWords.has(word)) claims.push(word)
    else if (identifier.test(bare)) claims.push(bare)
  }
  if (denies) claims.push('not')
  return claims
}

/** The text between spaces. In Chinese, Japanese, Korean and Thai: numerals and negations, one by one. */
const runs =
  /[〇零一二三四五六七八九十百千万萬亿億两兩０-９不没沒無无非未否莫別别勿]|ない|ません|안|못|없|아니|ไม่|[๐-๙]+|[^\s\u0e00-\u0e7f\u2e80-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef]+/g

const opening = /^[([{"'`“‘„«¡¿*]+/
const closing: ReadonlySet<string> = /* @__PURE__ */ new Set('.,;:!?)]}"\'`”’»…*')

const exactLetters =
  /[0-9٠-٩۰-۹०-९০-৯๐-๙０-９〇零一二三四五六七八九十百千万萬亿億两兩不没沒無无非未否莫別别勿]|ない|ません|안|못|없|아니|ไม่/

/** A word with a sign, parts joined by dots, colons or hyphens, an option, a capital inside a word, a single letter. */
const identifier = /[_+#&|<>=^~$€£¥@\\/%]|[^\W_][.:-][^\W_]|^-+[^\W_]|[a-z][A-Z]|^[A-HJ-Z]$/

const negations: ReadonlySet<string> = /* @__PURE__ */ new Set(
  (
    'not no never none neither nor without cannot nothing nobody nowhere hardly barely scarcely ' +
    'nicht kein keine keinen keiner nie niemals ohne pas jamais sans aucun aucune nunca sin nada tampoco nem sem non ' +
    'senza mai niet geen nooit inte ikke bez не нет ни без никогда δεν değil yok لا لم لن ليس'
  ).split(' '),
)

/** Numbers and dates in words, and words that limit or withdraw a statement. */
const exactWords: ReadonlySet<string> = /* @__PURE__ */ new Set(
  (
    'one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty sixty seventy eighty ' +
    'ninety hundred thousand million billion half quarter third double twice once first second last dozen zero ' +
    'monday tuesday wednesday thursday friday saturday sunday january february march april may june july august ' +
    'september october november december today tomorrow yesterday next previous pm ' +
    'all every only some few many most least almost nearly partly except unless until if maybe perhaps might must ' +
    'should could would was were had will false failed fails unlike instead former formerly allegedly'
  ).split(' '),
)
