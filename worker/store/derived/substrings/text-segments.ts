/**
 * Converts a folded text to a list of numbers: its tokens and the text between them, in order and without loss, so that a phrase can
 * be found without the text. One space after a token is the lowest bit of the number of the token, not a segment.
 */
import { isRunAt, runEnd } from '../../../../src/core/text/tokenise/path-tokens.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Pushes for each segment its number shifted left by one; the lowest bit says whether exactly one space follows. */
export function splitText(vocabulary: Vocabulary, folded: string, push: (segment: number) => void): void {
  eachSegment(folded, (from, to, spaced) => push((vocabulary.use(folded, from, to) << 1) | spaced))
}

/** A folded and trimmed text as it occurs inside others: its first and last segment may be parts of segments. */
export interface Phrase {
  readonly first: string
  readonly firstSpaced: number
  /** The complete segments between, as `splitText` returns them. */
  readonly between: Int32Array
  /** Null if there is only one segment. */
  readonly last: string | null
}

/** Returns null if no text contains one of its inner segments, so that the phrase occurs nowhere. */
export function compilePhrase(vocabulary: Vocabulary, folded: string): Phrase | null {
  const segments: { readonly text: string; readonly spaced: number }[] = []
  eachSegment(folded, (from, to, spaced) => segments.push({ text: folded.slice(from, to), spaced }))
  const [first] = segments
  if (first === undefined) return null
  const between = segments.slice(1, -1).map(({ text, spaced }) => ({ id: vocabulary.find(text), spaced }))
  if (between.some(({ id }) => id === -1)) return null
  return {
    first: first.text,
    firstSpaced: first.spaced,
    between: Int32Array.from(between, ({ id, spaced }) => (id << 1) | spaced),
    last: segments.length === 1 ? null : (segments.at(-1) as { readonly text: string }).text,
  }
}

/** Whether a phrase of two or more segments occurs in the text that is segments[from, to). */
export function occursIn(
  vocabulary: Vocabulary,
  { first, firstSpaced, between, last }: Phrase,
  segments: Int32Array,
  from: number,
  to: number,
): boolean {
  const length = between.length
  for (let at = from; at + length + 1 < to; at++) {
    const segment = segments[at]!
    if ((segment & 1) !== firstSpaced) continue
    let same = 0
    while (same < length && segments[at + 1 + same] === between[same]) same++
    if (same < length || !vocabulary.endsWith(segment >>> 1, first)) continue
    if (last === null || vocabulary.startsWith(segments[at + 1 + length]! >>> 1, last)) return true
  }
  return false
}

function eachSegment(text: string, visit: (from: number, to: number, spaced: 0 | 1) => void): void {
  for (let at = 0; at < text.length; ) {
    const to = runEnd(text, at)
    const spaced =
      text.charCodeAt(to) === space && isRunAt(text, at) && (to + 1 === text.length || isRunAt(text, to + 1))
    visit(at, to, spaced ? 1 : 0)
    at = spaced ? to + 1 : to
  }
}

const space = 0x20
