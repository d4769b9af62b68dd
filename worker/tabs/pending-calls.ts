/**
 * The calls of this tab that wait for the leader. Each is sent to one leader at a time, and to the next leader if that is
 * safe. It ends with its answer, its deadline, its abort, or an error that ends all calls.
 */
import { RecallError, recallError } from '../../src/core/model/errors.ts'
import type { Status } from '../../src/core/model/status.ts'
import { tuning } from '../../src/core/model/tuning.ts'
import { createDeadlines } from '../../src/protocol/deadlines.ts'
import type { RequestContext } from '../../src/protocol/engine-api.ts'
import type { EngineEvent } from '../../src/protocol/events.ts'
import { deadlineOf, mayRepeat, mayWrite } from '../../src/protocol/methods.ts'
import { isAnswerOf } from './check-answer.ts'
import type { Call, RemoteMethod, TabAnswer } from './messages.ts'
import type { Place } from './refusals.ts'

export interface PendingCalls {
  /** Registers a call and waits for its answer. `send` or `carryOut` must follow. */
  add(method: RemoteMethod, request: unknown, context: RequestContext): Promise<unknown>
  /** Sends this leader all calls that it does not have yet. Rejects calls with LEADER_LOST that an earlier leader may have done and that are not safe to repeat. */
  send(leader: string, post: (call: Call) => void): void
  /** Runs all calls with this tab's own engine, by the same rule. */
  carryOut(call: (method: RemoteMethod, request: unknown, context: RequestContext) => Promise<unknown>): void
  /** Handles an answer of this leader. Ignores answers to calls that are not pending or were not sent to it. */
  answer(leader: string, id: string, answer: TabAnswer): void
  /** Restarts the deadlines of the calls that wait for a long operation when it reports progress. */
  hear(event: EngineEvent): void
  /** Rejects all calls, or all except those of one method, each with its own copy of the error. */
  end(error: unknown, except?: RemoteMethod): void
}

interface Pending {
  readonly method: RemoteMethod
  readonly request: unknown
  /** Without its signal, which cannot be posted. */
  readonly context: RequestContext
  readonly signal: AbortSignal | undefined
  /** The leader that the call was sent to last; null: not sent yet. */
  sentTo: string | null
  /** An earlier leader may have done it, so an abort no longer cancels a write: its repetition returns the stored outcome. */
  isRepeated: boolean
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** `cancel` is called for a sent call that no caller waits for any more: it was aborted, or its deadline passed. */
export function createPendingCalls(cancel: (leader: string, id: string) => void, place: Place = 'tab'): PendingCalls {
  const deadlines = createDeadlines()
  const pending = new Map<string, Pending>()
  let count = 0

  const finish = (id: string, use: (call: Pending) => void) => {
    const call = pending.get(id)
    if (!pending.delete(id) || call === undefined) return
    use(call)
  }

  /** Calls that this leader does not have. Rejects those that are not safe to repeat. */
  const unsentTo = (leader: string) => {
    const unsent: [string, Pending][] = []
    for (const [id, call] of pending) {
      if (call.sentTo === leader) continue
      if (call.sentTo === null || mayAskAgain(call)) unsent.push([id, call])
      else finish(id, ({ reject, method }) => reject(leaderLost(method, place)))
    }
    return unsent
  }

  return {
    add(method, request, context) {
      count += 1
      const id = String(count)
      const { signal, ...shared } = context
      const giveUp = (why: (call: Pending) => unknown) =>
        finish(id, (call) => {
          if (call.sentTo !== null) cancel(call.sentTo, id)
          call.reject(why(call))
        })
      const onAbort = () => {
        const call = pending.get(id)
        const leader = call?.sentTo ?? null
        if (leader === null || !mayWrite(method, request)) giveUp(() => signal?.reason)
        // Only the leader knows whether the write was done: its answer ends the call.
        else if (call?.isRepeated !== true) cancel(leader, id)
      }
      let stop = () => {}
      const answered = new Promise<unknown>((resolve, reject) => {
        pending.set(id, { method, request, context: shared, signal, sentTo: null, isRepeated: false, resolve, reject })
        stop = deadlines.start(deadlineOf(method, tuning.deadlineMs), () => giveUp((call) => tooLate(call, place)))
        signal?.addEventListener('abort', onAbort)
        if (signal?.aborted) onAbort()
      })
      return answered.finally(() => {
        stop()
        signal?.removeEventListener('abort', onAbort)
      })
    },
    hear: deadlines.hear,
    send(leader, post) {
      for (const [id, call] of unsentTo(leader)) {
        call.isRepeated ||= call.sentTo !== null
        call.sentTo = leader
        const { method, request, context } = call
        post({ type: 'call', id, method, request, context })
      }
    },
    carryOut(run) {
      for (const [id] of unsentTo('')) {
        finish(id, ({ method, request, context, signal, sentTo, resolve, reject }) => {
          const isRepeatedWrite = sentTo !== null && mayWrite(method, request)
          run(method, request, { ...context, signal: isRepeatedWrite ? undefined : signal }).then(resolve, reject)
        })
      }
    },
    answer(leader, id, answer) {
      if (pending.get(id)?.sentTo !== leader) return
      finish(id, ({ method, resolve, reject }) => {
        if (answer.kind === 'value' && !isAnswerOf(method, answer.value)) reject(unreadable(method))
        else if (answer.kind === 'value') resolve(method === 'status' ? asFollower(answer.value) : answer.value)
        else reject(answer.kind === 'error' ? new RecallError(answer.error) : faultOf(answer))
      })
    },
    end(error, except) {
      for (const [id, { method }] of pending) {
        if (method !== except)
          finish(id, ({ reject }) => reject(error instanceof RecallError ? new RecallError(error.toDetails()) : error))
      }
    },
  }
}

/** The leader's status as this tab reports it: only the role differs. */
function asFollower(status: unknown): unknown {
  return { ...(status as Status), role: 'follower' } satisfies Status
}

/** An aborted call is not repeated. */
function mayAskAgain({ method, context, signal }: Pending): boolean {
  return signal?.aborted !== true && mayRepeat(method, context.operation)
}

function unreadable(method: RemoteMethod): RecallError {
  return recallError('LEADER_LOST', `The answer to ${method} is invalid`, {
    hint: 'Remove the script of this origin that posts to the tabs of this store. Then check whether the write was done.',
  })
}

function leaderLost(method: RemoteMethod, place: Place): RecallError {
  return recallError('LEADER_LOST', `The ${place} that had the store open ended before it answered ${method}`, {
    hint: 'Check whether the write was done, then try again.',
  })
}

function tooLate({ method, sentTo }: Pending, place: Place): RecallError {
  const deadlineMs = deadlineOf(method, tuning.deadlineMs)
  const problem =
    sentTo === null
      ? `No ${place} had the store open to answer ${method} within ${deadlineMs} ms`
      : `The ${place} that has the store open did not answer ${method} within ${deadlineMs} ms`
  return recallError('DEADLINE_EXCEEDED', problem, {
    hint: `${place === 'tab' ? 'Close other tabs of this app' : 'End that process'}, then try again. A write may already be done.`,
  })
}

function faultOf({ name, message }: TabAnswer & { readonly kind: 'fault' }): Error {
  return Object.assign(new Error(message), { name })
}
