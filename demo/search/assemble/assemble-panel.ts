/**
 * The assemble panel: a context for a model within a budget, from the question that stands in the box and from what is
 * due unasked. Making one changes nothing; what became of its records is said by hand, and the store learns by that.
 */
import type { ContextPackage, Recall, RecallQuery } from 'scrubjay'
import { copyButton } from '../../shared/copy-button.ts'
import { counted, milliseconds } from '../../shared/format.ts'
import { ledgerFold } from '../../shared/ledger.ts'
import { messageOf } from '../../shared/notice.ts'
import { announce, make, partById } from '../../shared/parts.ts'
import { packedRecords } from '../../shared/record/packed-records.ts'
import { createRecordLife } from '../../shared/record/record-life.ts'
import { createTokenMeter } from '../../shared/token-meter.ts'
import { createBudget } from './budget.ts'
import { qualityGauge } from './quality-gauge.ts'

export interface AssemblePanel {
  /** Tells of the question that is answered now. */
  asked(query: RecallQuery): void
  /** Assembles anew at once: the store holds something else now. */
  refresh(): void
}

/** A context costs a recall of its own, so it waits for a pause in typing or sliding. */
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
  let telling: 'spoken' | 'silent' = 'silent'

  return {
    asked(next) {
      query = next
      later('silent')
    },
    refresh() {
      telling = 'silent'
      void assemble()
    },
  }

  /** Only what was asked for here is said aloud: the answer above speaks for itself. */
  function later(how: typeof telling): void {
    telling = how
    clearTimeout(waiting)
    waiting = setTimeout(() => void assemble(), pauseMs)
  }

  async function assemble(): Promise<void> {
    clearTimeout(waiting)
    running?.abort()
    const mine = new AbortController()
    running = mine
    const { text, scope, policy, exclude } = query
    const limits = budget.limits()
    try {
      const made = await recall.assemble(
        { text, scope, policy, exclude, ...limits, assessQuality: true },
        { signal: mine.signal },
      )
      if (running !== mine) return
      show(made, limits.maxTokens)
      if (telling === 'spoken') announce(briefOf(made))
    } catch (error) {
      if (running !== mine) return
      brief.textContent = `The context could not be assembled: ${messageOf(error)}`
      records.replaceChildren()
      aside.replaceChildren()
    }
  }

  function show(made: ContextPackage, maxTokens: number): void {
    meter.show(made.metadata, maxTokens)
    brief.textContent = briefOf(made)
    records.replaceChildren(packedRecords(recall, made, { showLife: life.show, learned: life.refresh }))
    const isLedgerOpen = aside.querySelector<HTMLDetailsElement>('.ledger')?.open ?? false
    const { quality } = made.metadata
    aside.replaceChildren(
      writtenText(made.formatted),
      ledgerFold(made.ledger, isLedgerOpen, null),
      ...(quality === undefined ? [] : [qualityGauge(quality)]),
    )
    life.follow(made.records[0]?.id ?? null)
  }
}

function briefOf({ metadata, ledger }: ContextPackage): string {
  const { pullCount, pushCount, timingMs } = metadata
  const lost = (sought: string) => ledger.filter(({ stage }) => stage === sought).length
  const parts = [
    `${counted(pullCount, 'record')} found`,
    `${pushCount} surfaced as due`,
    `${lost('tokens')} over the token budget`,
    `${lost('items')} over the item limit`,
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
