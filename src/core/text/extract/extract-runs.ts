/**
 * Finds runs of characters around a trigger. Extractors look only there, because visiting every word of plain prose would cost
 * more than the rest of the ingest.
 */

import type { Found } from './extract-found.ts'

/**
 * The maximal runs of member characters that contain a match of `trigger` (global; its first character is a member), in order,
 * each once. Linear for any text.
 */
export function* runsAround(text: string, trigger: RegExp, isMember: (unit: number) => boolean): Iterable<Found> {
  let end = 0
  for (const match of text.matchAll(trigger)) {
    if (match.index < end) continue
    let at = match.index
    while (at > end && isMember(text.charCodeAt(at - 1))) at--
    end = match.index + 1
    while (end < text.length && isMember(text.charCodeAt(end))) end++
    yield { term: text.slice(at, end), at }
  }
}

/** Turns an ASCII character class into a test of UTF-16 units. Units beyond ASCII are all members, or none. */
export function unitTest(members: RegExp, beyondAscii: 'members' | 'others'): (unit: number) => boolean {
  const table = Array.from({ length: 0x80 }, (_, unit) => members.test(String.fromCharCode(unit)))
  const others = beyondAscii === 'members' ? (unit: number) => !/\s/.test(String.fromCharCode(unit)) : () => false
  return (unit) => (unit < 0x80 ? table[unit]! : others(unit))
}
