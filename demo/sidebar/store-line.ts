/** Shows the state of the store in two lines: how safe it is, and what it holds. */
import type { Status } from 'scrubjay'
import { bytes, counted } from '../shared/format.ts'
import { make } from '../shared/dom.ts'

export function storeLine(status: Status, waiting: number): HTMLElement[] {
  const { backend, records, usageBytes, degraded } = status
  const isKept = backend !== 'memory'
  return [
    make(
      'p',
      { class: 'safety', 'data-tone': isKept ? 'good' : 'warning' },
      // Never evicted: `unlimitedStorage` exempts the extension, whatever `navigator.storage.persisted()` returns.
      isKept ? 'Kept on this device only.' : 'In memory only. Closing the panel deletes everything.',
    ),
    make(
      'p',
      { class: 'quiet' },
      [
        counted(records, 'memory', 'memories'),
        usageBytes === null ? null : bytes(usageBytes),
        waiting === 0 ? null : `${waiting} waiting to be stored`,
      ]
        .filter((part) => part !== null)
        .join(' · '),
    ),
    ...degraded.map((line) => make('p', { class: 'quiet' }, line)),
  ]
}
