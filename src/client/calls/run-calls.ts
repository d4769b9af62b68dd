/**
 * Runs calls and ends each exactly once: by its answer, its deadline, its caller's signal, or the end of the client.
 * `recall-client.ts` decides what is sent.
 */
import { type RecallError, recallError } from '../../core/model/errors.ts'
import { copyOf } from '../../core/model/shared-errors.ts'
import { createDeadlines } from '../../protocol/deadlines.ts'
import type { Answer, Arguments, Method } from '../../protocol/engine-api.ts'
import { unwrap } from '../../protocol/envelope.ts'
import { deadlineOf, mayWrite } from '../../protocol/methods.ts'
import type { CallOptions } from '../api/recall.ts'
import { aborted } from '../link/aborted.ts'
import type { EngineLink } from '../link/engine-link.ts'
import { onAbort } from '../link/on-abort.ts'
import { refuseAborted } from './check-options.ts'

export interface CallSettings {
  readonly link: EngineLink
  readonly now: () => number
  /** Deadline of a request (ms). */
  readonly deadlineMs: number
  /** Unique among all clients of the store; part of the ids of requests and operations. */
  readonly clientId: string
}

/** Sends one request and resolves to its answer. `transfer` lists buffers to transfer. */
export type Send = <V extends Method>(
  method: V,
  request: Arguments<V>,
  transfer?: readonly ArrayBuffer[],
) => Promise<Answer<V>>

export interface Calls {
  /**
   * Runs one call of the app. When the call ends, all its requests end. `signal` returns a signal for work that takes one. `explain`
   * may add to the error of the call.
   */
  run<T>(
    options: CallOptions | undefined,
    work: (send: Send, signal: () => AbortSignal) => Promise<T>,
    explain?: (error: unknown) => unknown,
  ): Promise<T>
  /** Ends all running calls and refuses later ones with this error. */
  end(error: RecallError): void
}

export function createCalls({ link, now, deadlineMs: shortMs, clientId }: CallSettings): Calls {
  const running = new Set<(error: RecallError) => void>()
  const deadlines = createDeadlines()
  const stopHearing = link.subscribe(deadlines.hear)
  let ended: RecallError | undefined
  let sent = 0
  return {
    async run(options, work, explain = (error) => error) {
      if (ended) throw copyOf(ended)
      const callerSignal = refuseAborted(options)
      const pending = new Set<string>()
      // Only the engine knows whether a write was done. So from the first write on, its answer ends an aborted call.
      let isWriting = false
      let stopped: RecallError | undefined
      let controller: AbortController | undefined
      let end: (error: RecallError) => void = () => {}
      const ending = new Promise<never>((_, reject) => {
        end = reject
      })
      /** Cancels the pending requests and sends no others. Then the call rejects at once, or else when its work ends. */
      const stop = (error: RecallError, atOnce = true) => {
        if (atOnce) end(error)
        stopped ??= error
        controller?.abort(error)
        for (const id of pending) link.cancel(id)
      }
      const send: Send = async (method, request, transfer) => {
        if (stopped) throw stopped
        sent += 1
        const id = `${clientId}:${sent}`
        const deadlineMs = deadlineOf(method, shortMs)
        const stopWatch = deadlines.start(deadlineMs, () => stop(tooLate(method, deadlineMs)))
        pending.add(id)
        isWriting ||= mayWrite(method, request)
        try {
          const context = { now: now(), operation: id }
          return unwrap(await link.call({ id, method, request, context, deadlineMs }, transfer)) as Answer<
            typeof method
          >
        } finally {
          stopWatch()
          pending.delete(id)
        }
      }
      // Created when needed, because most calls need no signal.
      const signal = () => {
        controller ??= new AbortController()
        if (stopped) controller.abort(stopped)
        return controller.signal
      }
      running.add(stop)
      const unlisten = callerSignal && onAbort(callerSignal, () => stop(aborted(), !isWriting))
      try {
        return await Promise.race([ending, work(send, signal)])
      } catch (error) {
        throw explain(error)
      } finally {
        running.delete(stop)
        unlisten?.()
      }
    },
    end(error) {
      ended ??= error
      stopHearing()
      for (const stop of running) stop(copyOf(error))
    },
  }
}

function tooLate(method: Method, deadlineMs: number): RecallError {
  return recallError('DEADLINE_EXCEEDED', `The engine did not answer ${method} within ${deadlineMs} ms`, {
    hint: 'Request less at once, or try again. A write may already be done.',
  })
}
