/** Tests the workers that a page starts, with stand-ins for them: what happens when the second one, which embeds, fails. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { openWorkerLink } from '../../../src/client/link/worker-link.ts'
import { spawnWorker, startEngine } from '../../../src/client/spawn-worker.ts'
import type { RecallError } from '../../../src/core/model/errors.ts'
import { serve } from '../../../worker/rpc/serve.ts'
import { createScriptedEngine, engineOptionsInWorker } from '../../support/scripted-engine.ts'

/** A worker whose code is served in this process, or one that never answers. */
class StandIn extends EventTarget {
  readonly #channel = new MessageChannel()
  readonly far = this.#channel.port2
  constructor(readonly url: URL) {
    super()
    started.push(this)
    const { port1 } = this.#channel
    port1.addEventListener('message', ({ data }) => this.dispatchEvent(new MessageEvent('message', { data })))
    port1.start()
  }
  postMessage(message: unknown, transfer: Transferable[] = []) {
    this.#channel.port1.postMessage(message, transfer as never)
  }
  terminate() {
    this.#channel.port1.close()
  }
}

let started: StandIn[] = []

afterEach(() => {
  vi.unstubAllGlobals()
  started = []
})

/** Both workers, and the engine's answers: a call of `count` never ends. */
function spawn() {
  vi.stubGlobal('Worker', StandIn)
  const port = spawnWorker({ assets: {}, builtIn: {}, engine: engineOptionsInWorker } as never)
  const [engine, embedding] = started as [StandIn, StandIn]
  serve(engine.far as never, async () => createScriptedEngine(() => new Promise(() => {})).engine)
  const fail = (worker: StandIn) => {
    const event = Object.assign(new Event('error', { cancelable: true }), { message: 'out of memory' })
    worker.dispatchEvent(event)
    return event
  }
  return { port, engine, embedding, fail }
}

test('a table in a blob starts both workers; the other table is looked for at the origin', async () => {
  vi.stubGlobal('Worker', StandIn)
  const builtIn = { table: new URL('blob:https://notes.example/0f8e') }
  spawnWorker({ assets: {}, builtIn, engine: engineOptionsInWorker } as never)
  const sources = await new Promise<unknown>((resolve) => {
    started[1]!.far.addEventListener('message', ({ data }) => resolve(data))
    started[1]!.far.start()
  })
  expect(sources).toMatchObject({
    table: 'blob:https://notes.example/0f8e',
    languages: 'https://notes.example/multi-static-128.bin',
  })
  for (const one of started) one.terminate()
})

test('the engine’s worker is that of the app, else the one at the URL of the app, else that of the package', () => {
  vi.stubGlobal('Worker', StandIn)
  const own = new StandIn(new URL('https://notes.example/own.js'))
  expect(startEngine(() => own as never)).toBe(own)
  const urls = [new URL('https://notes.example/engine.js'), undefined].map(
    (url) => (startEngine(url) as unknown as StandIn).url.href,
  )
  expect(urls).toEqual(['https://notes.example/engine.js', expect.stringMatching(/\/worker\/index\.js$/)])
  for (const one of started) one.terminate()
})

describe('the error event of the embedding worker', () => {
  test('[E2] does not end the link, tells the engine why, and prints nothing', async () => {
    const { port, engine, embedding, fail } = spawn()
    expect(embedding.url.pathname).toMatch(/embedding\.js$/)
    const heard = new Promise<unknown>((resolve) => {
      engine.far.addEventListener('message', ({ data }) => void ('embedderEnded' in data && resolve(data)))
    })
    const failures: RecallError[] = []
    const opening = openWorkerLink(port, engineOptionsInWorker, 60_000, {
      tell: () => undefined,
      fail: (error) => failures.push(error),
    })
    expect(fail(embedding).defaultPrevented).toBe(true)
    const link = await opening
    expect(await heard).toEqual({ embedderEnded: 'out of memory' })
    expect(failures).toEqual([])
    link.end()
  })

  test('[E2] control: that of the engine’s worker ends the link with a typed error', async () => {
    const { port, engine, fail } = spawn()
    const failures: RecallError[] = []
    const link = await openWorkerLink(port, engineOptionsInWorker, 60_000, {
      tell: () => undefined,
      fail: (error) => failures.push(error),
    })
    fail(engine)
    expect(failures).toMatchObject([{ code: 'LEADER_LOST', message: expect.stringContaining('out of memory') }])
    link.end()
  })

  test('[E2] that of the engine’s worker ends opening with a typed error at once', async () => {
    const { port, engine, fail } = spawn()
    const opening = openWorkerLink({ ...port, endpoint: new MessageChannel().port1 }, engineOptionsInWorker, 60_000, {
      tell: () => undefined,
      fail: () => undefined,
    }).catch((error: unknown) => error)
    fail(engine)
    expect(await opening).toMatchObject({ code: 'INVALID_CONFIG', message: expect.stringContaining('out of memory') })
  })
})
