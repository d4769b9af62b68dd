/** Shows what was sent for one reply: the token bill, the evidence, the records with their tiers, the exact text and the ledger. */
import type { ContextPackage, Recall } from 'scrubjay'
import { copyButton } from '../shared/copy-button.ts'
import { evidenceBanner } from '../shared/evidence.ts'
import { counted, wholeNumber } from '../shared/format.ts'
import { ledgerFold } from '../shared/ledger.ts'
import { make } from '../shared/dom.ts'
import { packedRecords } from '../shared/record/packed-records.ts'
import { createTokenMeter } from '../shared/token-meter.ts'
import { tierLabel } from './authority-tiers.ts'
import type { Prompt } from './prompt.ts'
import type { Turn } from './run-turn.ts'
import type { TurnActions } from './turn-actions.ts'

export interface PromptDetails {
  readonly element: HTMLElement
  /** One line for the foot of the reply. */
  readonly brief: HTMLElement
  /** Adds the token counts of the reply. */
  finish(turn: Pick<Turn, 'toolTokens' | 'promptTokens'>): void
}

export function createPromptDetails(
  recall: Recall,
  assembled: ContextPackage,
  { bill, context, maxTokens }: Prompt,
  actions: TurnActions,
): PromptDetails {
  const { records, evidence, ledger, metadata } = assembled
  const title = make('summary', {})
  const strength = make('span', { class: 'brief-evidence' }, `Evidence ${evidence.strength} · `)
  const size = make('span', {})
  const brief = make('span', { class: 'quiet brief', 'data-strength': evidence.strength }, strength, size)
  const table = make('table', { class: 'bill' })
  const meter = createTokenMeter()
  meter.show(metadata, maxTokens)
  const element = make(
    'details',
    { class: 'sent' },
    title,
    make(
      'div',
      { class: 'sent-parts' },
      evidenceBanner({ evidence, hits: records, hasCandidates: ledger.length > 0 }, 'balanced'),
      make(
        'div',
        { class: 'sent-costs' },
        table,
        make('div', {}, make('h3', {}, 'Token budget of the memories'), meter.element),
      ),
      withTiers(packedRecords(recall, assembled, actions), assembled),
      textAsSent(context),
      ledgerFold(ledger, false, null),
    ),
  )
  show(0, undefined)
  return { element, brief, finish: ({ toolTokens, promptTokens }) => show(toolTokens, promptTokens) }

  function show(toolTokens: number, promptTokens: number | undefined): void {
    const lines = [...bill, ...(toolTokens > 0 ? [{ part: 'Calls and answers', tokens: toolTokens }] : [])]
    const total = lines.reduce((sum, { tokens }) => sum + tokens, 0)
    title.textContent = `What was sent: ${counted(records.length, 'memory', 'memories')}, ${counted(total, 'token')}`
    size.textContent = counted(total, 'token')
    table.replaceChildren(
      make('caption', {}, 'Token bill'),
      make('tbody', {}, ...lines.map(({ part, tokens }) => line(part, tokens))),
      make(
        'tfoot',
        {},
        line('Total, estimated', total),
        promptTokens === undefined ? null : line('Counted by the model', promptTokens),
      ),
    )
  }
}

function line(part: string, tokens: number): HTMLElement {
  return make('tr', {}, make('th', { scope: 'row' }, part), make('td', { class: 'figure' }, wholeNumber(tokens)))
}

/** Shows the tier of each record in words and as a pattern in the margin. */
function withTiers(list: HTMLElement, { records }: ContextPackage): HTMLElement {
  for (const row of list.querySelectorAll<HTMLElement>('.packed-record')) {
    const tier = records.find(({ id }) => id === row.dataset['id'])?.authorityTier ?? null
    row.dataset['tier'] = tier ?? 'none'
    row.querySelector('.packed-title')?.after(make('p', { class: 'quiet tier-name' }, tierLabel(tier)))
  }
  return list
}

function textAsSent(context: string): HTMLElement {
  return make(
    'details',
    { class: 'written' },
    make('summary', {}, 'Exact text'),
    make(
      'div',
      { class: 'context-size' },
      copyButton('Copy the text', () => context),
    ),
    make(
      'pre',
      { class: 'context-block written-text', tabindex: 0, role: 'region', 'aria-label': 'The text as it was sent' },
      context,
    ),
  )
}
