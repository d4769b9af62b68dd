/** Tests which events a tab tells a listener that comes late. */
import { expect, test } from 'vitest'
import type { EngineEvent, StorageEvent } from '../../../src/protocol/events.ts'
import { createTabEvents } from '../../../worker/tabs/tab-events.ts'

const vectors = (pending: number): EngineEvent => ({ type: 'vectors', pending })
const storage = (backend: StorageEvent['backend']): EngineEvent => ({ type: 'storage', backend, degraded: [] })
const changed = (revision: number): EngineEvent => ({ type: 'changed', revision, ids: [] })

test('a late listener gets the last events that still hold, and none that is over', () => {
  const { emit, subscribe } = createTabEvents()
  for (const event of [storage('indexeddb'), vectors(9), changed(1), vectors(4)]) emit(event)
  const heard: EngineEvent[] = []
  const end = subscribe((event) => heard.push(event))
  expect(heard).toEqual([storage('indexeddb'), vectors(4)])
  emit(changed(2))
  end()
  emit(changed(3))
  expect(heard).toEqual([storage('indexeddb'), vectors(4), changed(2)])
})

test('a new leader reports a change that its predecessor did not, and the same fallback only once', () => {
  const { emit, subscribe, setRevision } = createTabEvents()
  const heard: EngineEvent[] = []
  subscribe((event) => heard.push(event))
  for (const event of [storage('memory'), storage('memory'), changed(5)]) emit(event)
  setRevision(5)
  setRevision(6)
  expect(heard).toEqual([storage('memory'), changed(5), changed(6)])
})
