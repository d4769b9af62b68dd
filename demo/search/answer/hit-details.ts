/** Shows the details of a hit: its score as a sum, its fields and its text. */
import type { Hit, StoredRecord } from 'scrubjay'
import { amount, moment } from '../../shared/format.ts'
import { hidden, make } from '../../shared/parts.ts'

export function hitDetails(hit: Hit): HTMLElement {
  return make(
    'div',
    { class: 'hit-details' },
    hit.contributions.length > 0 ? sumTable(hit) : null,
    facts(hit),
    wholeText(hit.record),
  )
}

function sumTable({ contributions, score }: Hit): HTMLElement {
  const rows = contributions.map(({ signal, value, weight, amount: size, reason }) =>
    make(
      'tr',
      {},
      make(
        'th',
        { scope: 'row', 'data-signal': signal },
        make('span', { class: 'swatch', 'aria-hidden': 'true' }),
        signal,
      ),
      make('td', { class: 'figure' }, `${amount(value)} × ${amount(weight)}`),
      make('td', { class: 'figure' }, amount(size)),
      make('td', { class: 'reason' }, reason),
    ),
  )
  return make(
    'table',
    { class: 'sum' },
    make('caption', { class: 'hidden' }, 'Score, signal by signal'),
    make(
      'thead',
      {},
      make(
        'tr',
        {},
        ...['Signal', 'Value × weight', 'Amount', 'Reason'].map((name) => make('th', { scope: 'col' }, name)),
      ),
    ),
    make('tbody', {}, ...rows),
    make(
      'tfoot',
      {},
      make(
        'tr',
        {},
        make('th', { scope: 'row' }, 'Score'),
        make('td', {}),
        make('td', { class: 'figure' }, amount(score)),
        make('td', { class: 'reason' }),
      ),
    ),
  )
}

function facts({ id, record, freshness, collapsed }: Hit): HTMLElement {
  const pairs: readonly (readonly [string, string | null])[] = [
    ['Id', id],
    ['Source', joined([record.source, record.authority])],
    ['Topic', record.topic],
    ['Command', record.command],
    ['Files', joined(record.files.map(({ path }) => path))],
    ['Terms', joined(record.terms.slice(0, 12).map(({ term }) => term))],
    ['Freshness', freshness],
    ['Risks', joined(record.risks.map(({ flag, severity }) => `${flag} (${severity})`))],
    ['Reasons', joined(record.reasons.map(({ code, weight }) => `${code} × ${weight}`))],
    ['Superseded by', record.supersededBy],
    ['Authority', joined([record.authorityTier, record.bank === null ? null : `bank ${record.bank}`])],
    ['Written', `${moment(record.createdAt)}, changed ${moment(record.updatedAt)}`],
    ['Duplicates', joined(collapsed)],
    ['Content', `sha256 ${record.contentHash.slice(0, 16)}…`],
  ]
  return make(
    'dl',
    { class: 'facts' },
    ...pairs.flatMap(([name, value]) =>
      value === null || value === '' ? [] : [make('dt', {}, name), make('dd', {}, value)],
    ),
  )
}

function wholeText({ summary, instruction, body }: StoredRecord): HTMLElement {
  const texts = [instruction, summary, body].filter((text) => text !== null && text !== '')
  return make(
    'div',
    { class: 'whole', tabindex: 0, role: 'region', 'aria-label': 'The whole text' },
    ...texts.map((text) => make('p', {}, text)),
    texts.length === 0 ? make('p', {}, hidden('No more text.'), '–') : null,
  )
}

function joined(parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join(', ')
}
