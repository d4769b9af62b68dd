/**
 * Converts a folded text to a list of numbers: its tokens and the text between them, in order and without loss, so that a phrase can
 * be found without the text. One space after a token is not a piece, but the lowest bit of the token's number.
 */
import { isRunAt, runEnd } from '../../../../src/core/text/tokenise/path-tokens.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Pushes for each piece its number shifted left by one; the lowest bit says whether exactly one space follows. */
export function splitText(vocabulary: Vocabulary, folded: string, push: (piece: number) => void): void {
  eachPiece(folded, (from, to, spaced) => push((vocabulary.use(folded, from, to) << 1) | spaced))
}

/** A folded and trimmed text as it occurs inside others: its first and last piece may be parts of pieces. */
export interface Phrase {
  readonly first: string
  readonly firstSpaced: number
  /** The complete pieces between, as `splitText` returns them. */
  readonly between: Int32Array
  /** Null if there is only one piece. */
  readonly last: string | null
}

/** Returns null if no text contains one of its inner pieces, so that the phrase occurs nowhere. */
export function compilePhrase(vocabulary: Vocabulary, folded: string): Phrase | null {
  const pieces: { readonly text: string; readonly spaced: number }[] = []
  eachPiece(folded, (from, to, spaced) => pieces.push({ text: folded.slice(from, to), spaced }))
  const [first] = pieces
  if (first === undefined) return null
  const between = pieces.slice(1, -1).map(({ text, spaced }) => ({ id: vocabulary.find(text), spaced }))
  if (between.some(({ id }) => id === -1)) return null
  return {
    first: first.text,
    firstSpaced: first.spaced,
    between: Int32Array.from(between, ({ id, spaced }) => (id << 1) | spaced),
    last: pieces.length === 1 ? null : (pieces.at(-1) as { readonly text: string }).text,
  }
}

/** Whether a phrase of two or more pieces occurs in the text that is pieces[from, to). */
export function occursIn(
  vocabulary: Vocabulary,
  { first, firstSpaced, between, last }: Phrase,
  pieces: Int32Array,
  from: number,
  to: number,
): boolean {
  const length = between.length
  for (let at = from; at + length + 1 < to; at++) {
    const piece = pieces[at]!
    if ((piece & 1) !== firstSpaced) continue
    let same = 0
    while (same < length && pieces[at + 1 + same] === between[same]) same++
    if (same < length || !vocabulary.endsWith(piece >>> 1, first)) continue
    if (last === null || vocabulary.startsWith(pieces[at + 1 + length]! >>> 1, last)) return true
  }
  return false
}

function eachPiece(text: string, visit: (from: number, to: number, spaced: 0 | 1) => void): void {
  for (let at = 0; at < text.length; ) {
    const to = runEnd(text, at)
    const spaced =
      text.charCodeAt(to) === space && isRunAt(text, at) && (to + 1 === text.length || isRunAt(text, to + 1))
    visit(at, to, spaced ? 1 : 0)
    at = spaced ? to + 1 : to
  }
}

const space = 0x20
