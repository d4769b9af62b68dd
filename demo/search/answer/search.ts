/**
 * Asks while the user types. A new question cancels the previous one, and only the newest answer is shown. The address
 * keeps the question, so that a reload and a link keep it, too.
 */
import type { PolicyName, Recall, RecallQuery, RecallResult, Scope } from 'scrubjay'
import { listenToTyping, prefixOf, type Typed } from '../../shared/typing.ts'
import type { Order } from './order.ts'

export interface Answer {
  /** The whole query, which `why` needs. */
  readonly query: RecallQuery
  readonly text: string
  /** Whether the last word was still being typed. */
  readonly isHalf: boolean
  readonly policy: PolicyName
  readonly order: Order
  readonly result: RecallResult
  /** From the call to its result, in ms. */
  readonly roundTripMs: number
  readonly limit: number
  /** The answer to the same question under the previous policy; null if the policy was not just changed. */
  readonly before: Before | null
}

export interface Before {
  readonly policy: PolicyName
  /** In ranking order. */
  readonly ids: readonly string[]
}

export interface AnswerView {
  show(answer: Answer): void
  fail(error: unknown): void
}

export interface Choices {
  scope(): Scope
  policy(): PolicyName
  /** The time of the question in ms; undefined: now. */
  now(): number | undefined
  /** Ids of records to leave out. */
  exclude(): readonly string[]
  order(): Order
  /** Which readings of this text are switched off. */
  readings(text: string): Pick<RecallQuery, 'times' | 'typos'>
}

export interface Search {
  /** Asks the text of the box in whole words, from the first page. */
  ask(): Promise<void>
  /** Asks the same question under another policy, and keeps the previous order for comparison. */
  askAgain(): Promise<void>
  /** Asks again for more; a larger limit only appends. */
  showMore(): Promise<void>
}

/** Hits of the first page. */
export const pageLength = 5

/** Hits that are sorted by date are shown together, so that one more page does not add hits between them. */
const sortedLength = 30

export function createSearch(recall: Recall, box: HTMLInputElement, choices: Choices, view: AnswerView): Search {
  let running: AbortController | undefined
  let limit = pageLength
  let shown: Answer | undefined
  let before: Before | null = null
  let typed: Typed = 'whole'
  box.value = new URLSearchParams(location.search).get('q') ?? ''
  listenToTyping(box, (how) => void ask(how))

  return { ask: () => ask('whole'), askAgain, showMore }

  function ask(how: Typed): Promise<void> {
    typed = how
    limit = pageLength
    before = null
    keepInAddress(box.value)
    return answer()
  }

  function askAgain(): Promise<void> {
    // The answer to another question is not compared.
    if (shown?.text !== box.value) before = null
    else if (shown.policy !== choices.policy()) before = { policy: shown.policy, ids: shown.result.receipt.ids }
    return answer()
  }

  function showMore(): Promise<void> {
    limit = (shown?.limit ?? limit) + pageLength
    return answer()
  }

  async function answer(): Promise<void> {
    running?.abort()
    const mine = new AbortController()
    running = mine
    const text = box.value
    const policy = choices.policy()
    const order = text.trim() === '' ? 'best' : choices.order()
    const most = order === 'best' ? limit : Math.max(limit, sortedLength)
    const isHalf = typed === 'half'
    const query: RecallQuery = {
      ...(text.trim() === '' ? {} : { text }),
      scope: choices.scope(),
      policy,
      ...prefixOf(typed),
      ...choices.readings(text),
      exclude: choices.exclude(),
      now: choices.now(),
      // Records that are no longer valid are left out, and `why` says so.
      asOf: choices.now() ?? Date.now(),
      limit: most,
    }
    const startedMs = performance.now()
    try {
      const result = await recall.recall(query, { signal: mine.signal })
      if (running !== mine) return
      const roundTripMs = performance.now() - startedMs
      shown = { query, text, isHalf, policy, order, result, roundTripMs, limit: most, before }
      view.show(shown)
    } catch (error) {
      if (running === mine) view.fail(error)
    }
  }
}

function keepInAddress(text: string): void {
  const address = new URL(location.href)
  if (text === '') address.searchParams.delete('q')
  else address.searchParams.set('q', text)
  if (address.href !== location.href) history.replaceState(null, '', address)
}
