/** Shows the engine's proof that a record is deleted; the counts are folded in. */
import type { ForgottenProof } from 'scrubjay'
import { wholeNumber } from '../format.ts'
import { make } from '../dom.ts'

export function proofCard(proof: ForgottenProof): HTMLElement {
  const sentence = proof.clean ? 'Deleted. Nothing of it is left on this device.' : 'Deleted, but traces remain.'
  return make(
    'div',
    { class: 'proof', 'data-clean': proof.clean },
    make('p', {}, make('strong', {}, sentence)),
    make(
      'details',
      {},
      make('summary', {}, 'Show the proof'),
      make('p', { class: 'quiet' }, 'After the deletion, every place that could hold the record was searched. Found:'),
      proofCounts(proof),
    ),
  )
}

export function proofCounts(proof: ForgottenProof): HTMLElement {
  const rows = Object.entries(names).flatMap(([place, name]) => [
    make('dt', {}, name),
    make('dd', {}, wholeNumber(proof[place as keyof typeof names])),
  ])
  return make('dl', { class: 'proof-counts' }, ...rows)
}

const names = {
  rows: 'entries',
  fts: 'words in the search index',
  vectors: 'vectors',
  edges: 'links to other records',
  events: 'lines of text in the log',
  bytes: 'bytes in memory',
} satisfies Readonly<Record<Exclude<keyof ForgottenProof, 'clean'>, string>>
