/** Removes Markdown characters from a passage and moves its marks. Pure. */
import type { Snippet } from 'scrubjay'

// No part can begin inside itself, so matching takes linear time.
const beginnings =
  /^[ \t]*(?:>[ \t]?(?:\[![\w-]{1,40}\][+-]?)?[ \t]*)?(?:#{1,6}[ \t]+|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?|```.*$)?/gm
const noteLinks = /(!?\[\[(?:[^[\]\n|]*\|)?)[^[\]\n|]*(\]\])/g
const links = /(!?\[)[^[\]\n]*(\]\([^()\s]*\))/g
const signs = /\*\*|__|~~|`+/g

export function plainPassage({ text, marks }: Snippet): Snippet {
  const removed = [
    ...[beginnings, signs].flatMap((pattern) => Array.from(text.matchAll(pattern), rangeOf)),
    ...[noteLinks, links].flatMap((pattern) => Array.from(text.matchAll(pattern), endsOf).flat()),
  ]
  /** Characters kept before each place. */
  const kept = new Uint32Array(text.length + 1)
  const isRemoved = new Uint8Array(text.length)
  for (const [from, to] of removed) isRemoved.fill(1, from, to)
  for (let at = 0; at < text.length; at++) kept[at + 1] = kept[at]! + (isRemoved[at] === 1 ? 0 : 1)
  return {
    text: Array.from({ length: text.length }, (_, at) => (isRemoved[at] === 1 ? '' : text[at])).join(''),
    marks: marks.map(([from, to]) => [kept[from]!, kept[to]!] as const).filter(([from, to]) => from < to),
  }
}

type Range = readonly [from: number, to: number]

const rangeOf = (match: RegExpMatchArray): Range => [match.index!, match.index! + match[0].length]

/** The two captured ends of a link. */
function endsOf(match: RegExpMatchArray): readonly Range[] {
  const [from, to] = rangeOf(match)
  return [
    [from, from + match[1]!.length],
    [to - match[2]!.length, to],
  ]
}
