/** Shows the state of the store: where it is stored, how safe it is, what it holds and what is degraded. */
import type { Recall, Status } from 'scrubjay'
import { deleteEverything } from '../delete/delete-everything.ts'
import { bytes, counted, wholeNumber } from '../format.ts'
import { explainError } from '../notice.ts'
import { make, partById } from '../dom.ts'

export interface StorePanel {
  refresh(): Promise<void>
}

export interface StorePanelActions {
  /** Puts the sample into the store. */
  loadSample(): Promise<void>
  /** Called after the sample was loaded. */
  changed(): void
  /** Called after the store was deleted, before the page reloads. */
  deleted(): void
}

export function createStorePanel(recall: Recall, actions: StorePanelActions): StorePanel {
  const place = partById('store-status')
  const brief = partById('store-brief')
  const state = make('div', { class: 'store-state' })
  const buttons = storeButtons(recall, actions)

  return {
    async refresh() {
      const status = await recall.status()
      brief.textContent = `${counted(status.records, 'record')} · ${locations[status.backend]}`
      brief.dataset['tone'] = status.backend === 'memory' ? 'warning' : 'good'
      state.replaceChildren(safety(status), facts(status), ...degraded(status))
      // The buttons stay where they are: moving them would take the focus away from them.
      if (!state.isConnected) place.replaceChildren(state, buttons)
    },
  }
}

const locations = {
  opfs: 'kept in this browser',
  indexeddb: 'kept in this browser',
  file: 'kept in a file',
  memory: 'in memory only',
  server: 'kept on a server',
} as const

export function safety({ backend, evictionRisk }: Status): HTMLElement {
  const text =
    backend === 'memory'
      ? 'In memory only. Closing or reloading this tab deletes everything.'
      : evictionRisk === 'none'
        ? 'Stored on this device. The browser does not delete it to free space.'
        : 'Stored on this device. The browser may delete it when the disk is full.'
  return make('p', { class: 'safety', 'data-tone': backend === 'memory' ? 'warning' : 'good' }, text)
}

function facts(status: Status): HTMLElement {
  const { vectors, indexes, usageBytes, quotaBytes } = status
  const used = usageBytes === null ? null : bytes(usageBytes)
  const pairs: readonly (readonly [string, string | null])[] = [
    ['Backend', `${status.backend}, ${status.durability}`],
    ['Records', wholeNumber(status.records)],
    ['Vectors', vectors.space === null ? 'none' : `${wholeNumber(vectors.current)} in ${vectors.space}`],
    ['Other spaces', vectors.otherSpaces > 0 ? wholeNumber(vectors.otherSpaces) : null],
    ['Indexes', `words ${indexes.fts.state}, vectors ${indexes.vector.state} (${indexes.vector.kind})`],
    ['Revision', wholeNumber(status.revision)],
    ['On disk', used === null ? null : quotaBytes === null ? used : `${used} of ${bytes(quotaBytes)}`],
    ['In memory', bytes(status.memoryBytes.vectors + status.memoryBytes.postings + status.memoryBytes.sqlite)],
    ['Engine', `${status.version}, ${status.runtime}, ${status.role}`],
  ]
  return make(
    'dl',
    { class: 'facts' },
    ...pairs.flatMap(([name, value]) => (value === null ? [] : [make('dt', {}, name), make('dd', {}, value)])),
  )
}

export function degraded({ degraded: reasons }: Status): HTMLElement[] {
  if (reasons.length === 0) return []
  return [
    make('p', { class: 'quiet' }, 'Degraded:'),
    make('ul', { class: 'notes', 'data-tone': 'warning' }, ...reasons.map((line) => make('li', {}, line))),
  ]
}

function storeButtons(recall: Recall, { loadSample, changed, deleted }: StorePanelActions): HTMLElement {
  const refill = make('button', { type: 'button' }, 'Load the sample again')
  refill.addEventListener('click', () => {
    refill.disabled = true
    void loadSample().then(() => {
      refill.disabled = false
      changed()
    })
  })
  const everything = deleteEverything({
    id: 'delete-all',
    text: 'Delete everything',
    warning: 'This deletes every record in this store. It cannot be undone.',
    destroy: () =>
      void recall.destroy().then(
        () => {
          deleted()
          location.replace(location.pathname)
        },
        (error: unknown) => explainError('The store could not be deleted.', error),
      ),
  })
  return make('div', { class: 'store-buttons' }, make('p', { class: 'buttons' }, refill), everything)
}
