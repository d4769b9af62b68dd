/**
 * Tests a live query over a scripted recall, which answers when and what the test says: a stop in between, and a lost
 * leader.
 */
import { describe, expect, test } from 'vitest'
import { watchQuery } from '../../../src/client/calls/live-query.ts'
import { recallError } from '../../../src/core/model/errors.ts'
import type { RecallResult } from '../../../src/core/model/result.ts'
import { tuning } from '../../../src/core/model/tuning.ts'
import type { EngineEvent } from '../../../src/protocol/events.ts'

const resultOf = (id: string) =>
  ({
    receipt: { digest: id },
    hits: [{ id, record: { updatedAt: 1, authorityTier: null } }],
  }) as unknown as RecallResult

function watched() {
  const questions: { resolve(result: RecallResult): void; reject(error: unknown): void }[] = []
  const listeners = new Set<(event: EngineEvent) => void>()
  const told: string[] = []
  const errors: unknown[] = []
  const controller = new AbortController()
  const recall = {
    recall: () => new Promise<RecallResult>((resolve, reject) => questions.push({ resolve, reject })),
    subscribe: (listener: (event: EngineEvent) => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  watchQuery(
    {
      prepare: () => ({ text: 'jay' }),
      recall: recall as never,
      listener: ({ hits }) => told.push(hits[0]?.id ?? ''),
      options: { onError: (error) => errors.push(error) },
    },
    controller.signal,
  )
  return {
    questions,
    told,
    errors,
    listeners,
    stop: () => controller.abort(),
    change: (id = 'x') => {
      for (const listener of listeners) listener({ type: 'changed', revision: 1, ids: [id] } as EngineEvent)
    },
  }
}

/** Longer than a live query waits between two questions. */
const pause = () => new Promise((resolve) => setTimeout(resolve, tuning.liveQueryMs * 2 + 20))

describe('a live query that was stopped', () => {
  test('never reports, although its answer comes afterwards', async () => {
    const { questions, told, errors, stop } = watched()
    await expect.poll(() => questions.length).toBe(1)
    stop()
    questions[0]?.resolve(resultOf('a'))
    await pause()
    expect([told, errors]).toEqual([[], []])
  })

  test('never reports when it is stopped in the turn of its answer', async () => {
    const { questions, told, stop } = watched()
    await expect.poll(() => questions.length).toBe(1)
    questions[0]?.resolve(resultOf('a'))
    stop()
    await pause()
    expect(told).toEqual([])
  })

  test('reports no error, asks no more and removes its listener', async () => {
    const { questions, errors, listeners, stop, change } = watched()
    await expect.poll(() => questions.length).toBe(1)
    change()
    stop()
    questions[0]?.reject(new Error('too late'))
    change()
    await pause()
    expect([questions.length, errors.length, listeners.size]).toEqual([1, 0, 0])
  })

  test('control: one that goes on reports the same answer', async () => {
    const { questions, told, stop } = watched()
    await expect.poll(() => questions.length).toBe(1)
    questions[0]?.resolve(resultOf('a'))
    await expect.poll(() => told).toEqual(['a'])
    stop()
  })
})

test('a live query asks once after a change, and reports an equal answer only where a shown record changed', async () => {
  const { questions, told, stop, change } = watched()
  const answered = async (count: number) => {
    await expect.poll(() => questions.length).toBe(count)
    questions[count - 1]?.resolve(resultOf('a'))
    await pause()
    expect(questions).toHaveLength(count)
  }
  await answered(1)
  change('a')
  await answered(2)
  expect(told).toEqual(['a', 'a'])
  change('b')
  await answered(3)
  expect(told).toEqual(['a', 'a'])
  stop()
})

describe('a live query whose leader is lost', () => {
  test('[T2] reports no error: it asks again and reports the answer of the next leader', async () => {
    const { questions, told, errors, stop } = watched()
    await expect.poll(() => questions.length).toBe(1)
    questions[0]?.reject(recallError('LEADER_LOST', 'the tab that led is gone'))
    await expect.poll(() => questions.length).toBe(2)
    questions[1]?.resolve(resultOf('a'))
    await expect.poll(() => told).toEqual(['a'])
    expect(errors).toEqual([])
    stop()
  })

  test('control: any other error is reported once, and it asks again only after a change', async () => {
    const { questions, told, errors, stop, change } = watched()
    await expect.poll(() => questions.length).toBe(1)
    questions[0]?.reject(recallError('DEADLINE_EXCEEDED', 'took too long'))
    await expect.poll(() => errors).toMatchObject([{ code: 'DEADLINE_EXCEEDED' }])
    await pause()
    expect(questions).toHaveLength(1)
    change()
    await expect.poll(() => questions.length).toBe(2)
    questions[1]?.resolve(resultOf('a'))
    await expect.poll(() => told).toEqual(['a'])
    stop()
  })
})
