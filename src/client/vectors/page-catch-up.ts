/**
 * Makes missing vectors of stored records with the app's embedder. The engine reports the number of waiting records to the page of the
 * leader tab. If several clients of this page have the store open, only one of them works at a time.
 */
import { type CatchUp, createCatchUp } from '../../protocol/catch-up.ts'
import type { Timers } from '../../protocol/timers.ts'
import type { Calls } from '../calls/run-calls.ts'
import type { EngineLink } from '../link/engine-link.ts'
import type { PageEmbedder } from './embed-records.ts'
import { packMade } from './pack-made.ts'

export interface PageCatchUp extends Pick<CatchUp, 'problem'> {
  /** Records a second in the last batch; null before the first. */
  perSecond(): number | null
  /** Sets the number of waiting records, as the engine reports it. */
  setPending(pending: number): void
}

/** Runs until the signal is aborted. */
export function openPageCatchUp(
  link: EngineLink,
  calls: Calls,
  embedder: PageEmbedder,
  signal: AbortSignal,
  timers?: Timers,
): PageCatchUp {
  let pending = 0
  let since = performance.now()
  let perSecond: number | null = null
  const catchUp = createCatchUp({
    embedder,
    signal,
    timers,
    most: embedder.isLater ? mostSlow : undefined,
    async next(after, limit) {
      if (!isFirst()) return { records: [], after }
      since = performance.now()
      const request = { after, done: 0, total: 0, byCaller: true, pending: true, limit }
      return calls.run(undefined, (send) => send('embedNext', request))
    },
    attach(made, done) {
      perSecond = Math.round((made.length * 1e5) / Math.max(1, performance.now() - since)) / 100
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
    const index = line.indexOf(begin)
    line.splice(index, 1)
    if (index === 0) line[0]?.()
  })
  return {
    problem: catchUp.problem,
    perSecond: () => perSecond,
    setPending(count) {
      pending = count
      if (isFirst()) begin()
    },
  }
}

/** Records of a batch of a slow embedder: about a second of work is lost when the page closes. */
const mostSlow = 16

/** Clients of one engine in the order of opening. The first one works; when it ends, the next one takes over. */
const lines = new WeakMap<EngineLink, (() => unknown)[]>()
