/**
 * Decides what of a long record goes into a context with a token budget [G6]: all of it if it fits, else its best passage with as many neighbours as
 * fit, else the sentences around the matches. A sentence is never cut.
 */
import type { StoredRecord } from '../model/record.ts'
import type { Hit } from '../model/result.ts'
import { codePoints, placeOf } from '../present/passage-place.ts'
import { splitPassages } from '../text/passages/split-passages.ts'
import { sentenceStarts } from '../text/passages/sentences.ts'

/** A part of a body. */
export interface PackedPart {
  readonly record: StoredRecord
  /** What part of the body it is; null for all of it. */
  readonly place: string | null
}

/** The parts of a long record from which packing chooses. */
export interface LongRecord {
  readonly passage: PackedPart
  /** The sentences around the matches, the shortest part first. */
  sentences(): Iterable<PackedPart>
  readonly whole: PackedPart
  /** The best passage with more and more neighbours. */
  wider(): Iterable<PackedPart>
}

/** Null for a record that is one passage. */
export function longRecordOf({ record, passage, marks }: Pick<Hit, 'record' | 'passage' | 'marks'>): LongRecord | null {
  const { body } = record
  if (passage === null || body === null) return null
  const passages = splitPassages(body)
  const best = Math.max(
    0,
    passages.findIndex(({ from }) => codePoints(body, 0, from) === passage.from),
  )
  const { from, to, heading } = passages[best]!
  const letters = codePoints(body, 0, body.length)
  const part = (start: number, end: number, under: string | null): PackedPart => {
    const text = body.slice(start, end).trimEnd()
    const first = codePoints(body, 0, start)
    const last = first + codePoints(body, start, start + text.length)
    return { record: { ...record, body: text }, place: placeOf(first, last, letters, under) }
  }
  return {
    passage: part(from, to, heading),
    whole: { record, place: null },
    *sentences() {
      const starts = sentenceStarts(body, from, to)
      const ends = starts.map((_, i) => starts[i + 1] ?? to)
      const matches = (marks.body ?? []).filter(([start]) => start >= from && start < to)
      const counts = starts.map(
        (start, i) =>
          new Set(
            matches.flatMap(([at, end]) => (at >= start && at < ends[i]! ? [body.slice(at, end).toLowerCase()] : [])),
          ).size,
      )
      const middle = counts.indexOf(Math.max(...counts))
      for (let low = middle, high = middle; ; ) {
        yield part(starts[low]!, ends[high]!, heading)
        if (low === 0 && high === starts.length - 1) return
        // The side with the nearer matches first, then the sentence after.
        if (low > 0 && (high === starts.length - 1 || counts[low - 1]! > counts[high + 1]!)) low--
        else high++
      }
    },
    *wider() {
      for (let low = best, high = best; low > 0 || high < passages.length - 1; ) {
        if (high < passages.length - 1 && (low === 0 || high - best <= best - low)) high++
        else low--
        if (high - low > mostNeighbours) return
        yield part(passages[low]!.from, passages[high]!.to, passages[low]!.heading)
      }
    },
  }
}

/** Passages of one record besides the best, unless all of it fits. */
const mostNeighbours = 16
