/**
 * Answers requests on an engine: measures their time, wraps results and errors in envelopes, and aborts calls whose caller
 * gave up. The engine reads no clock, so the time of a recall is added here.
 */

import type { PackedPackage } from '../../src/core/assemble/pack-context.ts'
import { RecallError, recallError } from '../../src/core/model/errors.ts'
import { createDeadlines } from '../../src/protocol/deadlines.ts'
import type { Arguments, Method } from '../../src/protocol/engine-api.ts'
import type { EngineCalls } from '../../src/protocol/engine-host.ts'
import type { Reply } from '../../src/protocol/envelope.ts'
import { isMethod, mayWrite, methodNames } from '../../src/protocol/methods.ts'
import type { PackedResult } from '../../src/protocol/packed-result.ts'
import type { ServedEngine } from '../tabs/port.ts'

/** Serves one engine. `call` rejects only for an error that is not a `RecallError`; such an error is a bug. */
export function answerCalls(engine: ServedEngine): EngineCalls {
  const running = new Map<string, () => void>()
  const deadlines = createDeadlines()
  engine.subscribe(deadlines.hear)
  return {
    call({ id, method, request, context, deadlineMs }) {
      if (!isMethod(method)) return replyWith(() => Promise.reject(unknownMethod(method)))
      const controller = new AbortController()
      const { signal } = controller
      let giveUp: (reason: RecallError) => void = () => {}
      const abandoned = new Promise<never>((_, reject) => {
        giveUp = (reason) => {
          controller.abort(reason)
          reject(reason)
        }
      })
      // An aborted write is answered when the engine knows whether it was done.
      const cancel = mayWrite(method, request) ? (reason: RecallError) => controller.abort(reason) : giveUp
      running.set(id, () => cancel(recallError('ABORTED', 'The caller aborted the call')))
      const stop = deadlines.start(deadlineMs, () => giveUp(tooLate(method, deadlineMs)))
      const answer = () => engine.call(method, request as Arguments<Method>, { ...context, signal })
      return replyWith(() => Promise.race([answer(), abandoned]))
        .then((reply) => (reply.ok ? withTime(method, reply) : reply))
        .finally(() => {
          stop()
          running.delete(id)
        })
    },
    cancel(id) {
      running.get(id)?.()
    },
  }
}

/** Runs the work and wraps its result or error in an envelope. */
export async function replyWith<T>(work: () => Promise<T>): Promise<Reply<T>> {
  const startedMs = performance.now()
  try {
    const value = await work()
    return { ok: true, value, tookMs: performance.now() - startedMs }
  } catch (error) {
    if (error instanceof RecallError) return { ok: false, error: error.toDetails() }
    throw error
  }
}

/** Adds the measured time to the result of `recall` and `assemble`. */
function withTime(method: Method, reply: Reply<unknown> & { readonly ok: true }): Reply<unknown> {
  const { value, tookMs } = reply
  if (method === 'recall') return { ...reply, value: { ...(value as PackedResult), tookMs } }
  if (method !== 'assemble') return reply
  const contextPackage = value as PackedPackage
  return { ...reply, value: { ...contextPackage, metadata: { ...contextPackage.metadata, timingMs: tookMs } } }
}

function unknownMethod(method: unknown): RecallError {
  return recallError('INVALID_ARGUMENT', 'must be a method of this engine', {
    field: 'method',
    value: method,
    hint: `Use one of ${methodNames().join(', ')}.`,
  })
}

function tooLate(method: Method, deadlineMs: number): RecallError {
  return recallError('DEADLINE_EXCEEDED', `The method ${method} took longer than ${deadlineMs} ms`, {
    hint: 'Request less, or try again.',
  })
}
