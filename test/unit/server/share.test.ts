/** Tests the share of a store in the work of a node: heavy calls run one at a time, light ones a few at a time, all in order. */
import { expect, test, vi } from 'vitest'
import type { CallRequest } from '../../../src/protocol/engine-host.ts'
import { createShare, room, weightOf } from '../../../src/server/host/share.ts'

const weigh = (method: string, request: object) => weightOf({ method, request } as unknown as CallRequest)

/** Starts a call for each weight; returns how many run at once, and the order in which they began. */
async function most(weights: readonly number[]) {
  const share = createShare(() => true)
  const began: number[] = []
  let running = 0
  let highest = 0
  await Promise.all(
    weights.map((weight, i) =>
      share.run(weight, async () => {
        began.push(i)
        highest = Math.max(highest, ++running)
        await new Promise(setImmediate)
        running--
      }),
    ),
  )
  return { began, highest, left: share.size() }
}

test('[N5] heavy calls of a store run one after the other, in order', async () => {
  expect(await most([room, room, room, room])).toEqual({ began: [0, 1, 2, 3], highest: 1, left: 0 })
})

test('[N5] light calls run side by side, and a heavy one waits for room', async () => {
  const { began, highest } = await most([...Array.from({ length: 2 * room }, () => 1), room, 1])
  expect(began).toEqual(Array.from({ length: 2 * room + 2 }, (_, i) => i))
  expect(highest).toBe(room)
})

test('[N5] a call that fails leaves its room to the next', async () => {
  const share = createShare(() => true)
  const failed = share.run(room, () => Promise.reject(new Error('broken')))
  await expect(failed).rejects.toThrow('broken')
  expect(await share.run(room, async () => 'next')).toBe('next')
})

/** ms, to the ten, at which the calls ended. A heavy call of 60 ms comes first, then a light one of 20 ms, then one more. */
async function endings(isAlone: boolean): Promise<readonly number[]> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate', 'performance'] })
  try {
    const share = createShare(() => isAlone)
    const from = performance.now()
    const busy = (ms: number) => () => new Promise<void>((resolve) => setTimeout(resolve, ms))
    const ended = [60, 20, 20].map(async (ms, i) => {
      await share.run(i === 1 ? 1 : room, busy(ms))
      return 10 * Math.floor((performance.now() - from) / 10)
    })
    for (let i = 0; i < 500; i++) await vi.advanceTimersByTimeAsync(1)
    return await Promise.all(ended)
  } finally {
    vi.useRealTimers()
  }
}

test('[N5] while other stores are in use, a heavy call is followed by a pause of its length, and a light one by none', async () => {
  expect(await endings(false)).toEqual([60, 60 + 60 + 20, 60 + 60 + 20 + 20])
  // control: alone, nothing pauses.
  expect(await endings(true)).toEqual([60, 60 + 20, 60 + 20 + 20])
})

test('[N5] sixteen usual calls of a store run at once, the next one waits; each call of the whole store runs alone', async () => {
  const { began, highest } = await most(Array.from({ length: 17 }, () => 1))
  expect(began).toHaveLength(17)
  expect(highest).toBe(16)
  for (const method of ['exportPart', 'importPart', 'finishImport', 'integrityCheck', 'compact', 'retain', 'embedNext'])
    expect(weigh(method as 'retain', {}), method).toBe(16)
})

test('[N5] the weight of a call follows what it reads and writes', () => {
  expect(weigh('recall', { query: { text: 'jay' } })).toBe(1)
  expect(weigh('recall', { query: { text: 'jay', limit: 50 } })).toBe(5)
  for (const heavy of [{ limit: 1000 }, { ledger: true }, { explain: true }, { capture: true }])
    expect(weigh('recall', { query: { text: 'jay', ...heavy } })).toBe(room)
  expect(weigh('list', { filter: { limit: 1000 } })).toBe(room)
  expect(weigh('put', { batch: [{}] })).toBe(1)
  expect(weigh('put', { batch: Array.from({ length: 500 }, () => ({})) })).toBe(room)
  expect(weigh('get', { ids: Array.from({ length: 40 }, () => 'a') })).toBe(4)
  expect(weigh('exportPart', { export: 'a', part: 0 })).toBe(room)
  expect(weigh('count', { scope: {} })).toBe(1)
})
