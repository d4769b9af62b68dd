/**
 * Asks as one types. A new question cancels the one before it, and only the newest answer is shown, so nothing flickers
 * and nothing stale stands. The question lives in the address, so that a reload and a link keep it.
 */
import type { Recall, RecallResult, Scope } from 'scrubjay'

export interface Answer {
  readonly text: string
  readonly result: RecallResult
  /** From the key press to the answer's arrival on the page. */
  readonly roundTripMs: number
  readonly limit: number
}

export interface AnswerView {
  show(answer: Answer): void
  fail(error: unknown): void
}

export interface Search {
  /** Asks what stands in the box, from the first page on. */
  ask(): Promise<void>
  /** Asks again for more; a larger limit only appends. */
  showMore(): Promise<void>
}

const pageLength = 10

export function createSearch(recall: Recall, query: HTMLInputElement, scope: () => Scope, view: AnswerView): Search {
  let running: AbortController | undefined
  let limit = pageLength
  query.value = new URLSearchParams(location.search).get('q') ?? ''
  query.addEventListener('input', () => void ask())
  query.form?.addEventListener('submit', (event) => event.preventDefault())

  return { ask, showMore }

  function ask(): Promise<void> {
    limit = pageLength
    keepInAddress(query.value)
    return answer()
  }

  function showMore(): Promise<void> {
    limit += pageLength
    return answer()
  }

  async function answer(): Promise<void> {
    running?.abort()
    const mine = new AbortController()
    running = mine
    const text = query.value
    const startedMs = performance.now()
    try {
      const result = await recall.recall(
        { ...(text.trim() === '' ? {} : { text }), scope: scope(), prefix: 'last', limit, explain: true },
        { signal: mine.signal },
      )
      if (running === mine) view.show({ text, result, roundTripMs: performance.now() - startedMs, limit })
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
