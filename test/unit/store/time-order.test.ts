/** Compares the time order that the store keeps with a complete sort after every commit. */
import { describe, expect, it } from 'vitest'
import { compareCodePoints } from '../../../src/core/text/hash/code-point-order.ts'
import { createKeyRows } from '../../../worker/retrieval/question/key-rows.ts'
import { newestRows } from '../../../worker/retrieval/candidates/newest-rows.ts'
import { createTimeOrder } from '../../../worker/store/derived/time-order.ts'
import { createRandom, type Random } from '../../support/data/random.ts'

interface Row {
  readonly id: string
  readonly at: number
}

/** Few times, so that ids decide; ids beyond ASCII, so that code points do. */
function randomRow(random: Random, key: number): Row {
  return {
    id: `${['a', 'z', 'é', '𝒳'][random.below(4)]}${key % 97}-${key}`,
    at: 1_700_000_000_000 + random.below(5) * 400,
  }
}

function sortedAnew(rows: ReadonlyMap<number, Row>): readonly number[] {
  return [...rows].sort(([, a], [, b]) => b.at - a.at || compareCodePoints(b.id, a.id)).map(([key]) => key)
}

/** A store of rows whose order is kept; `tell` false: commits change rows without a notice. */
function follow(seed: number, tell: boolean) {
  const random = createRandom(seed)
  const rows = new Map<number, Row>()
  let nextKey = 1
  const insert = () => rows.set(nextKey, randomRow(random, nextKey++))
  for (let i = 0; i < 40; i++) insert()
  const times = () => Float64Array.from({ length: nextKey }, (_, key) => rows.get(key)?.at ?? 0)
  const order = createTimeOrder(Int32Array.from(rows.keys()), times, (key) => rows.get(key)?.id ?? '')
  const commit = () => {
    for (let i = random.below(6); i > 0; i--) {
      const some = [...rows.keys()][random.below(rows.size)]!
      const kind = random.below(3)
      if (kind === 0) insert()
      if (kind === 1) rows.delete(some)
      if (kind === 2) rows.set(some, { ...rows.get(some)!, at: 1_700_000_000_000 + random.below(5) * 400 })
      const key = kind === 0 ? nextKey - 1 : some
      if (!tell) continue
      if (kind !== 0) order.forget(key)
      if (kind !== 1) order.read(key)
    }
  }
  return { random, rows, order, commit }
}

describe('the order of time', () => {
  it('[F3] always equals a complete sort', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const { rows, order, commit } = follow(seed, true)
      for (let step = 0; step < 12; step++) {
        expect(Array.from(order.current().keys), `seed ${seed}`).toEqual(sortedAnew(rows))
        commit()
      }
    }
  })

  it('control: an order without notices of commits goes wrong', () => {
    const { rows, order, commit } = follow(1, false)
    for (let step = 0; step < 12; step++) commit()
    expect(Array.from(order.current().keys)).not.toEqual(sortedAnew(rows))
  })

  it('gives few and many candidates in the same order', () => {
    for (const count of [1, 2, 20, 39]) {
      const { random, rows, order } = follow(7, true)
      const keys = random.shuffled([...rows.keys()]).slice(0, count)
      const numbered = createKeyRows()
      numbered.start(Math.max(...rows.keys()))
      for (const key of keys) numbered.add(key)
      const found = newestRows(order.current(), numbered.candidates())
      expect(Array.from(found, (row) => keys[row])).toEqual(sortedAnew(rows).filter((key) => keys.includes(key)))
    }
  })
})
