/** One hit as a card: what it is, where it matched, what its score is made of; all the rest behind a fold. */
import type { Hit, StoredRecord } from 'scrubjay'
import { amount, counted, day, moment } from './format.ts'
import { hitDetails } from './hit-details.ts'
import { hidden, make } from './parts.ts'
import { scoreBar } from './score-bar.ts'

export interface HitCardOptions {
  /** From 1. */
  readonly number: number
  /** The largest score on the page: bars are measured against it. */
  readonly most: number
  readonly isOpen: boolean
  readonly toggled: (isOpen: boolean) => void
  /** Stands at the end of the details. */
  readonly control: HTMLElement
}

export function hitCard(hit: Hit, options: HitCardOptions): HTMLElement {
  const titleId = `hit-${options.number}`
  const isScored = hit.contributions.length > 0
  return make(
    'article',
    { class: 'hit', tabindex: 0, 'data-id': hit.id, 'aria-labelledby': titleId },
    make(
      'header',
      { class: 'hit-head' },
      make('h3', { id: titleId }, titleOf(hit.record)),
      isScored ? make('span', { class: 'hit-score', title: 'Score' }, hidden('Score '), amount(hit.score)) : null,
    ),
    factsOf(hit.record),
    snippetOf(hit),
    isScored ? scoreBar(hit, options.most) : null,
    whereFound(hit),
    details(hit, options),
  )
}

function titleOf({ title, summary, instruction, command, body }: StoredRecord): string {
  const text = [title, summary, instruction, command, body].find((one) => one !== null && one.trim() !== '') ?? ''
  const [firstLine = ''] = text.trim().split('\n', 1)
  return firstLine.length > 120 ? `${firstLine.slice(0, 119)}…` : firstLine
}

function factsOf({ kind, project, topic, tags, createdAt, exitCode, status }: StoredRecord): HTMLElement {
  return make(
    'p',
    { class: 'hit-facts' },
    make('span', { class: 'badge' }, kind),
    exitCode === null
      ? null
      : make('span', { class: 'badge', 'data-tone': exitCode === 0 ? 'good' : 'bad' }, `exit ${exitCode}`),
    status === 'active' ? null : make('span', { class: 'badge', 'data-tone': 'bad' }, status),
    project === null ? null : make('span', {}, project),
    topic === null ? null : make('span', {}, topic),
    make('time', { datetime: new Date(createdAt).toISOString(), title: moment(createdAt) }, day(createdAt)),
    ...tags.slice(0, 6).map((tag) => make('span', { class: 'tag' }, hidden('tag '), tag)),
  )
}

/** The engine's own cut of the text, with the words it matched marked. */
function snippetOf({ snippet, record }: Hit): HTMLElement {
  const isCode = record.source === 'tool_result' || (record.source === 'code' && /[{};=(]\s*$/m.test(snippet.text))
  const place = make('p', { class: isCode ? 'snippet snippet-code' : 'snippet' })
  let at = 0
  for (const [from, to] of snippet.marks) {
    place.append(snippet.text.slice(at, from), make('mark', {}, snippet.text.slice(from, to)))
    at = to
  }
  place.append(snippet.text.slice(at))
  return place
}

function whereFound({ ranks, matched, collapsed }: Hit): HTMLElement {
  const places = Object.entries(ranks).map(([channel, rank]) =>
    make('span', { title: `Rank ${rank} in the ${channel} channel` }, `${channel} #${rank}`),
  )
  return make(
    'p',
    { class: 'hit-found quiet' },
    ...places,
    matched.length > 0 ? make('span', {}, `matched ${matched.join(', ')}`) : null,
    collapsed.length > 0 ? make('span', {}, `${counted(collapsed.length, 'duplicate')} folded in`) : null,
  )
}

function details(hit: Hit, { isOpen, toggled, control }: HitCardOptions): HTMLElement {
  const fold = make('details', { open: isOpen }, make('summary', {}, 'Why, and the whole record'))
  let isFilled = false
  const fill = () => {
    if (isFilled) return
    isFilled = true
    fold.append(hitDetails(hit), control)
  }
  // Filled when first opened: most hits never are, and an answer comes with every key press.
  if (isOpen) fill()
  fold.addEventListener('toggle', () => {
    toggled(fold.open)
    if (fold.open) fill()
  })
  return fold
}
