/** Reads passages by the code points that a hit names, and says in words where they are. */
import type { HitPassage } from '../model/result.ts'

export function codePoints(text: string, from: number, to: number): number {
  let count = to - from
  for (let at = from + 1; at < to; at++) if (isSecondHalf(text, at)) count--
  return count
}

/** The text of a passage, without the white space after it. */
export function passageText(body: string, { from, to }: Pick<HitPassage, 'from' | 'to'>): string {
  const start = unitsOf(body, 0, from)
  return body.slice(start, unitsOf(body, start, to - from)).trimEnd()
}

export function placeOf(from: number, to: number, letters: number, heading: string | null): string {
  return `${heading === null ? '' : `${heading}, `}letters ${from} to ${to} of ${letters}`
}

/** The place `count` code points after a place in UTF-16 units. */
function unitsOf(text: string, from: number, count: number): number {
  let at = from
  for (let left = count; left > 0 && at < text.length; left--) at += isSecondHalf(text, at + 1) ? 2 : 1
  return at
}

function isSecondHalf(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800
}
