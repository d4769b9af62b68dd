/**
 * Cuts a body into passages, by which a long text is ranked, shown and packed. A pure function of the text [G5]: every letter is in a passage, the
 * order is kept, and borders are those of headings, paragraphs, sentences, list items, table rows and code. Only a sentence that is longer than
 * a passage is cut inside; then the parts overlap.
 */
import { type Piece, piecesOf } from './pieces.ts'

export interface Passage {
  /** UTF-16 offsets [from, to) into the body. */
  readonly from: number
  readonly to: number
  /** The nearest heading above, or at its beginning; null without one. */
  readonly heading: string | null
}

/** In UTF-16 units, chosen by measurement (docs/quality.md#passages). A text of up to `whole` is one passage. */
export const passageLengths = Object.freeze({ whole: 1000, most: 1000, paragraphs: 600, least: 200, overlap: 150 })

/** The passages in order; at least one, also for an empty text. */
export function splitPassages(text: string): readonly Passage[] {
  if (text.length <= passageLengths.whole) return [{ from: 0, to: text.length, heading: null }]
  const passages: Passage[] = []
  let open: Open | null = null
  let heading: string | null = null
  for (const piece of piecesOf(text, passageLengths)) {
    if (open !== null && isFull(open, piece)) open = close(passages, open)
    open ??= { from: piece.from, to: piece.from, heading, headingsFrom: piece.from, before: heading }
    if (piece.heading === null) open.headingsFrom = piece.to
    else {
      if (open.headingsFrom === open.from) open.heading = piece.heading
      heading = piece.heading
      open.before = heading
    }
    open.to = piece.to
  }
  if (open === null) return passages
  const last = passages.at(-1)
  const isShort = open.to - open.from < passageLengths.least
  if (isShort && last !== undefined && open.to - last.from <= passageLengths.most + passageLengths.least)
    passages[passages.length - 1] = { ...last, to: open.to }
  else passages.push({ from: open.from, to: open.to, heading: open.heading })
  return passages
}

interface Open {
  from: number
  to: number
  heading: string | null
  /** From here to its end there are only headings, which belong to what follows. */
  headingsFrom: number
  /** The last heading so far. */
  before: string | null
}

/** Whether a new passage begins before the piece. */
function isFull({ from, to, headingsFrom }: Open, piece: Piece): boolean {
  const length = to - from
  // What follows a heading stays with it, however long it is.
  if (headingsFrom === from) return false
  if (piece.to - from > passageLengths.most) return true
  if (piece.heading !== null) return length >= passageLengths.least
  return piece.isFirst && length >= passageLengths.paragraphs && headingsFrom === to
}

/** Adds the open passage without the headings at its end, with which the next passage begins. */
function close(passages: Passage[], { from, to, heading, headingsFrom, before }: Open): Open | null {
  passages.push({ from, to: headingsFrom, heading })
  return headingsFrom === to ? null : { from: headingsFrom, to, heading: before, headingsFrom, before }
}
