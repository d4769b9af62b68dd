/** Whether the store answers the question at all, said plainly: from absolute measures of the best hit, not from ranks. */
import type { Evidence, PolicyName } from 'scrubjay'
import { make } from './parts.ts'

/** A recall's answer, or a context with its records as hits. */
export interface Answered {
  readonly evidence: Evidence
  readonly hits: readonly unknown[]
  readonly ledger: readonly unknown[]
}

export function evidenceBanner({ evidence, hits, ledger }: Answered, policy: PolicyName): HTMLElement {
  const { coverage, topCosine } = evidence
  const strength = hits.length === 0 ? 'none' : evidence.strength
  const isOther = strength === 'none' && policy !== 'balanced'
  const said = hits.length > 0 ? (isOther ? 'other' : strength) : ledger.length > 0 ? 'dropped' : 'empty'
  const [title, explanation] = sentences[said]
  const measures = [
    hits.length === 0 ? null : `the best hit holds ${Math.round(coverage * 100)} % of the question's words by weight`,
    topCosine === null ? null : `nearest meaning ${topCosine.toFixed(2)}`,
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
  strong: ['Strong evidence.', 'The best of these very likely answers the question.'],
  weak: ['Weak evidence.', 'Related records, perhaps not the answer.'],
  none: ['Nothing here answers this.', 'The nearest records share a word or a tone, no more.'],
  other: ['No evidence.', 'This policy puts these first; nothing shows that they answer the question.'],
  dropped: ['Nothing was selected.', 'The ledger says of each candidate why it was left out.'],
  empty: ['Nothing here answers this.', 'No record shares a word or a meaning with it.'],
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
