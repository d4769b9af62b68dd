/** Shows the connections of the open note: links in both directions, notes used with it, and related notes. */
import type { Recall } from 'scrubjay'
import { explainError } from '../shared/notice.ts'
import { make, partById } from '../shared/dom.ts'
import { titleToWrite } from './model/links.ts'
import { titleKey } from '../shared/title-first.ts'
import { type NoteLine, type NoteText } from './model/note.ts'
import type { NoteIndex } from './model/note-index.ts'
import { newHref, noteHref } from './address/route.ts'

export interface Connections {
  show(id: string, text: NoteText): void
  hide(): void
}

const maxRelated = 5

/**
 * Lowest score of a related note. Evidence is made for questions and does not fit here: a whole note has many words that no
 * other note has. Of the first notes, those on one subject score at least 0.07, the others below 0.05.
 */
const minScore = 0.06

export function createConnections(recall: Recall, index: NoteIndex): Connections {
  const section = partById('connections')
  const related = partById('related')
  const linked = partById('linked')
  let running: AbortController | undefined
  let shown: { readonly id: string; readonly text: NoteText } | null = null
  index.onChange(() => {
    if (shown !== null) void showLinked(shown.id)
  })

  return {
    show(id, text) {
      if (shown?.id !== id) for (const place of [related, linked]) place.replaceChildren()
      shown = { id, text }
      section.hidden = false
      void showRelated(id, text)
      void showLinked(id)
    },
    hide() {
      running?.abort()
      shown = null
      section.hidden = true
    },
  }

  async function showRelated(id: string, { title, body }: NoteText): Promise<void> {
    running?.abort()
    const mine = new AbortController()
    running = mine
    try {
      const query = { text: `${title}\n${body}`, exclude: [id, ...index.deleting()], limit: maxRelated }
      const { hits } = await recall.recall(query, { signal: mine.signal })
      if (running !== mine) return
      const lines = hits.flatMap((hit) => (hit.score < minScore ? [] : (index.byId(hit.id) ?? [])))
      related.replaceChildren(
        lines.length === 0 ? quiet('No related notes.') : linkList(lines.map((line) => linkTo(line, true))),
      )
    } catch (error) {
      if (!mine.signal.aborted) explainError('Related notes could not be loaded.', error)
    }
  }

  async function showLinked(id: string): Promise<void> {
    const line = index.byId(id)
    if (line === undefined) return
    const together = await recall.linked(id).catch(() => [])
    if (shown?.id !== id) return
    const to = line.links.map((link) => index.byLink(link) ?? titleToWrite(link))
    const from = index.linkingTo(line)
    const linkedIds = new Set([
      ...to.flatMap((one) => (typeof one === 'string' ? [] : one.id)),
      ...from.map((one) => one.id),
    ])
    // The engine also links notes that are linked in a text, and keeps that link when the text loses it.
    const used = together.flatMap((link) => (linkedIds.has(link.id) ? [] : (index.byId(link.id) ?? [])))
    const groups = [
      group(
        'Links to',
        to.map((one) => (typeof one === 'string' ? linkToNew(one) : linkTo(one, false))),
      ),
      group(
        'Linked from',
        from.map((one) => linkTo(one, false)),
      ),
      group(
        'Used together',
        used.map((one) => linkTo(one, false)),
      ),
    ].flat()
    linked.replaceChildren(
      ...(groups.length === 0 ? [quiet('No links yet. Put a title in [[ ]] to link a note.')] : groups),
    )
  }
}

function group(name: string, rows: readonly HTMLElement[]): HTMLElement[] {
  return rows.length === 0 ? [] : [make('h3', {}, name), linkList(rows)]
}

function linkList(rows: readonly HTMLElement[]): HTMLElement {
  return make('ul', { class: 'link-list' }, ...rows)
}

function linkTo({ id, title, excerpt }: NoteLine, isLong: boolean): HTMLElement {
  // An untitled note is named after its first words, which need not be repeated.
  const hasExcerpt = isLong && !titleKey(excerpt).startsWith(titleKey(title))
  return make('li', {}, make('a', { href: noteHref(id), 'data-id': id }, title), hasExcerpt ? quiet(excerpt) : null)
}

function linkToNew(title: string): HTMLElement {
  return make('li', {}, make('a', { href: newHref(title), class: 'to-write' }, title), quiet('Not written yet'))
}

function quiet(text: string): HTMLElement {
  return make('p', { class: 'quiet' }, text)
}
