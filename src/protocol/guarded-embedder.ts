/**
 * An embedder as engine and client call it: each call has a deadline, each answer is checked, and after a failure the
 * embedder gets a pause. Its failures are values here: nothing that an embedder does can reject a call of the app.
 */
import { problemOf, RecallError, recallError } from '../core/model/errors.ts'
import type { Embedder } from './embedder.ts'
import { realTimers, type Timers } from './timers.ts'

/** What came of one call. */
export type Embedded =
  /** One per text, in their order: a vector, or why this one cannot be used. */
  | { readonly kind: 'made'; readonly vectors: readonly (Float32Array | RecallError)[] }
  /** This embedder makes no vectors. */
  | { readonly kind: 'none' }
  | { readonly kind: 'failed'; readonly error: RecallError }

export interface EmbedCall {
  /** The caller's own; when it is aborted, the call rejects with its reason, and that counts as no failure. */
  readonly signal?: AbortSignal | undefined
  /** Calls the embedder even in its pause, and makes no pause of its failure: for work that nobody waits for, or that was asked for by name. */
  readonly insist?: boolean | undefined
}

export interface GuardedEmbedder {
  readonly space: string
  embed(texts: readonly string[], role: 'query' | 'document', call?: EmbedCall): Promise<Embedded>
  /** Why the last call failed that did not insist; null since one succeeded. */
  failure(): RecallError | null
  /** Told when a call succeeds after one that failed. */
  onRecovery(listener: () => void): void
}

export interface GuardSettings {
  /** ms one call may take. */
  readonly deadlineMs: number
  readonly timers?: Timers | undefined
}

/** ms of the first pause, doubled with each failure that follows, and of the longest. */
export const firstPauseMs = 1_000
export const longestPauseMs = 300_000

export function guardEmbedder(
  { space, dimensions, embed }: Pick<Embedder, 'space' | 'dimensions' | 'embed'>,
  { deadlineMs, timers = realTimers }: GuardSettings,
): GuardedEmbedder {
  const listeners = new Set<() => void>()
  let failure: RecallError | null = null
  let pauseMs = firstPauseMs
  let isPaused = false
  // After a pause one call tries; the others do not wait for an embedder that may hang.
  let isProbing = false

  const failed = (error: RecallError): Embedded => {
    failure = error
    if (!isPaused) {
      isPaused = true
      timers.after(pauseMs, () => {
        isPaused = false
      })
      pauseMs = Math.min(longestPauseMs, pauseMs * 2)
    }
    return { kind: 'failed', error }
  }
  const succeeded = () => {
    pauseMs = firstPauseMs
    if (failure === null) return
    failure = null
    for (const listener of listeners) listener()
  }

  return {
    space,
    failure: () => failure,
    onRecovery: (listener) => void listeners.add(listener),
    async embed(texts, role, { signal, insist = false } = {}) {
      signal?.throwIfAborted()
      if (texts.length === 0) return { kind: 'made', vectors: [] }
      if (failure !== null && !insist && (isPaused || isProbing)) return { kind: 'failed', error: failure }
      const probes = failure !== null && !insist
      if (probes) isProbing = true
      try {
        const made = await withDeadline((own) => embed(texts, role, { signal: own }), { signal, deadlineMs, timers })
        const checked = checkMade(made, texts.length, { space, dimensions })
        if (checked.kind === 'failed') return insist ? checked : failed(checked.error)
        succeeded()
        return checked
      } catch (error) {
        signal?.throwIfAborted()
        const told = typed(error, space, deadlineMs)
        return insist ? { kind: 'failed', error: told } : failed(told)
      } finally {
        if (probes) isProbing = false
      }
    },
  }
}

/** Texts of one call: what a slow embedder does within its deadline, and no message that is too large. */
const batchTexts = 256

/** The vectors of documents, in batches. After the first batch that fails, no other is tried: its texts have the same error. */
export async function embedAll(
  embedder: Pick<GuardedEmbedder, 'embed'>,
  texts: readonly string[],
  call?: EmbedCall,
): Promise<Embedded> {
  const vectors: (Float32Array | RecallError)[] = []
  for (let from = 0; from < texts.length; from += batchTexts) {
    const embedded = await embedder.embed(texts.slice(from, from + batchTexts), 'document', call)
    if (embedded.kind === 'none') return embedded
    if (embedded.kind === 'made') {
      vectors.push(...embedded.vectors)
      continue
    }
    if (from === 0) return embedded
    return { kind: 'made', vectors: [...vectors, ...texts.slice(from).map(() => embedded.error)] }
  }
  return { kind: 'made', vectors }
}

