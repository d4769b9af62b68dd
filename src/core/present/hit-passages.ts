/**
 * Names the passages of a long record that a hit is about: those with the words of the question, the best first; without such words, the one that
 * is nearest in meaning, else the first of the body.
 */
import type { Facts } from '../model/facts.ts'
import type { StoredRecord } from '../model/record.ts'
import type { HitPassage } from '../model/result.ts'
import { type Passage, splitPassages } from '../text/passages/split-passages.ts'
import { codePoints } from './passage-place.ts'

/** Null for a record that is one passage, and under a policy that does not rank by passages. */
export function passagesOfRow(
  { candidates, nearest }: Facts,
  row: number,
  { summary, body }: StoredRecord,
): readonly Passage[] | null {
  const places = candidates.passages?.get(row)
  if (places === undefined || body === null) return null
  const passages = splitPassages(body)
  // Place 0 is what is before the body.
  const found = places.flatMap((place) => passages[place - 1] ?? [])
  if (found.length > 0) return found
  const span = nearest?.get(row)
  // Offsets of vectors are those of summary and body together.
  const before = summary === null || summary === '' ? 0 : summary.length + 1
  const middle = span === undefined ? 0 : (span[0] + span[1]) / 2 - before
  return [passages.find(({ to }) => to > middle) ?? passages[0]!]
}

/** In code points. */
export function hitPassage(body: string, { from, to, heading }: Passage): HitPassage {
  const start = codePoints(body, 0, from)
  return { from: start, to: start + codePoints(body, from, to), heading }
}
