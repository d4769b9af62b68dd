/** Makes the card of one hit: title, facts, snippet, score and channels; the details are folded in. */
import type { Hit, StoredRecord } from 'scrubjay'
import { amount, counted, day, moment } from '../../shared/format.ts'
import { markedText } from '../../shared/marked-text.ts'
import { hidden, make } from '../../shared/parts.ts'
import { scoreBar } from '../../shared/score-bar.ts'
import { titleOf } from '../../shared/title-of.ts'
import { tierLabel } from './authority.ts'
import { freshnessBadge, movedBadge, reasonBadges, riskBadges } from './badges.ts'
import { hitDetails } from './hit-details.ts'
import type { Before } from './search.ts'

export interface HitCardOptions {
  /** From 1. */
  readonly number: number
  /** The largest score on the page, which fills the whole bar. */
  readonly most: number
  /** The order under the previous policy, if the policy was just changed. */
  readonly before: Before | null
  readonly isOpen: boolean
  readonly toggled: (isOpen: boolean) => void
  /** Asks why the hit is in the answer. */
  readonly why: (from: HTMLElement) => void
  /** Shown at the end of the details. */
  readonly control: HTMLElement
}

export function hitCard(hit: Hit, options: HitCardOptions): HTMLElement {
  const titleId = `hit-${options.number}`
  const isScored = hit.contributions.length > 0
  return make(
    'article',
    {
      class: 'hit',
      tabindex: 0,
      'data-id': hit.id,
      'data-tier': hit.record.authorityTier ?? 'none',
      'aria-labelledby': titleId,
    },
    make(
      'header',
      { class: 'hit-head' },
      make('h3', { id: titleId }, titleOf(hit.record)),
      isScored ? make('span', { class: 'hit-score', title: 'Score' }, hidden('Score '), amount(hit.score)) : null,
    ),
    factsOf(hit.record),
    notesOn(hit, options),
    snippetOf(hit),
    isScored ? scoreBar(hit.contributions, options.most) : null,
    whereFound(hit, options),
    details(hit, options),
  )
}

function factsOf({ kind, project, topic, tags, createdAt, exitCode, status, supersededBy }: StoredRecord): HTMLElement {
  return make(
    'p',
    { class: 'hit-facts' },
    make('span', { class: 'badge' }, kind),
    exitCode === null
      ? null
      : make('span', { class: 'badge', 'data-tone': exitCode === 0 ? 'good' : 'bad' }, `exit ${exitCode}`),
    status === 'active' ? null : statusBadge(status, supersededBy),
    project === null ? null : make('span', {}, project),
    topic === null ? null : make('span', {}, topic),
    make('time', { datetime: new Date(createdAt).toISOString(), title: moment(createdAt) }, day(createdAt)),
    ...tags.slice(0, 6).map((tag) => make('span', { class: 'tag' }, hidden('tag '), tag)),
  )
}

function statusBadge(status: string, successor: string | null): HTMLElement {
  const title = successor === null ? status : `${status} by ${successor}`
  return make('span', { class: 'badge', 'data-tone': 'bad', title }, status)
}

/** Also names the tier that the colour in the margin shows. */
function notesOn(hit: Hit, { number, before }: HitCardOptions): HTMLElement {
  const { record } = hit
  return make(
    'p',
    { class: 'hit-notes' },
    movedBadge(hit.id, number, before),
    make(
      'span',
      { class: 'badge tier', title: 'Authority tier' },
      hidden('Authority: '),
      tierLabel(record.authorityTier),
    ),
    freshnessBadge(hit),
    ...riskBadges(record),
    ...reasonBadges(record),
  )
}

/** The engine's snippet, with the matched words marked. */
function snippetOf({ snippet, record }: Hit): HTMLElement {
  const isCode = record.source === 'tool_result' || (record.source === 'code' && /[{};=(]\s*$/m.test(snippet.text))
  return make('p', { class: isCode ? 'snippet snippet-code' : 'snippet' }, ...markedText(snippet))
}

function whereFound({ ranks, matched, collapsed }: Hit, { why }: HitCardOptions): HTMLElement {
  const ask = make('button', { type: 'button', class: 'small' }, 'Why this?')
  ask.addEventListener('click', () => why(ask))
  const places = Object.entries(ranks).map(([channel, rank]) =>
    make('span', { title: `Rank ${rank} in the ${channel} channel` }, `${channel} #${rank}`),
  )
  return make(
    'p',
    { class: 'hit-found quiet' },
    ...places,
    matched.length > 0 ? make('span', {}, `matched ${matched.join(', ')}`) : null,
    collapsed.length > 0 ? make('span', {}, `${counted(collapsed.length, 'duplicate')} collapsed`) : null,
    ask,
  )
}

function details(hit: Hit, { isOpen, toggled, control }: HitCardOptions): HTMLElement {
  const fold = make('details', { open: isOpen }, make('summary', {}, 'Score and whole record'))
  let isFilled = false
  const fill = () => {
    if (isFilled) return
    isFilled = true
    fold.append(hitDetails(hit), control)
  }
  // Filled when first opened: most hits are never opened, and every key press brings a new answer.
  if (isOpen) fill()
  fold.addEventListener('toggle', () => {
    toggled(fold.open)
    if (fold.open) fill()
  })
  return fold
}
