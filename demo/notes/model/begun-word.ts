/** Finds the hits that hold the word which the user is typing. Pure. */
import type { Hit } from 'scrubjay'

export function lastWord(text: string): string {
  return text.split(/\s+/).at(-1) ?? ''
}

/** Whether a marked word of the hit begins with `beginning`. */
export function hasWordFrom(beginning: string) {
  const start = beginning.toLowerCase()
  return ({ snippet, marks, record }: Hit) =>
    [
      ...snippet.marks.map(([from, to]) => snippet.text.slice(from, to)),
      ...(marks.title ?? []).map(([from, to]) => record.title?.slice(from, to) ?? ''),
    ].some((word) => word.toLowerCase().startsWith(start))
}
