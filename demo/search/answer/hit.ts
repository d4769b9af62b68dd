/** Makes the compact row of one hit: title, one marked sentence, age and source, a thin bar, and the button “Why?”. */
import type { Hit, StoredRecord } from 'scrubjay'
import { thinBar } from '../../shared/bars.ts'
import { day, moment } from '../../shared/format.ts'
import { markedText, markedTitle, passageOf } from '../../shared/marked-text.ts'
import { hidden, make } from '../../shared/dom.ts'
import { plainPassage } from '../../shared/record/plain-passage.ts'
import { rowTitle } from '../shown/row-title.ts'
import { sourceName } from './sources.ts'

export interface HitRowOptions {
  /** From 1. */
  readonly number: number
  /** The largest score of the answer, which fills the whole bar; null: no bar. */
  readonly most: number | null
  /** Whether the question is its title. */
  readonly isExact: boolean
  /** Records that this one replaces. */
  readonly replaced: readonly StoredRecord[]
  readonly why: (from: HTMLElement) => void
}

export function hitRow(hit: Hit, { number, most, isExact, replaced, why }: HitRowOptions): HTMLElement {
  const { id, record } = hit
  const name = rowTitle(record)
  const written = passageOf(hit, name)
  const passage = isMarkdown(record) ? plainPassage(written) : written
  const titleId = `hit-${number}`
  const ask = make('button', { type: 'button', class: 'small why-this' }, 'Why?', hidden(` ${name}`))
  ask.addEventListener('click', () => why(ask))
  const row = make(
    'article',
    {
      class: 'hit',
      tabindex: 0,
      'data-id': id,
      'aria-labelledby': titleId,
    },
    make('header', { class: 'hit-head' }, make('h3', { id: titleId }, ...markedTitle(hit, name)), ask),
    passage.text === '' ? null : make('p', { class: 'snippet' }, ...markedText(passage)),
    ...replaced.map(replacedLine),
    make(
      'p',
      { class: 'hit-facts' },
      isExact ? make('span', { class: 'badge' }, 'exact title') : null,
      make('span', { class: 'source' }, sourceName(record)),
      make(
        'time',
        { datetime: new Date(record.createdAt).toISOString(), title: moment(record.createdAt) },
        day(record.createdAt),
      ),
      hit.collapsed.length > 0 ? make('span', {}, `${hit.collapsed.length + 1} copies`) : null,
    ),
    most !== null && hit.contributions.length > 0 ? thinBar(hit, most) : null,
  )
  row.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.target !== row) return
    event.preventDefault()
    why(row)
  })
  return row
}

function isMarkdown({ files }: StoredRecord): boolean {
  return files.some(({ path }) => /\.(md|markdown)$/i.test(path))
}

function replacedLine(old: StoredRecord): HTMLElement {
  return make(
    'p',
    { class: 'replaced' },
    'Replaces ',
    make('s', {}, [old.title, old.body].filter((text) => text !== null).join(': ')),
    ` (${sourceName(old)}, ${day(old.createdAt)})`,
  )
}
