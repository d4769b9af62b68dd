/** Shows how well the store answers a question. Uses absolute measures of the best hit, because ranks say nothing about that. */
import type { Evidence, PolicyName } from 'scrubjay'
import { make } from './dom.ts'

/** Of the result of a recall, or of a context package with its records as hits. */
export interface Answered {
  readonly evidence: Evidence
  readonly hits: readonly unknown[]
  /** Whether there was anything to select from. */
  readonly hasCandidates: boolean
  /** Whether the best hit is of a time that the question names. */
  readonly isOfTime?: boolean
}

export function evidenceBanner({ evidence, hits, hasCandidates, isOfTime }: Answered, policy: PolicyName): HTMLElement {
  const { coverage, topCosine, across } = evidence
  const strength = hits.length === 0 ? 'none' : evidence.strength
  const isOther = strength === 'none' && policy !== 'balanced'
  const verdict = hits.length > 0 ? (isOther ? 'other' : strength) : hasCandidates ? 'dropped' : 'empty'
  const hasAll = verdict === 'weak' && coverage > all
  const [title, explanation] = hasAll ? sentences.allWords : sentences[verdict]
  const byMeaning = across === undefined ? '' : ' It is in another language than the question, so its meaning decides.'
  const ofTime = isOfTime ? ', and is from the time you named' : ''
  const measure =
    hits.length === 0 || (hasAll && ofTime + byMeaning === '')
      ? null
      : `The best hit has ${wordsOf(coverage)}${ofTime}.${byMeaning}`
  return make(
    'div',
    { class: 'evidence', 'data-strength': strength },
    meter(steps[strength]),
    make(
      'p',
      {},
      make('strong', {}, title),
      ` ${explanation}`,
      measure === null
        ? null
        : make('span', { class: 'quiet evidence-measures', title: figuresOf(coverage, topCosine) }, measure),
    ),
  )
}

/** Of the coverage, which is a sum of weights. */
const all = 0.99

const steps = { none: 0, weak: 1, strong: 2 } as const

const sentences = {
  strong: ['Strong evidence.', 'The best hit very likely answers the question.'],
  weak: ['Weak evidence.', 'These records are related, but may not answer the question.'],
  allWords: ['Weak evidence.', 'The best hit has all of your words, but they may be about something else.'],
  none: ['Nothing here answers this.', 'The nearest records share only a word or a topic with the question.'],
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

/** In words: the percentages on the page are shares of a score. Rare words count more. */
function wordsOf(coverage: number): string {
  if (coverage === 0) return 'none of your words'
  if (coverage > all) return 'all of your words'
  return coverage >= 0.6 ? 'most of your words' : coverage >= 0.35 ? 'about half of your words' : 'few of your words'
}

/** The numbers behind a verdict. */
export function figuresOf(coverage: number, topCosine: number | null): string {
  const meaning = topCosine === null ? '' : `, closest meaning ${topCosine.toFixed(2)} of 1`
  return `Words found: ${coverage.toFixed(2)} of 1 (rare words count more)${meaning}`
}
