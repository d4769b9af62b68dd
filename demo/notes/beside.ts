/** What stands beside an open note: what it links to, what links to it, what was used with it, and what is about the same. */
import type { Recall } from 'scrubjay'
import { explainError } from '../shared/notice.ts'
import { make, partById } from '../shared/parts.ts'
import { type NoteLine, type NoteText, titleKey } from './note.ts'
import type { NoteIndex } from './note-index.ts'
import { newHref, noteHref } from './route.ts'

export interface Beside {
  show(id: string, text: NoteText): void
  hide(): void
}

const mostRelated = 5

/**
 * The least score of a related note. Evidence is about questions: a whole note holds many words that no other has. On
 * the first notes, those with a subject in common have 0.07 and more, the others less than 0.05.
 */
const leastScore = 0.06

export function createBeside(recall: Recall, index: NoteIndex): Beside {
  const section = partById('beside')
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
      const query = { text: `${title}\n${body}`, exclude: [id, ...index.deleting()], limit: mostRelated }
      const { hits } = await recall.recall(query, { signal: mine.signal })
      if (running !== mine) return
      const lines = hits.flatMap((hit) => (hit.score < leastScore ? [] : (index.byId(hit.id) ?? [])))
      related.replaceChildren(
        lines.length === 0 ? quiet('No related notes.') : linkList(lines.map((line) => linkTo(line, true))),
      )
    } catch (error) {
      if (running === mine) explainError('Related notes could not be loaded.', error)
    }
  }

  async function showLinked(id: string): Promise<void> {
    const line = index.byId(id)
    if (line === undefined) return
    const together = await recall.linked(id).catch(() => [])
    if (shown?.id !== id) return
    const to = line.links.map((title) => index.byTitle(title) ?? title)
    const from = index.linkingTo(line)
    const known = new Set([
      ...to.flatMap((one) => (typeof one === 'string' ? [] : one.id)),
      ...from.map((one) => one.id),
    ])
    // The engine links what is linked in a text, too; and it keeps that when the text does not.
    const used = together.flatMap((link) => (known.has(link.id) ? [] : (index.byId(link.id) ?? [])))
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
  // An untitled note is called by how it begins: no need to say it twice.
  const isTold = isLong && !titleKey(excerpt).startsWith(titleKey(title))
  return make('li', {}, make('a', { href: noteHref(id), 'data-id': id }, title), isTold ? quiet(excerpt) : null)
}

function linkToNew(title: string): HTMLElement {
  return make('li', {}, make('a', { href: newHref(title), class: 'to-write' }, title), quiet('Not written yet'))
}

function quiet(text: string): HTMLElement {
  return make('p', { class: 'quiet' }, text)
}
