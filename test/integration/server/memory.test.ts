/** Tests what a host does when the memory that its stores share runs out. The engines are stand-ins with a counted memory. */
import { beforeEach, describe, expect, it } from 'vitest'
import { recallError } from '../../../src/core/model/errors.ts'
import type { CallRequest } from '../../../src/protocol/engine-host.ts'
import { resolveServer } from '../../../src/server/common/options.ts'
import { createHost, type Host } from '../../../src/server/host/host.ts'
import { createMetrics, type Metrics } from '../../../src/server/host/metrics.ts'
import type { EngineThreads } from '../../../worker/node/engine-threads.ts'
import { engineOptions } from '../../support/stores/engine-options.ts'
import { memoryBlocks } from '../../support/stores/memory-blocks.ts'

const memory = 4

let host: Host
let metrics: Metrics
/** Names of open stores, each of which takes one unit of the memory. */
let open: string[]
/** How many units the running call needs besides. */
let needed: number
beforeEach(() => {
  open = []
  needed = 0
  metrics = createMetrics()
  const server = resolveServer({ postgres: {} as never, tokens: {}, openStores: 100 })
  const blocks = memoryBlocks()
  host = createHost(server, {
    blocks: () => blocks,
    engine: engineOptions,
    embedding: null,
    extensions: undefined,
    metrics,
    threads,
  })
})

const full = recallError('QUOTA_EXCEEDED', 'Memory ran out', { hint: 'Ask for less.' })
const threads: EngineThreads = {
  async open({ name }) {
    if (open.length >= memory || name === 'huge') throw full
    open.push(name)
    return {
      call: async () =>
        open.length + needed > memory ? { ok: false, error: full.toDetails() } : { ok: true, value: name, tookMs: 0 },
      cancel: () => undefined,
      subscribe: () => () => undefined,
      catchUp: async () => false,
      isOutdated: () => false,
      async closeAndKeep() {
        open = open.filter((other) => other !== name)
        return null
      },
    }
  },
  close: async () => undefined,
}
const recall = (tenant: string) =>
  host.call(tenant, { id: tenant, method: 'recall', request: { query: 'a' }, context: { now: 1 } } as CallRequest)
const evicted = () => Number(/scrubjay_evicted_total (\d+)/.exec(metrics.text({}))?.[1] ?? 0)

describe('a host whose memory runs out', () => {
  it('closes the less recently used half of the idle stores, and opens the next', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'a']) await recall(name)
    expect(open).toEqual(['a', 'b', 'c', 'd'])
    expect(await recall('e')).toMatchObject({ ok: true, value: 'e' })
    expect(open).toEqual(['a', 'd', 'e'])
    expect(evicted()).toBe(2)
  })

  it('repeats a call that had too little memory', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await recall(name)
    needed = 2
    expect(await recall('d')).toMatchObject({ ok: true, value: 'd' })
    expect(open).toEqual(['c', 'd'])
  })

  it('closes others only once for a store that needs more than they free', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await recall(name)
    needed = memory
    expect(await recall('d')).toMatchObject({ ok: false, error: { code: 'QUOTA_EXCEEDED' } })
    expect(open).toEqual(['c', 'd'])
    expect(await recall('d')).toMatchObject({ ok: false, error: { code: 'QUOTA_EXCEEDED' } })
    expect(open).toEqual(['c', 'd'])
    needed = 0
    expect(await recall('d')).toMatchObject({ ok: true })
  })

  it('closes others only once for a store that is too large to open', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await recall(name)
    for (let attempt = 0; attempt < 2; attempt++) {
      expect(await recall('huge')).toMatchObject({ ok: false, error: { code: 'QUOTA_EXCEEDED' } })
      expect(open).toEqual(['c', 'd'])
    }
  })

  it('passes the error on if no store is idle', async () => {
    for (const name of ['a', 'b', 'c', 'd']) {
      await recall(name)
      await host.connect(name, () => undefined)
    }
    expect(await recall('e')).toMatchObject({ ok: false, error: { code: 'QUOTA_EXCEEDED' } })
    needed = 1
    expect(await recall('a')).toMatchObject({ ok: false, error: { code: 'QUOTA_EXCEEDED' } })
    expect(open).toEqual(['a', 'b', 'c', 'd'])
    expect(evicted()).toBe(0)
  })
})
