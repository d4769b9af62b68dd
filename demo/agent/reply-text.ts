/**
 * Renders the reply, to the letter or as Markdown: each id in [brackets] of a known record becomes a number that opens the
 * record's history.
 */
import type { StoredRecord } from 'scrubjay'
import { make } from '../shared/dom.ts'
import { titleOf } from '../shared/title-of.ts'

/** The known ids that the reply cites, each once, in order. */
export function citedIds(reply: string, known: ReadonlySet<string>): readonly string[] {
  return [...new Set([...reply.matchAll(citation)].map(([, id = '']) => id))].filter((id) => known.has(id))
}

export interface ReplyOptions {
  readonly isPlain: boolean
  readonly sources: readonly StoredRecord[]
  readonly showLife: (id: string) => void
}

export async function replyText(reply: string, { isPlain, sources, showLife }: ReplyOptions): Promise<HTMLElement> {
  const text = isPlain ? make('p', { class: 'reply-text' }, reply) : await asMarkdown(reply)
  if (sources.length > 0) cite(text, sources, showLife)
  return text
}

async function asMarkdown(reply: string): Promise<HTMLElement> {
  // Loaded when needed: the built-in agent does not write Markdown.
  const { safeMarkdown } = await import('../shared/markdown.ts')
  const template = document.createElement('template')
  template.innerHTML = safeMarkdown().render(reply).trim()
  return make('div', { class: 'reply-text written' }, template.content)
}

function cite(text: HTMLElement, sources: readonly StoredRecord[], showLife: (id: string) => void): void {
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT)
  const nodes: Text[] = []
  while (walker.nextNode()) nodes.push(walker.currentNode as Text)
  for (const node of nodes) {
    const parts: (string | Node)[] = []
    let end = 0
    for (const match of node.data.matchAll(citation)) {
      const place = sources.findIndex(({ id }) => id === match[1])
      const source = sources[place]
      if (source === undefined) continue
      const name = `Source ${place + 1}: ${titleOf(source)}`
      const click = () => showLife(source.id)
      const button = { type: 'button', class: 'cite', title: name, 'aria-label': name, click } as const
      parts.push(node.data.slice(end, match.index), make('button', button, String(place + 1)))
      end = match.index + match[0].length
    }
    if (parts.length > 0) node.replaceWith(...parts, node.data.slice(end))
  }
}

const citation = /\[([^[\]\s]{1,512})\]/g
