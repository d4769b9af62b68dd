/** Shows the storage, durability and indexes of the store. */
import type { Recall } from '../../client/api/recall.ts'
import type { Status } from '../../core/model/status.ts'
import { drawTable } from './draw-table.ts'
import { element } from './element.ts'
import type { Panel } from './query-panel.ts'

export interface StorePanel extends Panel {
  refresh(): Promise<void>
}

/** Opens the panel. `tell` is called with the status in one line. */
export function openStorePanel(store: Pick<Recall, 'status'>, tell: (line: string) => void): StorePanel {
  let reading = new AbortController()
  const root = element('div')
  return {
    root,
    end: () => reading.abort(),
    async refresh() {
      reading.abort()
      reading = new AbortController()
      const { signal } = reading
      try {
        const status = await store.status({ signal })
        tell(`${status.name}: ${status.records} records, ${status.backend}, revision ${status.revision}`)
        root.replaceChildren(...drawStatus(status))
      } catch (error) {
        if (signal.aborted) return
        tell('the store does not answer')
        root.replaceChildren(element('p', { class: 'error' }, String(error)))
      }
    },
  }
}

function drawStatus(status: Status): readonly HTMLElement[] {
  const { vectors, memoryBytes } = status
  const facts: readonly (readonly [string, string])[] = [
    ['version', `${status.version}, ${status.runtime}, ${status.role}`],
    ['storage', `${status.backend}, writes ${status.durability}`],
    ['kept by the browser', status.persisted === null ? 'unknown' : status.persisted ? 'yes' : 'not promised'],
    ['eviction risk', status.evictionRisk],
    [
      'disk',
      status.usageBytes === null ? 'unknown' : `${bytes(status.usageBytes)} of ${bytes(status.quotaBytes ?? 0)}`,
    ],
    ['records', `${status.records}, revision ${status.revision}`],
    [
      'vectors',
      vectors.space === null
        ? 'none: words only'
        : `${vectors.current} of ${vectors.space} × ${vectors.dimensions}, ${vectors.otherSpaces} of other spaces`,
    ],
    [
      'memory',
      `vectors ${bytes(memoryBytes.vectors)}, postings ${bytes(memoryBytes.postings)}, SQLite ${bytes(memoryBytes.sqlite)}, embedder ${bytes(memoryBytes.embedder)}`,
    ],
    ['degraded', status.degraded.length === 0 ? 'nothing' : status.degraded.join('; ')],
  ]
  return [
    element('dl', {}, ...facts.flatMap(([name, fact]) => [element('dt', {}, name), element('dd', {}, fact)])),
    drawTable({
      caption: 'Indexes',
      columns: [
        { name: 'index', isNumber: false },
        { name: 'state', isNumber: false },
        { name: 'kind', isNumber: false },
        { name: 'revision', isNumber: true },
      ],
      rows: Object.entries(status.indexes).map(([name, { state, kind, revision }]) => [
        name,
        state,
        kind,
        `${revision}`,
      ]),
    }),
  ]
}

function bytes(count: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let value = count
  let unit = 0
  for (; value >= 1000 && unit < units.length - 1; unit++) value /= 1000
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`
}
