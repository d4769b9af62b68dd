/** Engines whose embedder fails. */
import type { Status } from '../../../src/core/model/status.ts'
import type { EngineOptions } from '../../../src/protocol/engine-options.ts'
import type { EngineEvent } from '../../../src/protocol/events.ts'
import { createManualTimers } from '../../support/manual-timers.ts'
import { openOver } from '../../support/stores/open-over.ts'

export const space = { name: 'mine@1', dimensions: 2 }
export const never = () => new Promise<never>(() => {})
export const good = async (texts: readonly string[]) => texts.map((text) => Float32Array.of(text.length, 1))

/** An engine whose embedder does what `embed` currently says. */
export async function openWith(
  embed: (texts: readonly string[]) => Promise<unknown>,
  options: Partial<EngineOptions> = {},
) {
  const timers = createManualTimers()
  const asked: (readonly string[])[] = []
  const embedder = { embed }
  const port = {
    embed: async (texts: readonly string[]) => {
      asked.push(texts)
      return embedder.embed(texts) as Promise<Float32Array[]>
    },
  }
  const over = await openOver({ space, embeds: true, ...options }, port, undefined, timers)
  const call: typeof over.call = async (method, request, now) => {
    const answer = await over.call(method, request, now)
    if (method !== 'status') return answer
    const { degraded, ...status } = answer as Status
    return { ...status, degraded: degraded.filter((line) => !line.startsWith('Nothing is kept')) } as never
  }
  const events: EngineEvent[] = []
  over.engine.subscribe((event) => events.push(event))
  return { ...over, call, timers, asked, events, embedder }
}

export const failing = () => Promise.reject(new Error('rate limited'))

export const batch = [
  { id: 'a', body: 'The jay hides acorns' },
  { id: 'b', body: 'The magpie steals spoons' },
]
