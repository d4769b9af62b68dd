/** [E2] Tests the guard around an embedder: deadlines, pauses, checked answers. The test controls the time. */
import { describe, expect, test } from 'vitest'
import { problemOf } from '../../../src/core/model/errors.ts'
import type { Embedder } from '../../../src/protocol/embedder.ts'
import {
  embedAll,
  failureLines,
  firstPauseMs,
  guardEmbedder,
  longestPauseMs,
} from '../../../src/protocol/guarded-embedder.ts'
import { createManualTimers } from '../../support/manual-timers.ts'

const good: Embedder['embed'] = async (texts) => texts.map((text) => Float32Array.of(text.length, 1))
const failing: Embedder['embed'] = () => Promise.reject(new Error('down'))
const never: Embedder['embed'] = () => new Promise<never>(() => {})

function guard(embed: Embedder['embed']) {
  const timers = createManualTimers()
  const calls: (AbortSignal | undefined)[] = []
  const state = { embed }
  const guarded = guardEmbedder(
    {
      space: 'mine',
      dimensions: 2,
      embed: (texts, role, options) => {
        calls.push(options?.signal)
        return state.embed(texts, role, options)
      },
    },
    { deadlineMs: 100, timers },
  )
  return { guarded, timers, calls, state }
}

describe('a call', () => {
  test('[E2] ends at its deadline, and its signal says so', async () => {
    const { guarded, timers, calls } = guard(never)
    const waiting = guarded.embed(['a'], 'query')
    await timers.advance(99)
    expect(calls[0]?.aborted).toBe(false)
    await timers.advance(1)
    expect(await waiting).toMatchObject({
      kind: 'failed',
      error: { code: 'DEADLINE_EXCEEDED', field: 'embedder.embed' },
    })
    expect(calls[0]?.aborted).toBe(true)
  })

  test('[E2] leaves no timer behind when it is answered', async () => {
    const { guarded, timers } = guard(good)
    expect(await guarded.embed(['a'], 'query')).toEqual({ kind: 'made', vectors: [Float32Array.of(1, 1)] })
    expect(timers.waiting()).toEqual([])
  })

  test("[Q6] that its caller aborts rejects with the caller's reason, and does not count as a failure", async () => {
    const { guarded, calls } = guard(never)
    const controller = new AbortController()
    const waiting = guarded.embed(['a'], 'query', { signal: controller.signal })
    await Promise.resolve()
    controller.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    expect(calls[0]?.aborted).toBe(true)
    expect(guarded.failure()).toBeNull()
    await expect(guarded.embed(['a'], 'query', { signal: controller.signal })).rejects.toThrow('enough')
    expect(calls).toHaveLength(1)
  })

  test('without texts does not call the embedder', async () => {
    const { guarded, calls } = guard(failing)
    expect(await guarded.embed([], 'document')).toEqual({ kind: 'made', vectors: [] })
    expect(calls).toEqual([])
  })
})

describe('the pause', () => {
  test('[E2] is twice as long each time, up to five minutes, and ends with the first success', async () => {
    const { guarded, timers, calls, state } = guard(failing)
    const pauses: number[] = []
    for (let i = 0; i < 12; i++) {
      await guarded.embed(['a'], 'query')
      const before = calls.length
      await guarded.embed(['a'], 'query')
      expect(calls.length).toBe(before)
      const [pause = 0] = timers.waiting()
      pauses.push(pause)
      await timers.advance(pause)
    }
    expect(pauses).toEqual(Array.from({ length: 12 }, (_, i) => Math.min(longestPauseMs, firstPauseMs * 2 ** i)))
    state.embed = good
    const told: string[] = []
    guarded.onRecovery(() => told.push('works'))
    expect(await guarded.embed(['a'], 'query')).toMatchObject({ kind: 'made' })
    expect(await guarded.embed(['a'], 'query')).toMatchObject({ kind: 'made' })
    expect(told).toEqual(['works'])
    expect(guarded.failure()).toBeNull()
  })

  test('[E2] ends with one trial call: the others do not hang with it', async () => {
    const { guarded, timers, calls, state } = guard(failing)
    await guarded.embed(['a'], 'query')
    await timers.advance(firstPauseMs)
    state.embed = never
    const probe = guarded.embed(['a'], 'query')
    expect(await guarded.embed(['b'], 'query')).toMatchObject({ kind: 'failed' })
    expect(calls).toHaveLength(2)
    await timers.advance(100)
    expect(await probe).toMatchObject({ kind: 'failed', error: { code: 'DEADLINE_EXCEEDED' } })
  })

  test('[E2] does not apply to a forced call, whose failure starts no pause', async () => {
    const { guarded, timers, calls } = guard(failing)
    expect(await guarded.embed(['a'], 'document', { insist: true })).toMatchObject({ kind: 'failed' })
    expect(guarded.failure()).toBeNull()
    expect(timers.waiting()).toEqual([])
    await guarded.embed(['a'], 'query')
    await guarded.embed(['a'], 'document', { insist: true })
    expect(calls).toHaveLength(3)
  })
})

describe('an answer', () => {
  test('[V4] has each vector checked by itself', async () => {
    const { guarded } = guard(async () => [Float32Array.of(1, 2), Float32Array.of(Number.NaN, 1), [1, 2] as never])
    const embedded = await guarded.embed(['a', 'b', 'c'], 'document')
    expect(embedded).toMatchObject({
      kind: 'made',
      vectors: [Float32Array.of(1, 2), { code: 'INVALID_RECORD' }, { code: 'DIMENSION_MISMATCH' }],
    })
  })

  test.each([
    ['null', null, /got null/],
    ['a promise of text', 'vectors', /a value of type string/],
    ['one too few', [new Float32Array(2)], /got 1/],
  ])('[E2] that is %s is reported as a failure, in words', async (_name, made, told) => {
    const { guarded } = guard((async () => made) as never)
    const embedded = await guarded.embed(['a', 'b'], 'document')
    expect(embedded).toMatchObject({ kind: 'failed', error: { code: 'INVALID_CONFIG', hint: expect.any(String) } })
    if (embedded.kind !== 'failed') throw new Error(embedded.kind)
    expect(problemOf(embedded.error)).toMatch(told)
    expect(failureLines(guarded, null)).toEqual([
      expect.stringMatching(/^queries and new texts use only their words until/),
    ])
  })

  test('[E2] of many texts keeps the vectors made before a batch failed', async () => {
    let calls = 0
    const { guarded } = guard(async (...call) => {
      calls += 1
      return calls === 2 ? failing(...call) : good(...call)
    })
    const texts = Array.from({ length: 700 }, (_, i) => `t${i}`)
    const embedded = await embedAll(guarded, texts)
    if (embedded.kind !== 'made') throw new Error(embedded.kind)
    expect(embedded.vectors.filter((vector) => vector instanceof Float32Array)).toHaveLength(256)
    expect(embedded.vectors).toHaveLength(700)
    expect(calls).toBe(2)
  })
})
