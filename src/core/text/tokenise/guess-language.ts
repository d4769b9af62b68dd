/**
 * Guesses the languages that a text may be in: from its letters, and among the languages of Latin letters from their function words. For use where a
 * wrong guess may change a verdict, never an answer or its order.
 */
import { tokenise } from './tokenise.ts'

/** The function words of each language of Latin letters, folded, by tag; null: the words of that language are not known. */
export type FunctionWords = ReadonlyMap<string, ReadonlySet<string> | null>

/**
 * The languages that a text may be in: tags of languages of Latin letters, of which it has equally many function words, or the name of its
 * script. Empty if no language is recognised. Reads the beginning of the text. A text without known function words is in the language whose words
 * are not known, if there is exactly one such language.
 */
export function guessLanguages(text: string, functionWords: FunctionWords): readonly string[] {
  const words = tokenise(text.slice(0, readCharacters)).map(({ word }) => word)
  const script = scriptOf(words)
  if (script !== 'Latin') return script === null ? [] : [script]
  return guessByWords(words, functionWords)
}

const readCharacters = 500

function guessByWords(words: readonly string[], functionWords: FunctionWords): readonly string[] {
  const counted = [...functionWords].map(([tag, own]) => ({
    tag,
    count: own === null ? 0 : words.filter((word) => own.has(word)).length,
  }))
  const most = counted.reduce((highest, { count }) => Math.max(highest, count), 0)
  if (most > 0 && most * mostWordsForOne >= words.length)
    return counted.filter(({ count }) => count === most).map(({ tag }) => tag)
  const unknown = [...functionWords].filter(([, own]) => own === null)
  return unknown.length === 1 && words.length >= fewestWords ? [unknown[0]![0]] : []
}

/** In running text at least every tenth word is a function word. */
const mostWordsForOne = 10
/** Fewer words may well have no function word. */
const fewestWords = 3

/** The script of most letters; null without letters. */
function scriptOf(words: readonly string[]): string | null {
  const counts = new Map<string, number>()
  for (const word of words)
    for (const letter of word) {
      const script = scriptOfLetter(letter.codePointAt(0)!)
      if (script !== null) counts.set(script, (counts.get(script) ?? 0) + 1)
    }
  // Japanese is written in Chinese characters, too.
  const kana = counts.get('Kana')
  if (kana !== undefined) {
    counts.set('Kana', kana + (counts.get('Han') ?? 0))
    counts.delete('Han')
  }
  let best: string | null = null
  for (const [script, count] of counts) if (best === null || count > counts.get(best)!) best = script
  return best
}

function scriptOfLetter(codePoint: number): string | null {
  for (const [script, from, to] of scripts) if (codePoint >= from && codePoint <= to) return script
  return null
}

/** Blocks of Unicode, not the engine's tables. */
const scripts: readonly (readonly [name: string, from: number, to: number])[] = [
  ['Latin', 0x61, 0x7a],
  ['Latin', 0xdf, 0x24f],
  ['Greek', 0x370, 0x3ff],
  ['Cyrillic', 0x400, 0x52f],
  ['Armenian', 0x530, 0x58f],
  ['Hebrew', 0x590, 0x5ff],
  ['Arabic', 0x600, 0x77f],
  ['Devanagari', 0x900, 0x97f],
  ['Tamil', 0xb80, 0xbff],
  ['Thai', 0xe00, 0xe7f],
  ['Hangul', 0x1100, 0x11ff],
  ['Latin', 0x1e00, 0x1eff],
  ['Greek', 0x1f00, 0x1fff],
  ['Kana', 0x3040, 0x30ff],
  ['Han', 0x3400, 0x9fff],
  ['Hangul', 0xac00, 0xd7a3],
]
