/** Shows the engine's quality measures of a context: each as a bar, a number and a phrase. */
import type { RetrievalQuality } from 'scrubjay'
import { make } from '../../shared/parts.ts'

export function qualityGauge({
  fok,
  scoreSpread,
  stalenessRatio,
  avgConfidence,
  perCue,
}: RetrievalQuality): HTMLElement {
  const measures: readonly (readonly [string, number, string])[] = [
    ['Feeling of knowing', fok, 'how likely the store holds an answer'],
    ['Score spread', scoreSpread, 'how far apart the records are in freshness and confidence'],
    ['Staleness', stalenessRatio, 'share of the records that have faded'],
    ['Confidence', avgConfidence, 'mean confidence of the records'],
  ]
  return make(
    'div',
    { class: 'quality' },
    make('h3', { id: 'quality-heading' }, 'Quality'),
    make('dl', { class: 'gauges', 'aria-labelledby': 'quality-heading' }, ...measures.flatMap(gauge)),
    ...Object.entries(perCue).map(([cue, { familiarity, partialRetrieval, subthreshold }]) =>
      make(
        'p',
        { class: 'quiet' },
        `Cue ${cue}: familiarity ${familiarity.toFixed(2)}, found ${partialRetrieval.toFixed(2)}, below the threshold ${subthreshold.toFixed(2)}.`,
      ),
    ),
  )
}

/** The bar ends at 1; the number may be larger. */
function gauge([name, value, meaning]: readonly [string, number, string]): HTMLElement[] {
  const length = make('span', { class: 'length' })
  length.style.inlineSize = `${100 * Math.min(1, Math.max(0, value))}%`
  return [
    make('dt', {}, name),
    make(
      'dd',
      {},
      make('span', { class: 'track', 'aria-hidden': 'true' }, length),
      make('span', { class: 'figure' }, value.toFixed(2)),
      make('span', { class: 'gauge-meaning' }, meaning),
    ),
  ]
}
