/**
 * Shows the assemble panel: a context for a model within a token budget, from the current question and from records that are
 * due. Assembling changes nothing in the store; the store learns only from the user's feedback.
 */
import type { ContextPackage, Recall, RecallQuery } from 'scrubjay'
import { copyButton } from '../../shared/copy-button.ts'
import { counted, milliseconds } from '../../shared/format.ts'
import { ledgerFold } from '../../shared/ledger.ts'
import { messageOf } from '../../shared/notice.ts'
import { announce, make, partById } from '../../shared/dom.ts'
import { packedRecords } from '../../shared/record/packed-records.ts'
import { createRecordLife } from '../../shared/record/record-life.ts'
import { createTokenMeter } from '../../shared/token-meter.ts'
import { createBudget } from './budget.ts'

export interface AssemblePanel {
  /** Sets the question that is answered now. */
  asked(query: RecallQuery): void
  /** Assembles again at once, after the store has changed. */
  refresh(): void
}

/** ms to wait for a pause in typing or sliding, because each context costs a recall. */
const pauseMs = 250

export function createAssemblePanel(recall: Recall): AssemblePanel {
  const budget = createBudget(() => later('spoken'))
  const meter = createTokenMeter()
  const brief = make('p', { class: 'quiet packed-brief' })
  const records = make('div', { class: 'packed-list' })
  const aside = make('div', { class: 'packed-aside' })
  const life = createRecordLife(recall)
  partById('assemble').append(
    make(
      'p',
      { class: 'quiet' },
      'Records that the question finds and records that are due, within a token budget. The store learns only from the feedback you give here.',
    ),
    budget.form,
    meter.element,
    brief,
    make('div', { class: 'packed' }, records, aside),
    life.element,
  )
  let query: RecallQuery = {}
  let waiting: ReturnType<typeof setTimeout> | undefined
  let running: AbortController | undefined
  let announcing: 'spoken' | 'silent' = 'silent'

  return {
    asked(next) {
      query = next
      later('silent')
    },
    refresh() {
      announcing = 'silent'
      void assemble()
    },
  }

  /** Announces only changes of this panel's settings: the answer above is announced by itself. */
  function later(mode: typeof announcing): void {
    announcing = mode
    clearTimeout(waiting)
    waiting = setTimeout(() => void assemble(), pauseMs)
  }

  async function assemble(): Promise<void> {
    clearTimeout(waiting)
    running?.abort()
    const mine = new AbortController()
    running = mine
    const { text, scope, policy, exclude, now, asOf } = query
    const limits = budget.limits()
    try {
      const context = await recall.assemble(
        { text, scope, policy, exclude, now, asOf, ...limits },
        { signal: mine.signal },
      )
      if (running !== mine) return
      show(context, limits.maxTokens)
      if (announcing === 'spoken') announce(briefOf(context))
    } catch (error) {
      if (running !== mine) return
      brief.textContent = `The context could not be assembled: ${messageOf(error)}`
      records.replaceChildren()
      aside.replaceChildren()
    }
  }

  function show(context: ContextPackage, maxTokens: number): void {
    meter.show(context.metadata, maxTokens)
    brief.textContent = briefOf(context)
    records.replaceChildren(packedRecords(recall, context, { showLife: life.show, learned: life.refresh }))
    const isLedgerOpen = aside.querySelector<HTMLDetailsElement>('.ledger')?.open ?? false
    aside.replaceChildren(writtenText(context.formatted), ledgerFold(context.ledger, isLedgerOpen, null))
    life.follow(context.records[0]?.id ?? null)
  }
}

function briefOf({ metadata, ledger }: ContextPackage): string {
  const { pullCount, pushCount, timingMs } = metadata
  const rejectedBy = (name: string) => ledger.filter(({ stage }) => stage === name).length
  const parts = [
    `${counted(pullCount, 'record')} found`,
    `${pushCount} surfaced as due`,
    `${rejectedBy('tokens')} over the token budget`,
    `${rejectedBy('items')} over the item limit`,
    milliseconds(timingMs),
  ]
  return parts.join(' · ')
}

function writtenText(formatted: string): HTMLElement {
  return make(
    'div',
    { class: 'written' },
    make(
      'div',
      { class: 'context-size' },
      make('h3', { id: 'written-heading' }, 'Text'),
      copyButton('Copy the text', () => formatted),
    ),
    make(
      'pre',
      { class: 'context-block written-text', tabindex: 0, role: 'region', 'aria-labelledby': 'written-heading' },
      formatted,
    ),
  )
}
