/**
 * Wraps an embedder for engine and client: each call has a deadline, each answer is checked, and a failure is followed by a pause.
 * Failures are returned as values, so that a failing embedder does not reject calls of the app.
 */
import { problemOf, RecallError, recallError } from '../core/model/errors.ts'
import type { Embedder } from './embedder.ts'
import type { EmbeddingPort } from './engine-options.ts'
import { realTimers, type Timers } from './timers.ts'

/** Result of one call. */
export type Embedded =
  /** One element per text, in the order of the texts: a vector, or the error of this text. */
  | { readonly kind: 'made'; readonly vectors: readonly (Float32Array | RecallError)[] }
  /** This embedder makes no vectors. */
  | { readonly kind: 'none' }
  | { readonly kind: 'failed'; readonly error: RecallError }

export interface EmbedCall {
  /** Signal of the caller. If it is aborted, the call rejects with its reason; this does not count as a failure. */
  readonly signal?: AbortSignal | undefined
  /** True: calls the embedder also in a pause, and a failure starts no pause. For background work and for `reembed`. */
  readonly insist?: boolean | undefined
}

export interface GuardedEmbedder {
  readonly space: string
  embed(texts: readonly string[], role: 'query' | 'document', call?: EmbedCall): Promise<Embedded>
  /** Returns the error of the last call without `insist`, or of the embedder itself; null if a later call succeeded. */
  failure(): RecallError | null
  /** Why only some texts can be embedded, as a line for `status().degraded`; null if nothing is missing. */
  limit?(): string | null
  /** Adds a listener that is called when a call succeeds after a failure. */
  onRecovery(listener: () => void): void
}

export interface GuardSettings {
  /** Deadline of one call (ms). */
  readonly deadlineMs: number
  readonly timers?: Timers | undefined
}

/** Length of the first pause (ms), which doubles with each further failure, and of the longest. */
export const firstPauseMs = 1_000
export const longestPauseMs = 300_000

type GuardedPart = Pick<Embedder, 'space' | 'dimensions' | 'embed'> & Pick<EmbeddingPort, 'failure'>

export function guardEmbedder(
  { space, dimensions, embed, failure: ended }: GuardedPart,
  { deadlineMs, timers = realTimers }: GuardSettings,
): GuardedEmbedder {
  const listeners = new Set<() => void>()
  let failure: RecallError | null = null
  let pauseMs = firstPauseMs
  let isPaused = false
  // After a pause a single call tries the embedder, because it may still hang.
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
    failure: () => failure ?? ended?.() ?? null,
    onRecovery: (listener) => void listeners.add(listener),
    async embed(texts, role, { signal, insist = false } = {}) {
      signal?.throwIfAborted()
      if (texts.length === 0) return { kind: 'made', vectors: [] }
      if (failure !== null && !insist && (isPaused || isProbing)) return { kind: 'failed', error: failure }
      const probes = failure !== null && !insist
      if (probes) isProbing = true
      try {
        const answer = await withDeadline((own) => embed(texts, role, { signal: own }), { signal, deadlineMs, timers })
        const checked = checkAnswer(answer, texts.length, { space, dimensions })
        if (checked.kind === 'failed') return insist ? checked : failed(checked.error)
        succeeded()
        return checked
      } catch (error) {
        signal?.throwIfAborted()
        const own = typed(error, space, deadlineMs)
        return insist ? { kind: 'failed', error: own } : failed(own)
      } finally {
        if (probes) isProbing = false
      }
    },
  }
}

/** Maximum number of texts of one call, so that a slow embedder keeps its deadline and messages stay small. */
const batchTexts = 256

/** Embeds documents in batches. If a batch fails, later batches are not tried, and their texts get the same error. */
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

/** Returns the lines of `status().degraded` for an embedder. `problem`: why records wait for vectors, if that is known. */
export function failureLines(
  { space, failure, limit }: GuardedEmbedder,
  problem: RecallError | null,
): readonly string[] {
  const failed = failure()
  if (failed !== null)
    return [`queries and new texts use only their words until the embedder ${space} works: ${problemOf(failed)}`]
  const limited = limit?.() ?? null
  if (limited !== null) return [limited]
  return problem === null ? [] : [`vectors of ${space} could not be made: ${problemOf(problem)}`]
}

const late = Symbol('late')

/** Runs the work until it ends, the caller aborts or the deadline passes. The latter two also abort the work's own signal. */
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
    // Called in a `then`, so that an embedder that throws is handled like one that rejects.
    return await Promise.race([Promise.resolve().then(() => work(controller.signal)), ended])
  } finally {
    cancel()
    signal?.removeEventListener('abort', onAbort)
  }
}

function checkAnswer(
  answer: unknown,
  expected: number,
  { space, dimensions }: Pick<Embedder, 'space' | 'dimensions'>,
): Embedded {
  if (Array.isArray(answer) && answer.length === 0) return { kind: 'none' }
  if (!Array.isArray(answer) || answer.length !== expected) {
    const problem = `of ${space} must make ${expected} vectors of ${expected} texts, got ${countOf(answer)}`
    const hint = 'Let it resolve to one vector for each text, or to an empty array.'
    return { kind: 'failed', error: recallError('INVALID_CONFIG', problem, { field, hint }) }
  }
  // `map` would skip the holes of a sparse array.
  const vectors = Array.from(answer, (vector: unknown) => checkVector(vector, space, dimensions))
  const [first] = vectors
  // If all vectors are wrong, the embedder is the cause and not a single text.
  if (first instanceof RecallError && vectors.every((vector) => vector instanceof RecallError))
    return { kind: 'failed', error: first }
  return { kind: 'made', vectors }
}

const field = 'embedder.embed'

function countOf(answer: unknown): string {
  return Array.isArray(answer) ? String(answer.length) : answer === null ? 'null' : `a value of type ${typeof answer}`
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

/** Returns a `RecallError` unchanged, and another error of the app's embedder as one that quotes its message. */
function typed(error: unknown, space: string, deadlineMs: number): RecallError {
  if (error === late) {
    return recallError('DEADLINE_EXCEEDED', `of ${space} gave no answer within ${deadlineMs} ms`, {
      field,
      hint: `Make the embedder faster, or give it a larger timeoutMs. ${storeWithout}`,
    })
  }
  if (error instanceof RecallError) return error
  return recallError('INVALID_CONFIG', `of ${space} failed: ${reasonOf(error)}`, {
    field,
    hint: `Try again when the embedder works. ${storeWithout}`,
  })
}

/** Characters of a message that are quoted. Some servers answer with a whole page, and receipts and `status()` repeat the reason. */
const longestReason = 500

/** Quotes any value that an embedder may throw; reading it may throw again. */
function reasonOf(error: unknown): string {
  let reason: string
  try {
    reason = String(error instanceof Error ? error.message || error.name : error)
  } catch {
    reason = 'its error cannot be read'
  }
  return reason.length > longestReason ? `${reason.slice(0, longestReason)}…` : reason
}

const storeWithout = `Use embedderFailure: 'store-without' to store the text at once and its vectors later.`
