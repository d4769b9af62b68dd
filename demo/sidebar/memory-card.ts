/** Makes the card of one memory: source, snippet, folded reasons and the button that deletes it. */
import type { Contribution, StoredRecord } from 'scrubjay'
import { barList } from '../shared/bars.ts'
import { deleteButton } from '../shared/delete/delete-button.ts'
import { day, moment } from '../shared/format.ts'
import { type Child, hidden, make } from '../shared/dom.ts'
import { titleOf } from '../shared/title-of.ts'

export interface CardOptions {
  /** The id of the card's title. */
  readonly titleId: string
  readonly snippet: readonly Child[]
  /** Empty if the memory is not the hit of a question. */
  readonly contributions: readonly Contribution[]
  readonly remove: () => void
}

export function memoryCard(
  record: StoredRecord,
  { titleId, snippet, contributions, remove }: CardOptions,
): HTMLElement {
  const { id, kind, project, createdAt } = record
  return make(
    'article',
    { class: 'hit', 'data-id': id, 'aria-labelledby': titleId },
    make('header', { class: 'hit-head' }, make('h3', { id: titleId }, linkTo(record))),
    make('p', { class: 'snippet' }, ...snippet),
    make(
      'p',
      { class: 'hit-facts' },
      make('span', { class: 'badge' }, badges[kind ?? ''] ?? kind ?? 'page'),
      project === null ? null : make('span', {}, project),
      make('time', { datetime: new Date(createdAt).toISOString(), title: moment(createdAt) }, day(createdAt)),
    ),
    contributions.length === 0
      ? null
      : make('details', { class: 'reasons' }, make('summary', {}, 'Why is it here?'), barList(contributions)),
    deleteButton('memory', remove),
  )
}

/** Kinds whose names are not what a reader would call them. */
const badges: Readonly<Record<string, string>> = { selection: 'quote', turn: 'chat', tool: 'chat', row: 'table' }

/** Links only to web addresses: a stored address could be a script. */
function linkTo(record: StoredRecord): HTMLElement | string {
  const title = titleOf(record)
  const { url } = record.metadata
  if (typeof url !== 'string' || !/^https?:\/\//.test(url)) return title
  return make('a', { href: url, target: '_blank', rel: 'noreferrer' }, title, hidden(' (opens in a new tab)'))
}
