/**
 * Makes in the background the vectors that could not be made when their records were put. One bounded batch at a time, so
 * that other calls come in between. A batch that fails is followed by a pause and by a smaller batch: an embedder that is
 * slow gets less at once, and one text it cannot read holds up no other.
 */
import type { RecallError } from '../core/model/errors.ts'
import type { Unembedded } from './engine-api.ts'
import { embedAll, firstPauseMs, type GuardedEmbedder, longestPauseMs } from './guarded-embedder.ts'
import { realTimers, type Timers } from './timers.ts'

/** A record with the vectors of its pieces, in their order. */
export interface Made {
  readonly record: Unembedded
  readonly vectors: readonly Float32Array[]
}

export interface CatchUpSettings {
  readonly embedder: Pick<GuardedEmbedder, 'embed' | 'onRecovery'>
  /** Records that wait for vectors, at most `limit`, after the given place; `after` of the answer is the place of the last. */
  next(after: number, limit: number): Promise<{ readonly records: readonly Unembedded[]; readonly after: number }>
  /** Stores them. `done` counts those of this run that were stored before. */
  attach(made: readonly Made[], done: number): Promise<unknown>
  /** Aborted by the end of the store. */
  readonly signal: AbortSignal
  readonly timers?: Timers | undefined
}

export interface CatchUp {
  /** Begins, unless it is under way. Told whenever records may wait. */
  begin(): void
  /** Why the last record that was tried still waits; null when none was given up. */
  problem(): RecallError | null
}

const mostRecords = 64

export function createCatchUp({ embedder, next, attach, signal, timers = realTimers }: CatchUpSettings): CatchUp {
  let size = mostRecords
  let pauseMs = firstPauseMs
  let isRunning = false
  let wasAsked = false
  /** Where the next run begins. */
  let start = 0
  let problem: RecallError | null = null
  let cancel: (() => void) | undefined

  const turn = () => new Promise<void>((resolve) => void timers.after(0, resolve))
  const begin = () => {
    wasAsked = true
    if (isRunning || signal.aborted || cancel) return
    isRunning = true
    wasAsked = false
    void run()
      .catch(() => 'again' as const)
      .then((end) => {
        isRunning = false
        if (signal.aborted) return
        if (end === 'again') wait()
        else if (wasAsked) begin()
      })
  }
  const wait = () => {
    cancel = timers.after(pauseMs, () => {
      cancel = undefined
      begin()
    })
    pauseMs = Math.min(longestPauseMs, pauseMs * 2)
  }
  // Others were answered: the pause is over.
  embedder.onRecovery(() => {
    cancel?.()
    cancel = undefined
    begin()
  })
  signal.addEventListener('abort', () => cancel?.())

  /** `again`: records are left, and are tried after a pause. */
  async function run(): Promise<'done' | 'again'> {
    let done = 0
    let failures = 0
    // Behind the call that left records waiting.
    await turn()
    let isLeft = start > 0
    while (!signal.aborted) {
      const { records, after } = await next(start, size)
      if (records.length === 0) break
      const texts = records.flatMap(({ pieces }) => pieces.map(({ text }) => text))
      const embedded = await embedAll(embedder, texts, { signal, insist: true })
      // It will not make any later.
      if (embedded.kind === 'none') return 'done'
      if (embedded.kind === 'failed') {
        problem = embedded.error
        isLeft = true
        failures += 1
        if (records.length > 1) size = Math.max(1, Math.floor(records.length / 2))
        // One record alone fails: those behind it must not wait for it.
        else start = after
        if (records.length > 1 || failures > 1) return 'again'
        continue
      }
      failures = 0
      const made = madeOf(records, embedded.vectors, (error) => {
        problem = error
        isLeft = true
      })
      if (made.length > 0) await attach(made, done)
      done += made.length
      start = after
      size = Math.min(mostRecords, size * 2)
      if (made.length > 0) pauseMs = firstPauseMs
      // Calls that came meanwhile go first.
      await turn()
    }
    start = 0
    if (!isLeft) problem = null
    return isLeft ? 'again' : 'done'
  }

  return { begin, problem: () => problem }
}

/** Records all of whose vectors can be used. */
export function madeOf(
  records: readonly Unembedded[],
  vectors: readonly (Float32Array | RecallError)[],
  refuse: (error: RecallError) => void,
): readonly Made[] {
  let from = 0
  return records.flatMap((record): Made[] => {
    const own = vectors.slice(from, from + record.pieces.length)
    from += record.pieces.length
    const good = own.filter((vector) => vector instanceof Float32Array)
    if (good.length === own.length) return [{ record, vectors: good }]
    refuse(own.find((vector) => !(vector instanceof Float32Array)) as RecallError)
    return []
  })
}
