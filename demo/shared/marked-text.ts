/** Renders a hit's title and passage with the matched words marked. */
import type { Hit, Snippet } from 'scrubjay'
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

/** `shown` is the hit's name on the page: its words are marked only if it is the record's own title. */
export function markedTitle({ record, marks }: Pick<Hit, 'record' | 'marks'>, shown: string) {
  return markedText({ text: shown, marks: record.title === shown ? (marks.title ?? []) : [] })
}

/**
 * The passage to show below the hit's name. The engine cuts the snippet from the title if no word of the question is in another
 * text; then the passage is the beginning of the body. Empty if the record has no text besides its name.
 */
export function passageOf({ record, snippet }: Pick<Hit, 'record' | 'snippet'>, shown: string): Snippet {
  const { title, body, summary, instruction, command } = record
  if (title !== null && title.includes(snippet.text.replaceAll(/^…|…$/g, ''))) {
    const text = [body, summary, instruction, command].find((one) => one !== null && one.trim() !== '') ?? ''
    return { text: beginningOf(text.trim()), marks: [] }
  }
  return title === null ? withoutBeginning(snippet, shown) : snippet
}

/** An untitled record is named after its first line. */
function withoutBeginning(snippet: Snippet, name: string): Snippet {
  if (!snippet.text.startsWith(name)) return snippet
  const rest = snippet.text.slice(name.length).trimStart()
  const from = snippet.text.length - rest.length
  const marks = snippet.marks.flatMap(([start, end]) => (start < from ? [] : [[start - from, end - from] as const]))
  return { text: rest, marks }
}

/** Cut between words, or between characters in scripts without spaces. */
function beginningOf(text: string): string {
  if (text.length <= maxLength) return text
  const cut = text.slice(0, maxLength)
  const space = cut.search(/\s\S*$/)
  return `${space > maxLength / 2 ? cut.slice(0, space) : cut.replace(/[\uD800-\uDBFF]$/, '')}…`
}

/** As long as the engine's snippets. */
const maxLength = 240
