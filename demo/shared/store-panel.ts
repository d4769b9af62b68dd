/** What the store is: where it lives, how safe it is there, what it holds, and what works less well than it could. */
import type { Recall, Status } from 'scrubjay'
import { fillWithSample, keepEmpty } from '../search/import/load-sample.ts'
import { deleteEverything } from './delete/delete-everything.ts'
import { bytes, counted, wholeNumber } from './format.ts'
import { explainError } from './notice.ts'
import { make, partById } from './parts.ts'

export interface StorePanel {
  refresh(): Promise<void>
}

/** `changed` is called after a button here has changed what the store holds. */
export function createStorePanel(recall: Recall, { changed }: { readonly changed: () => void }): StorePanel {
  const place = partById('store-status')
  const brief = partById('store-brief')
  const buttons = storeButtons(recall, changed)

  return {
    async refresh() {
      const status = await recall.status()
      brief.textContent = `${counted(status.records, 'record')} · ${homes[status.backend]}`
      brief.dataset['tone'] = status.backend === 'memory' ? 'warning' : 'good'
      place.replaceChildren(safety(status), facts(status), ...degraded(status), buttons)
    },
  }
}

const homes = { opfs: 'kept in this browser', indexeddb: 'kept in this browser', memory: 'in memory only' } as const

export function safety({ backend, evictionRisk }: Status): HTMLElement {
  const text =
    backend === 'memory'
      ? 'In memory only: everything is gone when this tab closes or reloads.'
      : evictionRisk === 'none'
        ? 'Kept after a reload, and the browser has promised not to evict it.'
        : 'Kept after a reload. The browser may evict it when the disk runs full.'
  return make('p', { class: 'safety', 'data-tone': backend === 'memory' ? 'warning' : 'good' }, text)
}

function facts(status: Status): HTMLElement {
  const { vectors, indexes, usageBytes, quotaBytes } = status
  const used = usageBytes === null ? null : bytes(usageBytes)
  const pairs: readonly (readonly [string, string | null])[] = [
    ['Backend', `${status.backend}, ${status.durability}`],
    ['Records', wholeNumber(status.records)],
    ['Vectors', vectors.space === null ? 'none' : `${wholeNumber(vectors.current)} in ${vectors.space}`],
    ['Of other spaces', vectors.otherSpaces > 0 ? wholeNumber(vectors.otherSpaces) : null],
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

export function degraded({ degraded: said }: Status): HTMLElement[] {
  if (said.length === 0) return []
  return [
    make('p', { class: 'quiet' }, 'Works less well than it could:'),
    make('ul', { class: 'notes', 'data-tone': 'warning' }, ...said.map((line) => make('li', {}, line))),
  ]
}

function storeButtons(recall: Recall, changed: () => void): HTMLElement {
  const refill = make('button', { type: 'button' }, 'Load the sample again')
  refill.addEventListener('click', () => {
    refill.disabled = true
    void fillWithSample(recall).then(() => {
      refill.disabled = false
      changed()
    })
  })
  const everything = deleteEverything({
    id: 'delete-all',
    text: 'Delete everything',
    warning: 'Every record in this store will be gone for good. This can’t be undone.',
    destroy: () =>
      void recall.destroy().then(
        () => {
          keepEmpty()
          location.replace(location.pathname)
        },
        (error: unknown) => explainError('Couldn’t delete the store.', error),
      ),
  })
  return make('div', { class: 'store-buttons' }, make('p', { class: 'buttons' }, refill), everything)
}
