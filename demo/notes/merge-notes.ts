/**
 * Merges two texts that were both made from a third one, line by line. It never guesses: where both changed the same
 * lines, the answer is null, and both texts must be kept apart.
 */
import type { NoteText } from './note.ts'

/** `base` is what both were made from, `theirs` what is stored now. Null: they contradict each other. */
export function mergeNotes(base: NoteText, mine: NoteText, theirs: NoteText): NoteText | null {
  const title = mergeWhole(base.title.trim(), mine.title.trim(), theirs.title.trim())
  const body = mergeLines(base.body, mine.body, theirs.body)
  if (title === null || body === null) return null
  // A value chosen from a list cannot be merged: the later one wins.
  return { title, body, rhythm: mine.rhythm === base.rhythm ? theirs.rhythm : mine.rhythm }
}

/** What both added at one place is kept one after the other, theirs first. */
export function mergeLines(base: string, mine: string, theirs: string): string | null {
  const whole = mergeWhole(base, mine, theirs)
  if (whole !== null) return whole
  const lines = linesOf(base)
  const ours = changeOf(lines, linesOf(mine))
  const other = changeOf(lines, linesOf(theirs))
  if (ours.end <= other.start && ours.start < other.end) return apply(apply(lines, other), ours).join('\n')
  if (other.end <= ours.start && other.start < ours.end) return apply(apply(lines, ours), other).join('\n')
  // Both changed the same place. If nothing but empty lines was there, both only added.
  const start = Math.min(ours.start, other.start)
  const end = Math.max(ours.end, other.end)
  if (lines.slice(start, end).some((line) => line.trim() !== '')) return null
  const added = [other, ours].flatMap((change) => change.lines)
  return apply(lines, { start, end, lines: added }).join('\n')
}

/** Whether a store would hold the same of both. */
export function isSameNote(a: NoteText, b: NoteText): boolean {
  const [one, other] = [asStored(a), asStored(b)]
  return one.title === other.title && one.body === other.body && one.rhythm === other.rhythm
}

/** A note as it is read back. */
export function asStored({ title, body, rhythm }: NoteText): NoteText {
  return { title: title.trim(), body: body.trim() === '' ? '' : body, rhythm }
}

/** Null: both changed it, each to something else. */
function mergeWhole(base: string, mine: string, theirs: string): string | null {
  if (mine === base || mine === theirs) return theirs
  return theirs === base ? mine : null
}

/** The lines from `start` up to `end` became these. */
interface Change {
  readonly start: number
  readonly end: number
  readonly lines: readonly string[]
}

/** One stretch: all between the first and the last line that differs. */
function changeOf(before: readonly string[], after: readonly string[]): Change {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let same = 0
  while (same < shorter - start && before[before.length - 1 - same] === after[after.length - 1 - same]) same++
  return { start, end: before.length - same, lines: after.slice(start, after.length - same) }
}

function apply(lines: readonly string[], { start, end, lines: added }: Change): readonly string[] {
  return [...lines.slice(0, start), ...added, ...lines.slice(end)]
}

/** An empty text has no line at all: whatever is typed into it is added. */
function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.split('\n')
}
