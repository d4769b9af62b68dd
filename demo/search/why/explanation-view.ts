/** Shows why a record is in an answer or missing: the stages it passed, the stage that rejected it, and its figures. */
import type { ExplainedStage, Explanation } from 'scrubjay'
import { amount } from '../../shared/format.ts'
import { hidden, make } from '../../shared/parts.ts'
import { scoreBar } from '../../shared/score-bar.ts'

export function explanationView(explanation: Explanation, title: string): HTMLElement {
  const { selected, reason, contributions, score, leastScore } = explanation
  return make(
    'div',
    { class: 'explanation', 'data-selected': selected },
    make('h3', { tabindex: -1 }, title),
    make('p', {}, make('strong', {}, selected ? 'Selected: ' : 'Not selected: '), `${reason}.`),
    stageList(explanation),
    score === null ? null : scores(score, leastScore),
    contributions.length > 0 ? scoreBar(contributions, sumAboveZero(contributions)) : null,
    figures(explanation),
  )
}

const stageNames: Readonly<Record<ExplainedStage, string>> = {
  stored: 'Stored',
  scope: 'In the scope',
  found: 'Found',
  gate: 'Passed the gates',
  candidates: 'A candidate',
  collapse: 'Not a duplicate',
  quota: 'Within the quota of its source',
  threshold: 'Above the threshold',
  limit: 'Within the limit',
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

/** Two bars on one scale: the record's score, and the score of the last hit. */
function scores(score: number, leastScore: number | null): HTMLElement {
  const most = Math.max(score, leastScore ?? 0)
  const rows: readonly (readonly [string, number])[] = [
    ['This record', score],
    ...(leastScore === null ? [] : ([['The last hit', leastScore]] as const)),
  ]
  return make(
    'dl',
    { class: 'compared', 'aria-label': 'Score compared with the last hit' },
    ...rows.flatMap(([name, value]) => {
      const length = make('span', { class: 'length', 'aria-hidden': 'true' })
      length.style.inlineSize = `${most > 0 ? (100 * Math.max(0, value)) / most : 0}%`
      return [
        make('dt', {}, name),
        make('dd', {}, make('span', { class: 'track' }, length), make('span', { class: 'figure' }, amount(value))),
      ]
    }),
  )
}

function figures({ ranks, cosine, place, id }: Explanation): HTMLElement {
  const pairs: readonly (readonly [string, string])[] = [
    ...(place === null ? [] : ([['Place', String(place)]] as const)),
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

function sumAboveZero(contributions: Explanation['contributions']): number {
  return contributions.reduce((sum, { amount: size }) => sum + Math.abs(size), 0)
}
