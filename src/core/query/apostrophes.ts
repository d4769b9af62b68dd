/**
 * Words with an apostrophe are written without it, too: Qur'an and Quran, rock'n'roll and rocknroll, don't and dont. The index cuts words at an
 * apostrophe. All words here are folded.
 */
import { contractionRemnants } from '../text/tokenise/stop-words.ts'
import { tokenise } from '../text/tokenise/tokenise.ts'
import { isUnspaced } from './phrases.ts'

/** What is written as an apostrophe. Letters of this form are folded (`foldLetters`). */
const apostrophes = "'\u2018\u2019`\u00b4\uff07"

export function isApostrophe(sign: string): boolean {
  return sign.length === 1 && apostrophes.includes(sign)
}

/** The parts of which a word may consist: two, or three around an n. Remnants of contractions are left out, because we're is not were. */
export function cutsAtApostrophe(word: string): readonly (readonly string[])[] {
  const cuts: string[][] = []
  if (!/^\p{L}{3,20}$/u.test(word) || isUnspaced(word)) return cuts
  for (let at = 1; at < word.length; at++) {
    const [head, tail] = [word.slice(0, at), word.slice(at)]
    if (!contractionRemnants.has(tail)) cuts.push([head, tail])
    if (at > 2 && at < word.length - 1 && head.endsWith('n')) cuts.push([head.slice(0, -1), 'n', tail])
  }
  return cuts
}

/** A single letter may have a hyphen: t-shirt. */
function joins(sign: string, first: string): boolean {
  return isApostrophe(sign) || (first.length === 1 && /^[-\u00ad\u2010\u2011]$/.test(sign))
}

/** Whether a text has the two parts with an apostrophe between them. The second may be the beginning of a word. */
export function holdsWithApostrophe(text: string, [first, second]: readonly string[], isBeginning: boolean): boolean {
  return tokenise(text).some(
    ({ word, from }, i, tokens) =>
      i > 0 &&
      (isBeginning ? word.startsWith(second!) : word === second) &&
      tokens[i - 1]!.word === first &&
      joins(text.slice(tokens[i - 1]!.to, from), first!),
  )
}
