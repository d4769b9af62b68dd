/**
 * Shares the thread between stores. Each store has room for a few light calls or one heavy call at a time; its other calls wait in order. While
 * other stores are in use, a store pauses after a heavy call for as long as the call took: handling a request takes several turns of the event loop, and
 * without the pause each of them would wait for a heavy call.
 */
import { isPlainObject } from '../../core/model/plain-object.ts'
import type { CallRequest } from '../../protocol/engine-host.ts'

export interface Share {
  /** Runs the work when there is room for it. */
  run<T>(weight: number, work: () => Promise<T>): Promise<T>
  /** Number of calls that wait or run. */
  size(): number
}

/** Weights that a store may have at work: 16 answers of the usual size, or one of the largest. */
export const room = 16

/** `isAlone`: whether no other store is in use. */
export function createShare(isAlone: () => boolean): Share {
  const waiting: { readonly weight: number; readonly start: () => void }[] = []
  let used = 0
  let running = 0
  const startNext = () => {
    while (waiting.length > 0 && (used === 0 || used + waiting[0]!.weight <= room)) {
      const { weight, start } = waiting.shift()!
      used += weight
      running++
      start()
    }
  }
  return {
    async run(weight, work) {
      await new Promise<void>((start) => {
        waiting.push({ weight, start })
        startNext()
      })
      const from = performance.now()
      try {
        return await work()
      } finally {
        const tookMs = performance.now() - from
        running--
        const leave = () => {
          used -= weight
          startNext()
        }
        // At the earliest after the answer was sent and events of other connections were heard.
        if (weight < room || isAlone()) setImmediate(leave)
        else setTimeout(leave, Math.min(tookMs, mostPauseMs))
      }
    },
    size: () => waiting.length + running,
  }
}

const mostPauseMs = 1_000

/** From 1 to `room`: about the number of records that the call reads or writes at once, in tens. */
export function weightOf({ method, request }: CallRequest): number {
  const given = isPlainObject(request) ? request : {}
  const query = isPlainObject(given['query']) ? given['query'] : isPlainObject(given['filter']) ? given['filter'] : {}
  if (heavy.has(method) || query['ledger'] === true || query['explain'] === true || query['capture'] === true)
    return room
  const limit = typeof query['limit'] === 'number' ? query['limit'] : 0
  const records = Math.max(limit, countOf(given['batch']), countOf(given['ids']), countOf(given['records']))
  return Math.max(1, Math.min(room, Math.ceil(records / 10)))
}

function countOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0
}

/** They read or write the whole store, or a large part of it, in each step. */
const heavy: ReadonlySet<CallRequest['method']> = new Set([
  'exportPart',
  'importPart',
  'finishImport',
  'integrityCheck',
  'compact',
  'retain',
  'embedNext',
])
