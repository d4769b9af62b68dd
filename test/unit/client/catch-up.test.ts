/** [E2] Tests when missing vectors are made: after which pauses, in which sizes, and what ends a pause. The test controls the time. */
import { describe, expect, test } from 'vitest'
import { recallError } from '../../../src/core/model/errors.ts'
import { createCatchUp } from '../../../src/protocol/catch-up.ts'
import { firstPauseMs, longestPauseMs } from '../../../src/protocol/guarded-embedder.ts'
import { createManualTimers } from '../../support/manual-timers.ts'

const down = recallError('DEADLINE_EXCEEDED', 'gave no answer', { field: 'embedder.embed' })
const settled = async () => {
  for (let i = 0; i < 20; i++) await Promise.resolve()
}

/** A store with so many records that wait, over an embedder that fails until `works`. */
function start(count: number) {
  const timers = createManualTimers()
  const controller = new AbortController()
  const waiting = Array.from({ length: count }, (_, key) => key + 1)
  const sizes: number[] = []
  const state = { works: false }
  let recover = () => {}
  const catchUp = createCatchUp({
    timers,
    signal: controller.signal,
    embedder: {
      onRecovery: (listener) => void (recover = listener),
      embed: async (texts) => {
        sizes.push(texts.length)
        return state.works
          ? { kind: 'made', vectors: texts.map(() => Float32Array.of(1)) }
          : { kind: 'failed', error: down }
      },
    },
    next: async (after, limit) => {
      const keys = waiting.filter((key) => key > after).slice(0, limit)
      const records = keys.map((key) => ({ id: `${key}`, contentHash: '', chunks: [{ text: `${key}` } as never] }))
      return { records, after: keys.at(-1) ?? after }
    },
    attach: async (made) => {
      for (const { record } of made) waiting.splice(waiting.indexOf(Number(record.id)), 1)
    },
  })
  /** The pause that is due, or null. Turns of the event loop pass first. */
  const pause = async (): Promise<number | null> => {
    for (let i = 0; i < 200; i++) {
      await settled()
      const [due] = timers.waiting()
      if (due === undefined || due > 0) return due ?? null
      await timers.advance(0)
    }
    throw new Error('It takes turns without end.')
  }
  return { catchUp, timers, waiting, sizes, state, pause, controller, recover: () => recover() }
}

describe('missing vectors', () => {
  test('[E2] are tried after a pause that doubles up to its limit, half as many at a time down to one', async () => {
    const { catchUp, timers, sizes, pause } = start(100)
    catchUp.begin()
    const pauses: (number | null)[] = []
    for (let i = 0; i < 11; i++) {
      const due = await pause()
      pauses.push(due)
      await timers.advance(due!)
    }
    expect(pauses).toEqual(Array.from({ length: 11 }, (_, i) => Math.min(longestPauseMs, firstPauseMs * 2 ** i)))
    expect(sizes.slice(0, 7)).toEqual([64, 32, 16, 8, 4, 2, 1])
    expect(catchUp.problem()).toBe(down)
  })

  test('[E2] are made at once when the embedder answers another call, and the next pause is the first again', async () => {
    const { catchUp, timers, waiting, state, pause, recover } = start(3)
    catchUp.begin()
    for (let i = 0; i < 4; i++) await timers.advance((await pause())!)
    expect(await pause()).toBe(firstPauseMs * 2 ** 4)
    state.works = true
    recover()
    expect(await pause()).toBeNull()
    expect(waiting).toEqual([])
    expect(catchUp.problem()).toBeNull()
    state.works = false
    waiting.push(4)
    catchUp.begin()
    expect(await pause()).toBe(firstPauseMs)
  })

  test('[E2] that come while a run makes others are made by the next run', async () => {
    const { catchUp, waiting, state, pause } = start(1)
    state.works = true
    catchUp.begin()
    waiting.push(2)
    catchUp.begin()
    expect(await pause()).toBeNull()
    expect(waiting).toEqual([])
  })

  test('[E2] are made no more after the store has closed: no timer is left', async () => {
    const { catchUp, timers, sizes, pause, controller } = start(1)
    catchUp.begin()
    expect(await pause()).toBe(firstPauseMs)
    controller.abort()
    expect(timers.waiting()).toEqual([])
    const before = sizes.length
    catchUp.begin()
    expect(await pause()).toBeNull()
    expect(sizes).toHaveLength(before)
  })
})
