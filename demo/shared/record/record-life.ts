/** Shows the history of one record: its events, its learned values and its links. */
import type { Recall, StoredRecord } from 'scrubjay'
import { amount, counted } from '../format.ts'
import { messageOf } from '../notice.ts'
import { announce, make } from '../dom.ts'
import { titleOf } from '../title-of.ts'
import { type Linked, linkGraph } from './link-graph.ts'
import { timeline } from './timeline.ts'

export interface RecordLife {
  readonly element: HTMLElement
  /** Shows a record and moves the focus there. */
  show(id: string): void
  /** Sets the record to show until the user chooses one. */
  follow(id: string | null): void
  refresh(): void
}

const linksAtMost = 8

export function createRecordLife(recall: Recall): RecordLife {
  const heading = make('h3', { id: 'life-heading', tabindex: -1 }, 'History of a record')
  const content = make('div', { class: 'life-content' })
  const element = make('div', { class: 'life', role: 'region', 'aria-labelledby': 'life-heading' }, heading, content)
  let chosen: string | null = null
  let followed: string | null = null
  let running: AbortController | undefined

  return { element, show, follow, refresh: () => void draw() }

  function show(id: string): void {
    chosen = id
    void draw().then(() => {
      heading.focus({ preventScroll: true })
      heading.scrollIntoView({ block: 'nearest' })
      announce(heading.textContent ?? '')
    })
  }

  function follow(id: string | null): void {
    followed = id
    void draw()
  }

  async function draw(): Promise<void> {
    running?.abort()
    const mine = new AbortController()
    running = mine
    const id = chosen ?? followed
    element.hidden = id === null
    try {
      const parts = id === null ? null : await read(id, mine.signal)
      if (running !== mine) return
      heading.textContent = parts === null ? 'History of a record' : `History of “${titleOf(parts.record)}”`
      content.replaceChildren(
        ...(parts === null
          ? [make('p', { class: 'quiet' }, 'This record is no longer stored.')]
          : [parts.past, parts.learned, parts.graph]),
      )
    } catch (error) {
      if (running === mine) content.replaceChildren(make('p', { class: 'quiet' }, messageOf(error)))
    }
  }

  /** Null for a record that is not stored. */
  async function read(id: string, signal: AbortSignal) {
    const record = await recall.get(id, { signal })
    if (record === undefined) return null
    const [events, links] = await Promise.all([
      recall.events(0, { signal }),
      recall.linked(id, linksAtMost, { signal }),
    ])
    const ids = links.map((link) => link.id)
    const [neighbours, theirs] = await Promise.all([
      recall.get(ids, { signal }),
      Promise.all(ids.map((one) => recall.linked(one, undefined, { signal }))),
    ])
    const linked = links.map((link, i): Linked => {
      const neighbour = neighbours[i]
      const title = neighbour === undefined ? link.id : titleOf(neighbour)
      return { ...link, title, others: theirs[i]?.filter((other) => ids.includes(other.id)) ?? [] }
    })
    return { record, past: timeline(id, events), learned: learnedFacts(record), graph: linkGraph(linked, show) }
  }
}

function learnedFacts({ confidence, importance, pressureRate, cycles }: StoredRecord): HTMLElement {
  const pairs: readonly (readonly [string, string])[] = [
    ['Confidence', confidence.toFixed(2)],
    ['Importance', amount(importance)],
    ['Pressure', pressureRate === 0 ? 'none' : `${amount(pressureRate)} per day until resolved`],
    ['Cycles', cycles.length === 0 ? 'none' : cycles.map(cycleInWords).join('; ')],
  ]
  return make(
    'div',
    { class: 'life-part' },
    make('h4', {}, 'Current values'),
    make('dl', { class: 'facts' }, ...pairs.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)])),
  )
}

function cycleInWords({ periodSeconds, amplitude }: StoredRecord['cycles'][number]): string {
  const days = periodSeconds / 86_400
  const period = days >= 1 ? counted(Number(days.toFixed(1)), 'day') : counted(Math.round(periodSeconds), 'second')
  return `every ${period}, amplitude ${amount(amplitude)}`
}
