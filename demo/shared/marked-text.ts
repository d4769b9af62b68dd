/** Renders a snippet of the engine with the matched words marked. */
import type { Snippet } from 'scrubjay'
import { make } from './dom.ts'

export function markedText({ text, marks }: Snippet): readonly (HTMLElement | string)[] {
  const parts: (HTMLElement | string)[] = []
  let at = 0
  for (const [from, to] of marks) {
    parts.push(text.slice(at, from), make('mark', {}, text.slice(from, to)))
    at = to
  }
  return [...parts, text.slice(at)]
}
