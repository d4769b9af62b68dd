/** Cuts a snippet: the window of a text with the most distinct query stems, and the positions of the matches. */

import { characterClass, characterClasses } from '../text/tokenise/letters.ts'
import { type Match, matcherOf } from './matches.ts'

export interface Snippet {
  readonly text: string
  /** UTF-16 offsets [from, to) into `text`, ascending, without overlap. */
  readonly marks: [number, number][]
}

/** `snippetOfMatches` with the matches of `stems`, and of words that begin with the folded `prefix`. */
export function snippet(text: string, stems: ReadonlySet<string>, maxLength = 240, prefix = ''): Snippet {
  return snippetOfMatches(text, matcherOf({ stems, prefix })(beginningOf(text)), maxLength)
}

/**
 * The window of at most `maxLength` UTF-16 units (including the `…` at cut ends) with the most distinct stems of `matches`: the
 * earliest of several, or the beginning without any. Cuts between words, in scripts without spaces between letters. Uses the
 * first 64 Ki characters.
 */
export function snippetOfMatches(text: string, matches: readonly Match[], maxLength: number): Snippet {
  const seen = beginningOf(text)
  const near = seen === text ? matches : matches.filter(({ to }) => to <= seen.length)
  if (text.length <= maxLength) return { text, marks: marksIn(near, 0, text.length, 0) }
  // Too short for a mark at both ends.
  const mark = maxLength > 2 ? '…' : ''
  const room = Math.max(1, maxLength - 2 * mark.length)
  const { from, to } = widened(seen, bestWindow(near, room), room)
  const before = from > 0 ? mark : ''
  const after = to < text.length ? mark : ''
  return { text: before + seen.slice(from, to) + after, marks: marksIn(near, from, to, before.length) }
}

/** The marks of a whole text, as in a snippet of all of it; at most `most` of them, the first. */
export function marksOf(matches: readonly Match[], most: number): [number, number][] {
  return marksIn(matches, 0, Number.POSITIVE_INFINITY, 0).slice(0, most)
}

/** The same as `snippetOfMatches` with at most `most` code points. A character beyond the basic plane is one code point of two units. */
export function snippetOfCodePoints(text: string, matches: readonly Match[], most: number): Snippet {
  if (most === 0) return { text: '', marks: [] }
  if (text.length <= 2 * most && codePoints(text) <= most) return snippetOfMatches(text, matches, text.length)
  let best = snippetOfMatches(text, matches, most)
  // A window of so many units has at most as many code points. Where it has fewer, a longer one may fit.
  for (let units = most, spare = most - codePoints(best.text); spare > 0 && best.text.length < text.length; ) {
    units += Math.max(2, spare)
    const wider = snippetOfMatches(text, matches, units)
    spare = most - codePoints(wider.text)
    if (spare < 0 || codePoints(wider.text) <= codePoints(best.text)) break
    best = wider
  }
  return best
}

function beginningOf(text: string): string {
  return text.length > maxSeen ? text.slice(0, wholeCharacters(text, maxSeen)) : text
}

function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

const maxSeen = 65_536

interface Window {
  readonly from: number
  readonly to: number
}

/** The window of at most `room` with the most distinct stems: two pointers over the matches. */
function bestWindow(matches: readonly Match[], room: number): Window {
  const counts = new Map<string, number>()
  let best: Window = { from: 0, to: 0 }
  let bestDistinct = 0
  let first = 0
  for (const last of matches) {
    counts.set(last.stem, (counts.get(last.stem) ?? 0) + 1)
    while (last.to - matches[first]!.from > room && matches[first] !== last) {
      const { stem: left } = matches[first++]!
      const count = counts.get(left)! - 1
      if (count === 0) counts.delete(left)
      else counts.set(left, count)
    }
    if (counts.size > bestDistinct) {
      bestDistinct = counts.size
      best = { from: matches[first]!.from, to: last.to }
    }
  }
  return best
}

/** Extends a window to `room`: a third of the spare room goes before it, the rest after it. Cuts between words. */
function widened(text: string, { from, to }: Window, room: number): Window {
  const spare = Math.max(0, room - (to - from))
  let start = from - Math.min(from, Math.floor(spare / 3))
  // Near the end of the text, spare room after the window goes before it.
  start = Math.max(0, Math.min(start, text.length - room))
  while (start < from && !isBoundary(text, start)) start++
  while (start < from && isSpace(text, start)) start++
  let end = Math.min(text.length, start + room)
  const least = Math.min(end, Math.max(to, start + 1))
  if (end < text.length) while (end > least && !isBoundary(text, end)) end--
  while (end > least && isSpace(text, end - 1)) end--
  // A single word that is longer than the window is cut inside.
  return { from: start, to: isBoundary(text, end) ? end : wholeCharacters(text, Math.max(end, start + room)) }
}

/** Whether the text may be cut here: not inside a word or a character, nor between a letter and its mark. */
function isBoundary(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return true
  if (wholeCharacters(text, at) !== at) return false
  const next = characterClass(text.codePointAt(at)!)
  if (next === gap || next === letterGap || next === unspaced) return true
  const previous = characterClass(text.codePointAt(wholeCharacters(text, at - 1))!)
  return previous === gap || previous === letterGap || (previous === unspaced && next === letter)
}

const { gap, letter, letterGap, unspaced } = characterClasses

function isSpace(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit === 0x20 || (unit >= 9 && unit <= 13) || unit === 0xa0 || unit === 0x3000
}

/** The offset, or the one before it if it is inside a surrogate pair. */
function wholeCharacters(text: string, at: number): number {
  const parts = (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800
  return parts ? at - 1 : at
}

/** Marks of the matches in a window, moved by `shift`. Overlapping ones (letter pairs of an unspaced script) are joined. */
function marksIn(matches: readonly Match[], from: number, to: number, shift: number): [number, number][] {
  const marks: [number, number][] = []
  for (const match of matches) {
    if (match.from < from || match.from >= to) continue
    const end = Math.min(match.to, to) - from + shift
    const last = marks.at(-1)
    if (last !== undefined && match.from - from + shift <= last[1]) last[1] = end
    else marks.push([match.from - from + shift, end])
  }
  return marks
}
