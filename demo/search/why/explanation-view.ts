/** Shows why a record is in an answer or missing: one sentence, at most four bars, and the numbers on request. */
import type { ExplainedStage, Explanation, StoredRecord } from 'scrubjay'
import { barList } from '../../shared/bars.ts'
import { amount, day } from '../../shared/format.ts'
import { hidden, make } from '../../shared/dom.ts'

/** The noon before: the last day on which it was valid, in most time zones. */
const halfDayMs = 43_200_000

export interface Explained {
  readonly explanation: Explanation
  readonly title: string
  /** Null if it is not stored. */
  readonly record: StoredRecord | null
  /** Whether the question is its title: then the page shows it first. */
  readonly isExact: boolean
  /** The record that replaces it; null without one. */
  readonly successor: string | null
  /** The time of the question, in ms. */
  readonly now: number
}

export function explanationView(explained: Explained): HTMLElement {
  const { explanation, title } = explained
  return make(
    'div',
    { class: 'explanation', 'data-selected': explanation.selected },
    make('h3', { tabindex: -1 }, title),
    make('p', {}, make('strong', {}, explanation.selected ? 'Shown. ' : 'Left out. '), sentenceOf(explained)),
    barList(explanation.contributions),
    make(
      'details',
      { class: 'numbers' },
      make('summary', {}, 'Show the numbers'),
      stageList(explanation),
      figures(explanation),
    ),
  )
}

/** The reason in one sentence. Without a sentence for it, the engine's own words. */
export function sentenceOf({ explanation, record, isExact, successor, now }: Explained): string {
  const { selected, place, stage, reason } = explanation
  if (selected && isExact && place !== 1)
    return `It is first because its title is the question. By score it would be at place ${place ?? 0}.`
  if (selected) return `It is at place ${place ?? 0} of the answer.`
  if (stage === 'stored') return 'It is not stored.'
  if (stage === 'scope' && record?.validUntil != null && record.validUntil <= now)
    return `It was valid until ${day(record.validUntil - halfDayMs)} and has expired since.`
  if (stage === 'gate' && successor !== null) return `It was replaced by “${successor}”.`
  if (stage === 'found') return 'It shares no word and no meaning with the question.'
  if (stage === 'limit') return 'Other records fit better. “Show more” shows it if it is next.'
  if (stage === 'collapse') return 'It says the same as another record in the answer.'
  return `${reason}.`
}

const stageNames: Readonly<Record<ExplainedStage, string>> = {
  stored: 'Stored',
  scope: 'Among the records asked',
  found: 'Found',
  gate: 'Not filtered out',
  candidates: 'A candidate',
  collapse: 'Not a duplicate',
  quota: 'Source limit not reached',
  threshold: 'Score high enough',
  limit: 'Among the first',
  evidence: 'Evidence',
}

function stageList({ steps, selected }: Explanation): HTMLElement {
  // The last step of a selected record is its place, which is shown above the list.
  const shown = selected ? steps.slice(0, -1) : steps
  return make(
    'ol',
    { class: 'stages', 'aria-label': 'Stages' },
    ...shown.map(({ stage, passed, detail }) =>
      make(
        'li',
        { 'data-passed': String(passed) },
        make('span', { class: 'stage-mark', 'aria-hidden': 'true' }, passed ? '✓' : '✕'),
        make(
          'span',
          {},
          make('b', {}, stageNames[stage]),
          hidden(passed ? ', passed: ' : ', rejected here: '),
          make('span', { class: 'stage-detail' }, detail),
        ),
      ),
    ),
  )
}

function figures({ score, leastScore, contributions, ranks, cosine, id }: Explanation): HTMLElement {
  const pairs: readonly (readonly [string, string])[] = [
    ...(score === null ? [] : ([['Score', amount(score)]] as const)),
    ...(leastScore === null ? [] : ([['Score of the last hit', amount(leastScore)]] as const)),
    ...contributions
      .filter((one) => one.amount !== 0)
      .map((one) => [one.signal, `${amount(one.amount)}: ${one.reason}`] as const),
    ...Object.entries(ranks).map(([channel, rank]) => [`Rank, ${channel}`, `${rank}`] as const),
    ['Cosine', cosine === null ? 'none' : cosine.toFixed(3)],
    ['Id', id],
  ]
  return make(
    'dl',
    { class: 'facts' },
    ...pairs.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]),
  )
}
