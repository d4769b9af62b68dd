/**
 * [D3] [W3] Compares places in sessions, kept through commits, with a store that reads the same rows again, and with
 * plain sorting.
 */
import { describe, expect, it } from 'vitest'
import type { RecordInput } from '../../../src/core/model/record.ts'
import { atOnce } from '../../../worker/scheduling/steps.ts'
import type { SqliteStore } from '../../../worker/store/sqlite-store.ts'
import { createRandom, type Random } from '../../support/data/random.ts'
import { startOfTime } from '../../support/stores/open-engine.ts'
import { openStore } from '../../support/stores/open-store.ts'

function randomRecord(random: Random, i: number): RecordInput {
  return {
    id: `${random.pick(['a', 'z', 'é', '𝒳'])}${i}`,
    body: `jay ${i} ${random.below(1000)}`,
    project: random.pick(['wood', null]),
    bank: random.pick(['one', null]),
    session: random.pick(['monday', 'tuesday', null]),
    position: random.pick([null, random.below(9), -random.below(9)]),
  }
}

/** Id → the ids of its session in order; records without a place are left out. */
function sessionsOf(store: SqliteStore): ReadonlyMap<string, string> {
  const found = store.sessions()
  const bySession = new Map<number, [place: number, id: string][]>()
  if (found === null) return new Map()
  for (const key of store.everyKey().keys) {
    const group = found.groups[key] ?? 0
    if (group !== 0) bySession.set(group, [...(bySession.get(group) ?? []), [found.places[key]!, store.idOf(key)]])
  }
  const entries = [...bySession.values()].flatMap((session) => {
    const sorted = session.sort(([a], [b]) => a - b)
    expect(sorted.map(([place]) => place)).toEqual(sorted.map((_, place) => place))
    return sorted.map(([, id]) => [id, sorted.map((entry) => entry[1]).join(' ')] as const)
  })
  return new Map(entries)
}

function sortedPlainly(records: Iterable<RecordInput>): ReadonlyMap<string, string> {
  const sessions = new Map<string, RecordInput[]>()
  for (const record of records) {
    if (record.session == null || record.position == null) continue
    const name = `${record.project} ${record.bank} ${record.session}`
    sessions.set(name, [...(sessions.get(name) ?? []), record])
  }
  return new Map(
    [...sessions.values()].flatMap((session) => {
      const ids = session.sort((a, b) => a.position! - b.position! || byBytes(a.id!, b.id!)).map(({ id }) => id!)
      return ids.map((id) => [id, ids.join(' ')] as const)
    }),
  )
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

describe('places in sessions', () => {
  it.each([61, 62, 63, 64])('[D3] follow puts, moves and forgetting, seed %i', async (seed) => {
    const random = createRandom(seed)
    const { store, put, again } = await openStore()
    const records = new Map<string, RecordInput>()
    let next = 0
    for (let step = 0; step < 60; step++) {
      const fresh = Array.from({ length: random.below(6) }, () => randomRecord(random, next++))
      const moved = random
        .shuffled([...records.values()])
        .slice(0, random.below(5))
        .map(({ id }) => ({ ...randomRecord(random, next++), id: id! }))
      put([...fresh, ...moved], startOfTime + step)
      for (const record of [...fresh, ...moved]) records.set(record.id!, record)
      const gone = random.shuffled([...records.keys()]).slice(0, random.below(4))
      atOnce(store.forget(gone, startOfTime + step))
      for (const id of gone) records.delete(id)
      // Sometimes several commits come between two reads.
      if (random.below(3) > 0) expect(sessionsOf(store), `step ${step}`).toEqual(sortedPlainly(records.values()))
    }
    expect(sessionsOf(store).size).toBeGreaterThan(10)
    expect(sessionsOf(again())).toEqual(sessionsOf(store))
    atOnce(store.forget([...records.keys()], startOfTime))
    expect(store.sessions()).toBe(null)
  })

  it('are absent, and use no memory, in a store without sessions', async () => {
    const { store, put } = await openStore()
    put([{ body: 'jay' }, { body: 'oak', session: 's' }, { body: 'wren', position: 4 }])
    const before = store.cacheBytes()
    expect(store.sessions()).toBe(null)
    expect(store.cacheBytes()).toBe(before)
  })
})
