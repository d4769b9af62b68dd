/**
 * Makes in the page the vectors that the app's embedder could not make in time. The engine tells the page of the tab that
 * leads how many records wait; where several clients of that page have the store open, one of them works at a time.
 */
import { type CatchUp, createCatchUp } from '../../protocol/catch-up.ts'
import type { Timers } from '../../protocol/timers.ts'
import type { Calls } from '../calls/run-calls.ts'
import type { EngineLink } from '../link/engine-link.ts'
import type { PageEmbedder } from './embed-records.ts'
import { packMade } from './pack-made.ts'

export interface PageCatchUp extends Pick<CatchUp, 'problem'> {
  /** So many records wait, as the engine says. */
  told(pending: number): void
}

/** Ends with the signal. */
export function openPageCatchUp(
  link: EngineLink,
  calls: Calls,
  embedder: PageEmbedder,
  signal: AbortSignal,
  timers?: Timers,
): PageCatchUp {
  let pending = 0
  const catchUp = createCatchUp({
    embedder,
    signal,
    timers,
    async next(after, limit) {
      if (!isFirst()) return { records: [], after }
      const request = { after, done: 0, total: 0, byCaller: true, pending: true, limit }
      return calls.run(undefined, (send) => send('embedNext', request))
    },
    attach(made, done) {
      const { records, transfer } = packMade(made, embedder.dimensions)
      const total = Math.max(pending + done, done + records.length)
      return calls.run(undefined, (send) => send('attachVectors', { records, done, total }, transfer))
    },
  })
  const line = lines.get(link) ?? []
  lines.set(link, line)
  const begin = () => pending > 0 && catchUp.begin()
  line.push(begin)
  const isFirst = () => line[0] === begin
  signal.addEventListener('abort', () => {
    const was = line.indexOf(begin)
    line.splice(was, 1)
    if (was === 0) line[0]?.()
  })
  return {
    problem: catchUp.problem,
    told(count) {
      pending = count
      if (isFirst()) begin()
    },
  }
}

/** Who of the clients of one engine works, and who does when that one ends. */
const lines = new WeakMap<EngineLink, (() => unknown)[]>()