/** The lines of `status().degraded` for an embedder; `problem`: why records wait, where that is known. */
export function failureLines({ space, failure }: GuardedEmbedder, problem: RecallError | null): readonly string[] {
  const failed = failure()
  if (failed !== null)
    return [`questions and new texts go by words alone until the embedder ${space} works: ${problemOf(failed)}`]
  return problem === null ? [] : [`vectors of ${space} could not be made: ${problemOf(problem)}`]
}

const late = Symbol('late')

/** Ends with the work, the caller's signal or the deadline, whichever is first; the work's own signal says so too. */
async function withDeadline<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { signal, deadlineMs, timers }: { signal: AbortSignal | undefined; deadlineMs: number; timers: Timers },
): Promise<T> {
  const controller = new AbortController()
  let onAbort = () => {}
  let cancel = () => {}
  const ended = new Promise<never>((_, reject) => {
    onAbort = () => {
      controller.abort(signal?.reason)
      reject(signal?.reason as Error)
    }
    signal?.addEventListener('abort', onAbort)
    cancel = timers.after(deadlineMs, () => {
      controller.abort(late)
      reject(late)
    })
  })
  try {
    // In its own turn: one that throws instead of rejecting fails the same way.
    return await Promise.race([Promise.resolve().then(() => work(controller.signal)), ended])
  } finally {
    cancel()
    signal?.removeEventListener('abort', onAbort)
  }
}

function checkMade(
  made: unknown,
  expected: number,
  { space, dimensions }: Pick<Embedder, 'space' | 'dimensions'>,
): Embedded {
  if (Array.isArray(made) && made.length === 0) return { kind: 'none' }
  if (!Array.isArray(made) || made.length !== expected) {
    const problem = `of ${space} must make ${expected} vectors of ${expected} texts, got ${countOf(made)}`
    const hint = 'Let it resolve to one vector for each text, or to an empty array.'
    return { kind: 'failed', error: recallError('INVALID_CONFIG', problem, { field, hint }) }
  }
  const vectors = made.map((vector: unknown) => checkVector(vector, space, dimensions))
  const [first] = vectors
  // Every one of them: that is the embedder, not a text.
  if (first instanceof RecallError && vectors.every((vector) => vector instanceof RecallError))
    return { kind: 'failed', error: first }
  return { kind: 'made', vectors }
}

const field = 'embedder.embed'

function countOf(made: unknown): string {
  return Array.isArray(made) ? String(made.length) : made === null ? 'null' : `a value of type ${typeof made}`
}

function checkVector(vector: unknown, space: string, dimensions: number): Float32Array | RecallError {
  const hint = `Let it resolve to Float32Arrays of ${dimensions} finite numbers.`
  if (!(vector instanceof Float32Array) || vector.length !== dimensions) {
    const problem = `of ${space} must make Float32Arrays of ${dimensions} numbers`
    return recallError('DIMENSION_MISMATCH', problem, { field, value: vector, hint })
  }
  const wrong = vector.find((element) => !Number.isFinite(element))
  if (wrong === undefined) return vector
  const problem = `of ${space} must make vectors of finite numbers`
  return recallError('INVALID_RECORD', problem, { field, value: wrong, hint })
}

/** An error of ours is passed on; what an app's embedder throws is told in its own words. */
function typed(error: unknown, space: string, deadlineMs: number): RecallError {
  if (error === late) {
    return recallError('DEADLINE_EXCEEDED', `of ${space} gave no answer within ${deadlineMs} ms`, {
      field,
      hint: `Make the embedder faster, or give it a larger timeoutMs. ${storeWithout}`,
    })
  }
  if (error instanceof RecallError) return error
  const told = error instanceof Error ? error.message || error.name : String(error)
  return recallError('INVALID_CONFIG', `of ${space} failed: ${told}`, {
    field,
    hint: `Try again when the embedder works. ${storeWithout}`,
  })
}

const storeWithout = `Use embedderFailure: 'store-without' to store the text at once and its vectors later.`
