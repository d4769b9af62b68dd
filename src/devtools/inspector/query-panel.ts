/** Shows the query form and its answer: hits with waterfalls, the plan, the ledger. */
import type { Recall } from '../../client/api/recall.ts'
import type { Hit, RecallResult } from '../../core/model/result.ts'
import { hitsTable, ledgerTable, planTable, shortNumber } from '../report/tables.ts'
import { drawBars } from './draw-bars.ts'
import { ms } from './draw-histogram.ts'
import { drawTable } from './draw-table.ts'
import { drawWaterfall } from './draw-waterfall.ts'
import { element } from './element.ts'

export interface Panel {
  readonly root: HTMLElement
  /** Ends the running calls and subscriptions. */
  end(): void
}

/** Opens the panel. A new query aborts the previous one. */
export function openQueryPanel(store: Pick<Recall, 'recall'>): Panel {
  let asking = new AbortController()
  const text = element('input', { type: 'search', name: 'text', autocomplete: 'off', spellcheck: 'false' })
  const limit = element('input', { type: 'number', name: 'limit', min: 1, max: 1000, value: 10 })
  const said = element('p', { class: 'facts', role: 'status' })
  const answer = element('div')
  const form = element(
    'form',
    // The engine validates the input, and its error text is shown.
    { role: 'search', 'aria-label': 'Recall', novalidate: true },
    element('label', { class: 'wide' }, 'Query', text),
    element('label', {}, 'Limit', limit),
    element('button', { type: 'submit' }, 'Recall'),
  )
  const ask = async () => {
    asking.abort()
    asking = new AbortController()
    const { signal } = asking
    const started = performance.now()
    try {
      const query = { text: text.value, limit: Number(limit.value) }
      const result = await store.recall(query, { signal })
      if (signal.aborted) return
      said.textContent = describe(result, performance.now() - started)
      answer.replaceChildren(...drawAnswer(result, () => store.recall({ ...query, explain: true }, { signal })))
    } catch (error) {
      if (signal.aborted) return
      said.textContent = error instanceof Error ? error.message : String(error)
      answer.replaceChildren()
    }
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void ask()
  })
  return { root: element('div', {}, form, said, answer), end: () => asking.abort() }
}

function describe({ hits, evidence }: RecallResult, tookMs: number): string {
  const found = `${hits.length} ${hits.length === 1 ? 'hit' : 'hits'}`
  return `${found} in ${ms(tookMs)}. Evidence: ${evidence.strength}.`
}

/** `askAgain` gives the same answer with its ledger, which most readers do not open. */
function drawAnswer(result: RecallResult, askAgain: () => Promise<RecallResult>): readonly HTMLElement[] {
  const highest = Math.max(0, ...result.hits.map(({ score }) => score))
  const hits = element('ol', { class: 'hits' }, ...result.hits.map((hit, i) => drawHit(hit, i, highest)))
  return [
    ...(result.hits.length === 0 ? [] : [hits]),
    fold('Table of hits', drawTable(hitsTable(result))),
    fold('Plan', drawTable(planTable(result))),
    foldOf('Ledger', async () => drawTable(ledgerTable((await askAgain()).ledger, 200))),
  ]
}

function drawHit(hit: Hit, place: number, highest: number): HTMLElement {
  const { id, record, score, snippet, freshness, ranks, matched } = hit
  const ranked = Object.entries(ranks).map(([channel, rank]) => `${channel} #${rank}`)
  return element(
    'li',
    {},
    element(
      'div',
      { class: 'row' },
      element('h3', {}, `${place + 1}. ${record.title ?? id}`),
      element('strong', { class: 'number' }, shortNumber(score)),
    ),
    element('p', {}, ...marked(snippet)),
    element(
      'p',
      { class: 'facts' },
      [`id ${id}`, `matched ${matched.join(', ') || 'nothing'}`, ...ranked, freshness].join(' · '),
    ),
    drawBars(hit),
    fold('Numbers', drawWaterfall(hit, highest)),
  )
}

function marked({ text, marks }: Hit['snippet']): readonly (Node | string)[] {
  const parts: (Node | string)[] = []
  let at = 0
  for (const [from, to] of marks) {
    parts.push(text.slice(at, from), element('mark', {}, text.slice(from, to)))
    at = to
  }
  return [...parts, text.slice(at)]
}

/** Makes its content when it is first opened. */
function foldOf(name: string, content: () => Promise<HTMLElement>): HTMLElement {
  const place = element('div')
  const details = fold(name, place)
  const fill = () =>
    void content().then(
      (made) => place.replaceChildren(made),
      (error: unknown) => {
        place.textContent = error instanceof Error ? error.message : String(error)
      },
    )
  details.addEventListener('toggle', fill, { once: true })
  return details
}

export function fold(name: string, content: HTMLElement): HTMLElement {
  return element('details', {}, element('summary', {}, name), content)
}
