/**
 * Embeds the texts of several calls in one thread: questions before records, in steps of some milliseconds between which the thread is
 * free. A call that is aborted ends at the next step.
 */
import { recallError } from '../../src/core/model/errors.ts'
import type { Encoder } from './encoder.ts'
import { aborted, type Role } from './messages.ts'

export interface Runner {
  embed(texts: readonly string[], role: Role, signal: AbortSignal | undefined): Promise<Float32Array<ArrayBuffer>[]>
  /** Whether it can embed no more, so that another must be opened. */
  hasEnded(): boolean
  close(): void
}

interface Job {
  readonly texts: readonly string[]
  readonly role: Role
  readonly signal: AbortSignal | undefined
  readonly made: Float32Array<ArrayBuffer>[]
  running: ReturnType<Encoder['encode']> | null
  resolve(vectors: Float32Array<ArrayBuffer>[]): void
  reject(error: unknown): void
}

/** Longest work (ms) without a pause, in which a question or an abort arrives. A step takes up to 6 ms more. */
const mostMs = 8

export function createRunner(load: () => Promise<Encoder>): Runner {
  const waiting: Record<Role, Job[]> = { query: [], document: [] }
  let loading: Promise<Encoder> | undefined
  let isRunning = false
  let isClosed = false

  const next = () => waiting.query[0] ?? waiting.document[0]
  const end = (job: Job, settle: () => void) => {
    waiting[job.role].splice(waiting[job.role].indexOf(job), 1)
    settle()
  }
  const step = (encoder: Encoder, job: Job) => {
    if (isClosed) return end(job, () => job.reject(closed()))
    if (job.signal?.aborted) return end(job, () => job.reject(aborted()))
    const text = job.texts[job.made.length]
    if (text === undefined) return end(job, () => job.resolve(job.made))
    job.running ??= encoder.encode(text, job.role)
    const { done, value } = job.running.next()
    if (done !== true) return
    job.made.push(value)
    job.running = null
  }
  const run = async () => {
    isRunning = true
    try {
      loading ??= load()
      const encoder = await loading
      let since = performance.now()
      for (let job = next(); job !== undefined; job = next()) {
        step(encoder, job)
        if (performance.now() - since < mostMs) continue
        await pause()
        since = performance.now()
      }
    } catch (error) {
      loading = undefined
      for (let job = next(); job !== undefined; job = next()) {
        const failed = job
        end(failed, () => failed.reject(error))
      }
    } finally {
      isRunning = false
    }
  }
  return {
    hasEnded: () => false,
    embed: (texts, role, signal) =>
      new Promise((resolve, reject) => {
        waiting[role].push({ texts, role, signal, made: [], running: null, resolve, reject })
        if (!isRunning) void run()
      }),
    close() {
      isClosed = true
      loading = undefined
    },
  }
}

function closed() {
  return recallError('CLOSED', 'The embedder is closed', { hint: 'Create a new embedder.' })
}

/** Lets messages and timers run. A timer of 0 ms would wait for 4. */
function pause(): Promise<void> {
  if (typeof setImmediate === 'function') return new Promise((resolve) => void setImmediate(resolve))
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })
}

declare const setImmediate: ((run: () => void) => unknown) | undefined
