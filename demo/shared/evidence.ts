/** Shows how well the store answers a question. Uses absolute measures of the best hit, because ranks say nothing about that. */
import type { Evidence, PolicyName } from 'scrubjay'
import { make } from './parts.ts'

/** Of the result of a recall, or of a context package with its records as hits. */
export interface Answered {
  readonly evidence: Evidence
  readonly hits: readonly unknown[]
  /** Whether there was anything to select from. */
  readonly hasCandidates: boolean
}

export function evidenceBanner({ evidence, hits, hasCandidates }: Answered, policy: PolicyName): HTMLElement {
  const { coverage, topCosine } = evidence
  const strength = hits.length === 0 ? 'none' : evidence.strength
  const isOther = strength === 'none' && policy !== 'balanced'
  const verdict = hits.length > 0 ? (isOther ? 'other' : strength) : hasCandidates ? 'dropped' : 'empty'
  const [title, explanation] = sentences[verdict]
  const measures = [
    hits.length === 0
      ? null
      : `the best hit matches ${Math.round(coverage * 100)} % of your words, rare words counting more`,
    topCosine === null ? null : `closest meaning: ${topCosine.toFixed(2)} of 1`,
  ].filter((measure) => measure !== null)
  return make(
    'div',
    { class: 'evidence', 'data-strength': strength },
    meter(steps[strength]),
    make(
      'p',
      {},
      make('strong', {}, title),
      ` ${explanation}`,
      measures.length > 0
        ? make('span', { class: 'quiet evidence-measures' }, capitalised(measures.join(' · ')))
        : null,
    ),
  )
}

const steps = { none: 0, weak: 1, strong: 2 } as const

const sentences = {
  strong: ['Strong evidence.', 'The best hit very likely answers the question.'],
  weak: ['Weak evidence.', 'These records are related, but may not answer the question.'],
  none: ['Nothing here answers this.', 'The nearest records only share a word or a tone with the question.'],
  other: ['No evidence.', 'This policy ranks these records first, but nothing shows that they answer the question.'],
  dropped: ['Nothing was selected.', '“Left out” gives the reason for each candidate.'],
  empty: ['Nothing here answers this.', 'No record shares a word or a meaning with the question.'],
} as const

function meter(filled: number): HTMLElement {
  return make(
    'span',
    { class: 'meter', 'aria-hidden': 'true' },
    ...[1, 2].map((step) => make('span', { 'data-on': step <= filled })),
  )
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
