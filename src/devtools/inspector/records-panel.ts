/** Lists the records page by page, the last changed first. */
import type { Recall } from '../../client/api/recall.ts'
import type { StoredRecord } from '../../core/model/record.ts'
import type { Table } from '../report/tables.ts'
import { drawTable } from './draw-table.ts'
import { element } from './element.ts'
import type { Panel } from './query-panel.ts'

const pageSize = 50

export interface RecordsPanel extends Panel {
  /** Reads the first page again. */
  refresh(): Promise<void>
}

export function openRecordsPanel(store: Pick<Recall, 'list' | 'count'>): RecordsPanel {
  let reading = new AbortController()
  let shown: StoredRecord[] = []
  let cursor: string | null = null
  const list = element('div')
  const more = element('button', { type: 'button', hidden: true }, 'More records')
  const read = async (from: string | null) => {
    reading.abort()
    reading = new AbortController()
    const { signal } = reading
    try {
      const [page, count] = await Promise.all([
        store.list({ limit: pageSize, cursor: from }, { signal }),
        store.count({}, { signal }),
      ])
      shown = from === null ? [...page.items] : [...shown, ...page.items]
      cursor = page.nextCursor
      list.replaceChildren(drawTable(recordsTable(shown, count)))
      more.hidden = cursor === null
    } catch (error) {
      if (!signal.aborted) list.replaceChildren(element('p', { class: 'error' }, String(error)))
    }
  }
  more.addEventListener('click', () => void read(cursor))
  return { root: element('div', {}, list, more), end: () => reading.abort(), refresh: () => read(null) }
}

function recordsTable(records: readonly StoredRecord[], count: number): Table {
  return {
    caption:
      records.length < count
        ? `${records.length} of ${count} records, newest change first`
        : `${count} records, newest change first`,
    columns: ['id', 'title', 'kind', 'tags', 'status', 'updated', 'importance', 'confidence'].map((name) => ({
      name,
      isNumber: name === 'importance' || name === 'confidence',
    })),
    rows: records.map((record) => [
      record.id,
      record.title ?? record.summary ?? record.body ?? record.instruction ?? record.command ?? '',
      record.kind,
      record.tags.join(', '),
      record.status,
      new Date(record.updatedAt).toISOString().slice(0, 16).replace('T', ' '),
      `${record.importance}`,
      record.confidence.toFixed(2),
    ]),
  }
}
