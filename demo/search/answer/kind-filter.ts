/** Shows the kinds of records with their counts. A pressed one narrows the answer to its records. */
import type { Recall, Scope } from 'scrubjay'
import { createChipRow } from '../../shared/chip-row.ts'
import { partById } from '../../shared/dom.ts'

export interface KindFilter {
  /** The condition of the pressed chip; empty without one. */
  scope(): Scope
  /** Counts again. */
  refresh(): Promise<void>
}

const names: Readonly<Record<string, string>> = {
  note: 'Notes',
  message: 'Chats',
  receipt: 'Receipts',
  diary: 'Travel diary',
  letter: 'Letters',
  attachment: 'Attachments',
  bookmark: 'Bookmarks',
  item: 'Memories',
  mail: 'Mail',
  memory: 'Memories',
  page: 'Web pages',
  row: 'Rows',
  tool: 'Tools',
  turn: 'Messages',
}

/** `within`: the records to count. `changed` is called after the user pressed a chip. */
export function createKindFilter(recall: Recall, within: () => Scope, changed: () => void): KindFilter {
  const row = createChipRow(partById('kinds'), 2, changed)
  return {
    scope() {
      const kind = row.chosen()
      return kind === null ? {} : { kind }
    },
    async refresh() {
      const { facets } = await recall.facets({ keys: ['kind'], scope: within() })
      const kinds = (facets['kind'] ?? []).map(({ value, count }) => ({ value: String(value), count }))
      row.show(kinds.map(({ value, count }) => ({ value, name: names[value] ?? value, count })))
    },
  }
}
