/** One note in the list: title, passage, day, tags, and for a hit why it is there. A row is made once and then follows the answers. */
import type { Contribution, Hit, Snippet } from 'scrubjay'
import { barList } from '../../shared/bars.ts'
import { hidden, make } from '../../shared/dom.ts'
import { day, moment } from '../../shared/format.ts'
import { markedText, markedTitle, passageOf } from '../../shared/marked-text.ts'
import { plainPassage } from '../../shared/record/plain-passage.ts'
import { noteHref } from '../address/route.ts'
import { titleOf } from '../../shared/title-of.ts'
import { excerptOf, type NoteLine, pinTag } from '../model/note.ts'

/** A hit of a question, or a note of the list without one, with the time that it shows. `showsWhy`: with the fold of its reasons. */
export type Listed =
  | { readonly hit: Hit; readonly showsWhy: boolean }
  | { readonly line: NoteLine; readonly at: number }

export interface NoteRow {
  readonly element: HTMLElement
  /** The title, which opens the note. */
  readonly link: HTMLElement
  /** Shows this answer; what is the same stays untouched. */
  update(listed: Listed): void
  mark(isOpen: boolean): void
}

const maxTags = 4

export function createNoteRow(id: string): NoteRow {
  const link = make('a', { class: 'hit', href: noteHref(id), 'data-id': id })
  const snippet = make('p', { class: 'snippet' })
  const time = make('time', { class: 'row-day' })
  const facts = make('p', { class: 'hit-facts' })
  const element = make('li', { class: 'row' }, make('h3', {}, link), time, snippet, facts)
  let fold: HTMLDetailsElement | null = null
  let contributions: readonly Contribution[] = []
  let shown: Listed | null = null
  const seen = { title: '', time: '', snippet: '', facts: '' }

  return { element, link, update, mark }

  function update(listed: Listed): void {
    if (shown !== null && isSame(shown, listed)) return
    shown = listed
    const hit = 'hit' in listed ? listed.hit : null
    const title = 'hit' in listed ? titleOf(listed.hit.record) : listed.line.title
    const { tags } = 'hit' in listed ? listed.hit.record : listed.line
    const at = 'hit' in listed ? listed.hit.record.updatedAt : listed.at
    if (isNew('title', title, hit?.record.title === title ? hit.marks.title : []))
      link.replaceChildren(...(hit === null ? [title] : markedTitle(hit, title)))
    const passage = 'hit' in listed ? passageToShow(listed.hit, title) : { text: listed.line.excerpt, marks: [] }
    if (isNew('snippet', passage.text, passage.marks)) snippet.replaceChildren(...markedText(passage))
    if (isNew('time', at)) showTime(at)
    if (isNew('facts', tags)) facts.replaceChildren(...tags.slice(0, maxTags).map(tagOf))
    element.classList.toggle('found', hit !== null)
    element.classList.toggle('pinned', tags.includes(pinTag))
    contributions = 'hit' in listed && listed.showsWhy ? listed.hit.contributions : []
    showFold(title)
  }

  function showTime(at: number): void {
    time.dateTime = new Date(at).toISOString()
    time.title = moment(at)
    time.textContent = day(at)
  }

  function mark(isOpen: boolean): void {
    if (isOpen === element.classList.contains('current')) return
    element.classList.toggle('current', isOpen)
    if (isOpen) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }

  /** Bars are drawn when the fold is opened: few folds are, and an answer of each key has thirty. */
  function showFold(title: string): void {
    if (contributions.length === 0) {
      fold?.remove()
      fold = null
      return
    }
    if (fold === null) {
      fold = make('details', { class: 'row-why' }, make('summary', {}, 'Why', hidden(`: ${title}`)))
      fold.addEventListener('toggle', drawBars)
      element.append(fold)
    }
    drawBars()
  }

  function drawBars(): void {
    if (fold === null || !fold.open) return
    const bars = barList(contributions)
    fold.replaceChildren(fold.firstElementChild ?? '', bars ?? '')
  }

  function isNew(part: keyof typeof seen, ...content: readonly unknown[]): boolean {
    const now = JSON.stringify(content)
    if (seen[part] === now) return false
    seen[part] = now
    return true
  }
}

function isSame(a: Listed, b: Listed): boolean {
  if ('line' in a) return 'line' in b && a.line === b.line && a.at === b.at
  return 'hit' in b && a.hit === b.hit && a.showsWhy === b.showsWhy
}

function passageToShow(hit: Hit, title: string): Snippet {
  const passage = plainPassage(passageOf(hit, title))
  return passage.marks.length === 0 ? { text: excerptOf(hit.record, title), marks: [] } : passage
}

function tagOf(tag: string): HTMLElement {
  return make('span', { class: 'tag' }, hidden('tag '), tag)
}
