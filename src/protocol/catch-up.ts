/**
 * Makes missing vectors of stored records in the background. It embeds one bounded batch at a time, so that other calls can run in
 * between. After a failed batch it pauses and tries a smaller one: a slow embedder gets fewer texts at once, and a text that it cannot
 * embed does not delay the others.
 */
import type { RecallError } from '../core/model/errors.ts'
import type { Unembedded } from './engine-api.ts'
import { embedAll, firstPauseMs, type GuardedEmbedder, longestPauseMs } from './guarded-embedder.ts'
import { realTimers, type Timers } from './timers.ts'

/** A record with the vectors of its chunks, in the order of the chunks. */
export interface Made {
  readonly record: Unembedded
  readonly vectors: readonly Float32Array[]
}

export interface CatchUpSettings {
  readonly embedder: Pick<GuardedEmbedder, 'embed' | 'onRecovery'>
  /** Returns at most `limit` records that wait for vectors, after the key `after`; `after` of the answer is the key of the last one. */
  next(after: number, limit: number): Promise<{ readonly records: readonly Unembedded[]; readonly after: number }>
  /** Stores vectors. `done` is the number of records that this run has stored before. */
  attach(made: readonly Made[], done: number): Promise<unknown>
  /** Aborted when the store closes. */
  readonly signal: AbortSignal
  readonly timers?: Timers | undefined
  /** Maximum number of records of a batch: what is lost when the store closes. Default 64. */
  readonly most?: number | undefined
}

export interface CatchUp {
  /** Starts a run, unless one is running. Call it whenever records may wait for vectors. */
  begin(): void
  /** Why the last tried record still waits; null if no record failed. */
  problem(): RecallError | null
}

const mostRecords = 64

export function createCatchUp({
  embedder,
  next,
  attach,
  signal,
  timers = realTimers,
  most = mostRecords,
}: CatchUpSettings): CatchUp {
  let size = most
  let pauseMs = firstPauseMs
  let isRunning = false
  let wasAsked = false
  /** Key after which the next run begins. */
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
  // The embedder answered another call: it works again, so the pause ends.
  embedder.onRecovery(() => {
    cancel?.()
    cancel = undefined
    begin()
  })
  signal.addEventListener('abort', () => cancel?.())

  /** Returns `again` if records are left, which are tried after a pause. */
  async function run(): Promise<'done' | 'again'> {
    let done = 0
    let failures = 0
    // Let the call that left these records finish first.
    await turn()
    let isLeft = start > 0
    while (!signal.aborted) {
      const { records, after } = await next(start, size)
      if (records.length === 0) break
      const texts = records.flatMap(({ chunks }) => chunks.map(({ text }) => text))
      const embedded = await embedAll(embedder, texts, { signal, insist: true })
      // This embedder makes no vectors at all.
      if (embedded.kind === 'none') return 'done'
      if (embedded.kind === 'failed') {
        problem = embedded.error
        isLeft = true
        failures += 1
        if (records.length > 1) size = Math.max(1, Math.floor(records.length / 2))
        // A single record fails: go on with the records after it.
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
      size = Math.min(most, size * 2)
      if (made.length > 0) pauseMs = firstPauseMs
      // Let calls run that arrived in the meantime.
      await turn()
    }
    start = 0
    if (!isLeft) problem = null
    return isLeft ? 'again' : 'done'
  }

  return { begin, problem: () => problem }
}

/** Returns the records that have all their vectors, and calls `refuse` for the others. */
export function madeOf(
  records: readonly Unembedded[],
  vectors: readonly (Float32Array | RecallError)[],
  refuse: (error: RecallError) => void,
): readonly Made[] {
  let from = 0
  return records.flatMap((record): Made[] => {
    const own = vectors.slice(from, from + record.chunks.length)
    from += record.chunks.length
    const good = own.filter((vector) => vector instanceof Float32Array)
    if (good.length === own.length) return [{ record, vectors: good }]
    refuse(own.find((vector) => !(vector instanceof Float32Array)) as RecallError)
    return []
  })
}
