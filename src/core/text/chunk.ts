/**
 * Cuts a text into overlapping chunks for embedding: models read a few hundred tokens, and a longer text is found by its best
 * chunk. Words are separated by white space; an unspaced or very long word counts by its characters.
 */

export interface ChunkOptions {
  /** Words per chunk; default 120. */
  readonly words?: number | undefined
  /** Words from the start of one chunk to the start of the next; default 100, at most `words`. */
  readonly stride?: number | undefined
}

/** UTF-16 offsets [from, to) into the text. */
export interface TextChunk {
  readonly from: number
  readonly to: number
}

/**
 * The chunks in order, each from its first word to its last; together they cover all words. A text of up to `words` words is
 * one chunk, a blank text none. Eight characters of Chinese, Japanese, Korean or Thai without a space count as a word, and so
 * do eight characters of a word with more than 100: a chunk of such text has at most 960 characters.
 */
export function chunkText(text: string, options: ChunkOptions = {}): TextChunk[] {
  const { words = 120, stride = 100 } = options
  if (!(words >= 1 && stride >= 1 && stride <= words))
    throw new RangeError(`words must be at least 1 and stride from 1 to words, got words ${words} and stride ${stride}`)
  const found = wordsOf(text)
  const chunks: TextChunk[] = []
  for (let first = 0; first < found.length; first += stride) {
    const last = Math.min(first + words, found.length) - 1
    chunks.push({ from: found[first]!.from, to: found[last]!.to })
    if (last === found.length - 1) break
  }
  return chunks
}

/** Longer than any normal word, except in scripts without spaces. */
const longWordLength = 100
const unspacedWordLength = 24
const partLength = 8

type Word = TextChunk

function wordsOf(text: string): Word[] {
  const words: Word[] = []
  for (const match of text.matchAll(/\S+/g)) {
    const from = match.index
    const to = from + match[0].length
    if (to - from > longWordLength || (to - from > unspacedWordLength && unspaced.test(match[0])))
      addParts(words, text, from, to)
    else words.push({ from, to })
  }
  return words
}

/** Thai, Korean letters, Chinese and Japanese, including the surrogates of their rarer characters. */
const unspaced = /[\u0e00-\u0e7f\u1100-\u11ff\u2e80-\ud7ff\ud840-\ud88f\uf900-\ufaff]/

function addParts(words: Word[], text: string, from: number, to: number): void {
  for (let start = from; start < to; ) {
    let end = Math.min(to, start + partLength)
    if (end < to && (text.charCodeAt(end) & 0xfc00) === 0xdc00) end--
    words.push({ from: start, to: end })
    start = end
  }
}
