/** Checks that calls aborted before their turn are not carried out; timers and messages run between calls. */
import { describe, expect, it, test } from 'vitest'
import { type RecallError, recallError } from '../../../src/core/model/errors.ts'
import { openRecall } from '../../../src/index.ts'
import type { RequestContext } from '../../../src/protocol/engine-api.ts'
import { connect } from '../../support/scripted-engine.ts'
import { openEngine } from '../../support/stores/open-engine.ts'
import { createWorld } from '../../support/tabs-world.ts'

const space = { name: 'three', dimensions: 3 }

/** An engine that counts the questions it began to answer. */
async function openCounting() {
  const asked: string[] = []
  const embedding = {
    embed: async (texts: readonly string[], role: 'query' | 'document') => {
      if (role === 'query') asked.push(...texts)
      return texts.map(() => Float32Array.of(1, 0, 0))
    },
  }
  const { engine, call } = await openEngine({ space }, embedding)
  await call('put', { batch: [{ id: 'a', body: 'one' }] })
  return { engine, asked }
}

/** What became of each of 100 single puts, as their callers know it. */
async function putAndAbort(role: 'leader' | 'follower', when: 'at once' | 'at the first commit' | 'never') {
  const world = await createWorld()
  try {
    const controller = new AbortController()
    const { signal } = controller
    const leader = await world.tab({ onCommit: () => when === 'at the first commit' && controller.abort() })
    const tab = role === 'leader' ? leader : await world.tab()
    const { recall } = await connect(tab.engine)
    const ids = Array.from({ length: 100 }, (_, i) => `r${i}`)
    const answers = Promise.all(
      ids.map((id) =>
        recall.put({ id, body: 'text' }, { signal }).then(
          ({ records }) => records[0]?.id,
          (error: RecallError) => ({ code: error.code, committed: error.committed }),
        ),
      ),
    )
    if (when === 'at once') controller.abort()
    const told = await answers
    // Behind all of them in the queue: whatever was begun is stored by now.
    await recall.forget('none')
    const stored = (await recall.get(ids)).map((record) => record?.id)
    return { told, stored }
  } finally {
    await world.end()
  }
}

describe('a call that was aborted before its turn', () => {
  it('[Q6] 400 recalls issued and aborted in one tick: the engine answers at most one, then the next', async () => {
    const { engine, asked } = await openCounting()
    const { recall } = await connect(engine)
    const controller = new AbortController()
    const { signal } = controller
    const all = Array.from({ length: 400 }, (_, i) =>
      recall.recall(`dead ${i}`, { signal }).catch((error: { readonly code: string }) => error.code),
    )
    controller.abort()
    expect(new Set(await Promise.all(all))).toEqual(new Set(['ABORTED']))
    expect((await recall.recall('alive')).hits).toHaveLength(1)
    expect(asked.filter((text) => text.startsWith('dead')).length).toBeLessThanOrEqual(1)
    expect(asked).toContain('alive')
  })

  it('[Q6] control: without the abort all are answered', async () => {
    const { engine, asked } = await openCounting()
    const { recall } = await connect(engine)
    await Promise.all(Array.from({ length: 40 }, (_, i) => recall.recall(`dead ${i}`)))
    expect(asked).toHaveLength(40)
  })

  it('[Q6] a write that is aborted while it waits behind another one leaves nothing', async () => {
    const { engine } = await openCounting()
    const ask = (context: Partial<RequestContext>, id: string) =>
      engine.call('put', { batch: [{ id, body: id }] }, { now: 1, ...context })
    const controller = new AbortController()
    const first = ask({}, 'first')
    const patch = engine.call('patch', { id: 'a', fields: { title: 'patched' } }, { now: 1, signal: controller.signal })
    const put = ask({ signal: controller.signal }, 'second')
    controller.abort(new Error('given up'))
    await first
    await expect(patch).rejects.toThrow('given up')
    await expect(put).rejects.toThrow('given up')
    const [kept, gone, a] = await engine.call('get', { ids: ['first', 'second', 'a'] }, { now: 1 })
    expect([kept?.id, gone, a?.title]).toEqual(['first', undefined, null])
  })

  it('[Q6] the leader does not carry out an aborted call of a following tab either', async () => {
    const world = await createWorld()
    try {
      const leader = await world.tab()
      const follower = await world.tab()
      const controller = new AbortController()
      const put = (i: number, context: Partial<RequestContext>) =>
        follower.call('put', { batch: [{ id: `r${i}`, body: 'text' }] }, context).catch(() => null)
      const dead = Array.from({ length: 100 }, (_, i) => put(i, { signal: controller.signal }))
      controller.abort()
      const alive = put(1_000, {})
      await Promise.all([...dead, alive])
      const count = await leader.call('count', { scope: {} })
      expect(count).toBeGreaterThanOrEqual(1)
      expect(count).toBeLessThan(50)
    } finally {
      await world.end()
    }
  })
})

describe.each(['leader', 'follower'] as const)('100 single puts from the tab that is the %s', (role) => {
  it.each(['at once', 'at the first commit'] as const)(
    '[Q6] aborted %s: each that is stored answers with its receipt',
    async (when) => {
      const { told, stored } = await putAndAbort(role, when)
      expect(told).toEqual(stored.map((id) => id ?? { code: 'ABORTED', committed: undefined }))
      expect(stored).toContain(undefined)
    },
  )

  it('[Q6] control: without the abort all are stored', async () => {
    const { told, stored } = await putAndAbort(role, 'never')
    expect(stored).not.toContain(undefined)
    expect(told).toEqual(stored)
  })
})

test('[Q6] an aborted write of a following tab whose leader ends without an answer rejects with LEADER_LOST', async () => {
  const world = await createWorld()
  try {
    const controller = new AbortController()
    await world.tab({
      onCommit(crash) {
        controller.abort(recallError('ABORTED', 'for this test'))
        crash()
      },
    })
    const follower = await world.tab()
    const put = follower.call('put', { batch: [{ id: 'a', body: 'text' }] }, { signal: controller.signal })
    // ABORTED would say that nothing was stored.
    await expect(put).rejects.toMatchObject({ code: 'LEADER_LOST' })
    expect((await follower.call('get', { ids: ['a'] }))[0]?.id).toBe('a')
  } finally {
    await world.end()
  }
})

describe('in this process', () => {
  it('[Q6] timers run between recalls, so that a signal and a deadline work', async () => {
    const store = await openRecall({ name: 'timers', storage: 'memory', embedder: null })
    await store.put(Array.from({ length: 300 }, (_, i) => ({ id: `d${i}`, body: `apple w${i % 97} deploy` })))
    const controller = new AbortController()
    let ticks = 0
    const interval = setInterval(() => {
      if (++ticks === 2) controller.abort()
    }, 1)
    const codes: string[] = []
    await Promise.all(
      Array.from({ length: 300 }, (_, i) =>
        store.recall(`apple w${i % 97}`, { signal: controller.signal }).then(
          () => codes.push('ok'),
          (error: { readonly code: string }) => codes.push(error.code),
        ),
      ),
    )
    clearInterval(interval)
    await store.close()
    expect(ticks).toBeGreaterThanOrEqual(2)
    expect(codes).toContain('ABORTED')
  })
})
