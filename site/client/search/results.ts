/** Shows an answer of the site's search: a verdict, then sections as links, each with its reasons. */
import type { Hit, RecallResult } from 'scrubjay'
import { barList } from '../../../demo/shared/bars.ts'
import { markedText, markedTitle, passageOf } from '../../../demo/shared/marked-text.ts'
import { type Child, make } from '../../../demo/shared/dom.ts'
import { siteRoot } from './site-store.ts'

/** Each step is an answer to: may I trust the first link? */
export function verdict(result: RecallResult): readonly (Node | string)[] {
  return sentences(result).filter((part) => part !== null)
}

function sentences({ hits, evidence, plan }: RecallResult): readonly Child[] {
  const corrected = plan.read.flatMap((one) => (one.kind === 'typo' ? [`${one.text} → ${one.as}`] : []))
  const reading = corrected.length === 0 ? null : ` Read as: ${corrected.join(', ')}.`
  if (hits.length === 0) return ['Nothing here has these words.', reading]
  if (evidence.strength === 'none')
    return [make('b', {}, 'Nothing here answers this.'), ' The closest sections:', reading]
  if (evidence.strength === 'weak') return ['Possibly one of these:', reading]
  return [`Found in ${hits.length === 1 ? 'one section' : `${hits.length} sections`}.`, reading]
}

export function resultList({ hits, evidence }: RecallResult): HTMLElement {
  return make('ol', { class: 'results', 'data-strength': evidence.strength }, ...hits.map(resultRow))
}

function resultRow(hit: Hit): HTMLElement {
  const { id, record, contributions } = hit
  const name = record.title ?? id
  // The parts of a long section share its address.
  const address = `${siteRoot}${id.replace(/~\d+$/, '')}`
  const bars = barList(contributions)
  return make(
    'li',
    {},
    make(
      'a',
      { href: address, 'data-id': id },
      make('span', { class: 'trail' }, record.summary ?? ''),
      make('span', { class: 'result-title' }, ...markedTitle(hit, name)),
      make('span', { class: 'snippet' }, ...markedText(passageOf(hit, name))),
    ),
    make(
      'div',
      { class: 'reasons' },
      bars,
      make('p', {}, sentence(contributions.filter(({ amount }) => amount >= 0.01).map(({ reason }) => reason))),
    ),
  )
}

function sentence(reasons: readonly string[]): string {
  const text = reasons.join('; ')
  return text === '' ? 'No single reason is large enough to name.' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
