/**
 * Merges two texts with a common base, line by line. It never guesses: if both changed the same lines, the result is null,
 * and the caller must keep both texts.
 */
import { type Change, changeOf } from './model/diff-lines.ts'
import type { NoteText } from './model/note.ts'

/** `base` is the common base, `theirs` the stored note. Null: conflict. */
export function mergeNotes(base: NoteText, mine: NoteText, theirs: NoteText): NoteText | null {
  const title = mergeWhole(base.title.trim(), mine.title.trim(), theirs.title.trim())
  const body = mergeLines(base.body, mine.body, theirs.body)
  if (title === null || body === null) return null
  // An interval cannot be merged: the later choice wins.
  return { title, body, rhythm: mine.rhythm === base.rhythm ? theirs.rhythm : mine.rhythm }
}

/** Keeps lines that both added at one place, theirs first. */
export function mergeLines(base: string, mine: string, theirs: string): string | null {
  const whole = mergeWhole(base, mine, theirs)
  if (whole !== null) return whole
  const lines = linesOf(base)
  const ours = changeOf(lines, linesOf(mine))
  const other = changeOf(lines, linesOf(theirs))
  if (ours.end <= other.start && ours.start < other.end) return apply(apply(lines, other), ours).join('\n')
  if (other.end <= ours.start && other.start < ours.end) return apply(apply(lines, ours), other).join('\n')
  // Both changed the same place. If it had only empty lines, both only added lines.
  const start = Math.min(ours.start, other.start)
  const end = Math.max(ours.end, other.end)
  if (lines.slice(start, end).some((line) => line.trim() !== '')) return null
  const added = [other, ours].flatMap((change) => change.lines)
  return apply(lines, { start, end, lines: added }).join('\n')
}

/** Whether both would be stored as the same note. */
export function isSameNote(a: NoteText, b: NoteText): boolean {
  const [one, other] = [asStored(a), asStored(b)]
  return one.title === other.title && one.body === other.body && one.rhythm === other.rhythm
}

/** The note as the store returns it. */
export function asStored({ title, body, rhythm }: NoteText): NoteText {
  return { title: title.trim(), body: body.trim() === '' ? '' : body, rhythm }
}

/** Null: both changed it in different ways. */
function mergeWhole(base: string, mine: string, theirs: string): string | null {
  if (mine === base || mine === theirs) return theirs
  return theirs === base ? mine : null
}

function apply(lines: readonly string[], { start, end, lines: added }: Change): readonly string[] {
  return [...lines.slice(0, start), ...added, ...lines.slice(end)]
}

/** An empty text has zero lines, so that text typed into it counts as added. */
function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.split('\n')
}
