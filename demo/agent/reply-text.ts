/** Renders the reply: each id in [brackets] of a known record becomes a number that opens the record's history. */
import type { StoredRecord } from 'scrubjay'
import { make } from '../shared/parts.ts'
import { titleOf } from '../shared/title-of.ts'

/** The known ids that the reply cites, each once, in order. */
export function citedIds(reply: string, known: ReadonlySet<string>): readonly string[] {
  return [...new Set([...reply.matchAll(citation)].map(([, id = '']) => id))].filter((id) => known.has(id))
}

export function replyText(
  reply: string,
  sources: readonly StoredRecord[],
  showLife: (id: string) => void,
): HTMLElement {
  const text = make('p', { class: 'reply-text' })
  let end = 0
  for (const match of reply.matchAll(citation)) {
    const place = sources.findIndex(({ id }) => id === match[1])
    const source = sources[place]
    if (source === undefined) continue
    const name = `Source ${place + 1}: ${titleOf(source)}`
    const cite = make('button', { type: 'button', class: 'cite', title: name, 'aria-label': name }, String(place + 1))
    cite.addEventListener('click', () => showLife(source.id))
    text.append(reply.slice(end, match.index), cite)
    end = match.index + match[0].length
  }
  text.append(reply.slice(end))
  return text
}

const citation = /\[([^[\]\s]{1,512})\]/g
