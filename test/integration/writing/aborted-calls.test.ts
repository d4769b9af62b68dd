/** Checks that calls aborted before their turn are not carried out; timers and messages run between calls. */
import { describe, expect, it } from 'vitest'
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
