/**
 * Cuts a text into the pieces that passages are made of: headings, sentences, list items, table rows, code. Together they are the whole text,
 * with the white space after each.
 */
import { type Block, blocksOf } from './blocks.ts'
import { sentenceStarts } from './sentences.ts'

export interface Piece {
  /** UTF-16 offsets [from, to). Only the parts of a sentence that is too long overlap. */
  readonly from: number
  readonly to: number
  /** The text of a heading; null for anything else. */
  readonly heading: string | null
  /** Whether a block begins with it. */
  readonly isFirst: boolean
}

export interface PieceLengths {
  readonly most: number
  readonly overlap: number
}

export function piecesOf(text: string, lengths: PieceLengths): readonly Piece[] {
  const pieces: Piece[] = []
  for (const block of blocksOf(text)) {
    let isFirst = true
    for (const [from, to] of unitsOf(text, block, lengths.most)) {
      const isLong = to - from > lengths.most && block.kind !== 'code'
      for (const [start, end] of isLong ? partsOf(text, from, to, lengths) : [[from, to] as const]) {
        const heading = block.kind === 'heading' ? headingText(text.slice(start, end)) : null
        pieces.push({ from: start, to: end, heading, isFirst })
        isFirst = false
      }
    }
  }
  return pieces
}

type Span = readonly [from: number, to: number]

/** Code and tables are whole up to twice the length of a passage; longer ones are cut between lines. */
function unitsOf(text: string, { kind, from, to }: Block, most: number): readonly Span[] {
  if (kind === 'heading' || kind === 'item')
    return to - from <= most ? [[from, to]] : between(sentenceStarts(text, from, to), to)
  if (kind === 'text') return between(sentenceStarts(text, from, to), to)
  return to - from <= (kind === 'code' ? 2 * most : most) ? [[from, to]] : between(lineStarts(text, from, to), to)
}

function between(starts: readonly number[], end: number): readonly Span[] {
  return starts.map((from, i) => [from, starts[i + 1] ?? end])
}

function lineStarts(text: string, from: number, to: number): readonly number[] {
  const starts = [from]
  for (let at = text.indexOf('\n', from); at !== -1 && at + 1 < to; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** Parts of a sentence that is too long. Each begins some letters before the end of the one before, so that one of them has what is around the cut. */
function partsOf(text: string, from: number, to: number, { most, overlap }: PieceLengths): readonly Span[] {
  const parts: Span[] = []
  for (let start = from; ; ) {
    if (to - start <= most) {
      parts.push([start, to])
      return parts
    }
    const end = cutBefore(text, start + (most >> 1), start + most)
    parts.push([start, end])
    start = Math.max(start + 1, cutBefore(text, end - 2 * overlap, end - overlap))
  }
}

/** The last place within [least, most] to cut: after a line, a clause, a word or a letter. */
function cutBefore(text: string, least: number, most: number): number {
  for (const breaks of ['\n', ';,:；，、：', ' \t\u3000']) {
    for (let at = most; at > least; at--) if (breaks.includes(text[at - 1]!)) return at
  }
  const isInside = (text.charCodeAt(most) & 0xfc00) === 0xdc00
  return isInside ? most - 1 : most
}

/** Without the signs of a heading. */
function headingText(line: string): string {
  const first = line.trim().split('\n', 1)[0]!
  let from = 0
  let to = first.length
  while (from < to && (first[from] === '#' || first[from] === '=' || first[from] === ' ')) from++
  while (
    to > from &&
    (first[to - 1] === '#' || first[to - 1] === '=' || first[to - 1] === ' ' || first[to - 1] === '\r')
  )
    to--
  return first.slice(from, to)
}
