/**
 * BERT's tokenizer: words and signs, cut into the longest parts that the vocabulary has. It reads a text only as far as the model does,
 * in time linear in what it reads.
 */
import { classes, classOf, foldOf } from './characters.ts'

/** Ids of a text's parts between those of [CLS] and [SEP], `most` at the most. */
export type Tokenizer = (text: string, most: number) => number[]

export function createTokenizer(vocabulary: readonly string[], lowercase: boolean): Tokenizer {
  const parts = indexParts(vocabulary)
  const cuts = new Map<string, readonly number[]>()
  const cut = (word: string) => {
    let ids = cuts.get(word)
    if (ids === undefined) {
      ids = idsOf(word, parts)
      if (cuts.size >= mostCuts) cuts.clear()
      cuts.set(word, ids)
    }
    return ids
  }
  return (text, most) => {
    const ids = [parts.first]
    for (const word of wordsOf(text, lowercase)) {
      for (const id of cut(word)) if (ids.length < most - 1) ids.push(id)
      if (ids.length >= most - 1) break
    }
    ids.push(parts.last)
    return ids
  }
}

/** Words whose cuts are kept; texts repeat theirs. */
const mostCuts = 10_000
/** Longer words are unknown. */
const mostLetters = 100

interface Parts {
  /** Parts at the start of a word, and inside of one, without their `##`. */
  readonly starts: ReadonlyMap<string, number>
  readonly continuations: ReadonlyMap<string, number>
  /** Length of the longest part, in code units. */
  readonly longest: number
  readonly unknown: number
  readonly first: number
  readonly last: number
}

function indexParts(vocabulary: readonly string[]): Parts {
  const starts = new Map<string, number>()
  const continuations = new Map<string, number>()
  let longest = 1
  for (const [id, part] of vocabulary.entries()) {
    longest = Math.max(longest, part.length)
    if (part.startsWith('##') && part.length > 2) continuations.set(part.slice(2), id)
    else starts.set(part, id)
  }
  const idOf = (part: string) => starts.get(part) ?? 0
  return { starts, continuations, longest, unknown: idOf('[UNK]'), first: idOf('[CLS]'), last: idOf('[SEP]') }
}

function idsOf(word: string, { starts, continuations, longest, unknown }: Parts): readonly number[] {
  if (word.length > 2 * mostLetters || [...word].length > mostLetters) return [unknown]
  const ids: number[] = []
  for (let at = 0; at < word.length; ) {
    const known = at === 0 ? starts : continuations
    let end = Math.min(word.length, at + longest)
    let id: number | undefined
    for (; end > at; end--) {
      id = known.get(word.slice(at, end))
      if (id !== undefined) break
    }
    if (id === undefined) return [unknown]
    ids.push(id)
    at = end
  }
  return ids
}

/** The words and signs of a text. Of a word that is too long, only so much is kept that it is known to be. */
function* wordsOf(text: string, lowercase: boolean): Generator<string> {
  let word = ''
  const takesMore = () => word.length <= 2 * mostLetters
  for (let at = 0; at < text.length; ) {
    const codePoint = text.codePointAt(at)!
    at += codePoint > 0xffff ? 2 : 1
    const kind = classOf(codePoint)
    if (kind === classes.letter) {
      if (!takesMore()) continue
      if (!lowercase) word += String.fromCodePoint(codePoint)
      else if (codePoint < 0x80)
        word += String.fromCharCode(codePoint >= 65 && codePoint <= 90 ? codePoint + 32 : codePoint)
      else word += foldOf(codePoint)
    } else if (kind === classes.mark) {
      if (!lowercase && takesMore()) word += String.fromCodePoint(codePoint)
    } else if (kind !== classes.dropped) {
      if (word !== '') yield word
      word = ''
      if (kind !== classes.space) yield lowercase ? foldOf(codePoint) : String.fromCodePoint(codePoint)
    }
  }
  if (word !== '') yield word
}
