/**
 * Calls of this tab that wait for whoever has the store: each is sent to one leader at a time, sent again to the next one
 * where that is safe, and ends by its answer, by its deadline, or by an error that ends them all.
 */
import { RecallError, recallError } from '../../src/core/model/errors.ts'
import type { Status } from '../../src/core/model/result.ts'
import { tuning } from '../../src/core/model/tuning.ts'
import { createDeadlines } from '../../src/protocol/deadlines.ts'
import { afterLoss, deadlineOf, type RequestContext } from '../../src/protocol/engine-api.ts'
import type { EngineEvent } from '../../src/protocol/events.ts'
import { isAnswerOf } from './check-answer.ts'
import type { Call, RemoteMethod, TabAnswer } from './messages.ts'

export interface PendingCalls {
  /** Waits for the answer. Nothing is sent yet: `send` or `carryOut` follow. */
  add(method: RemoteMethod, request: unknown, context: RequestContext): Promise<unknown>
  /** Sends to this leader what it has not got yet. What another one may have done, and must not be done twice, is LEADER_LOST. */
  send(leader: string, post: (call: Call) => void): void
  /** Hands everything to this tab's own engine, by the same rule. */
  carryOut(call: (method: RemoteMethod, request: unknown, context: RequestContext) => Promise<unknown>): void
  /** An answer of this leader. What is not waited for, or was not asked of it, is ignored. */
  answer(leader: string, id: string, answer: TabAnswer): void
  /** Progress of a long operation gives those that wait for it their time anew. */
  hear(event: EngineEvent): void
  /** Ends all calls, or all but those of one method, each with an error of its own. */
  end(error: unknown, except?: RemoteMethod): void
}

interface Pending {
  readonly method: RemoteMethod
  readonly request: unknown
  /** As it travels: without its signal. */
  readonly context: RequestContext
  readonly signal: AbortSignal | undefined
  /** The leader that has it; null: none had it yet. */
  sentTo: string | null
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** `cancel` is told of a call that a leader has and nobody waits for any more: its caller gave up, or it took too long. */
export function createPendingCalls(cancel: (leader: string, id: string) => void): PendingCalls {
  const deadlines = createDeadlines()
  const pending = new Map<string, Pending>()
  let count = 0

  const settle = (id: string, use: (call: Pending) => void) => {
    const call = pending.get(id)
    if (!pending.delete(id) || call === undefined) return
    use(call)
  }

  /** Calls this leader has not got, less those that must not be asked twice. */
  const unsentTo = (leader: string) => {
    const unsent: [string, Pending][] = []
    for (const [id, call] of pending) {
      if (call.sentTo === leader) continue
      if (call.sentTo === null || mayAskAgain(call)) unsent.push([id, call])
      else settle(id, ({ reject, method }) => reject(leaderLost(method)))
    }
    return unsent
  }

  return {
    add(method, request, context) {
      count += 1
      const id = String(count)
      const { signal, ...shared } = context
      const giveUp = (why: (call: Pending) => unknown) =>
        settle(id, (call) => {
          if (call.sentTo !== null) cancel(call.sentTo, id)
          call.reject(why(call))
        })
      const onAbort = () => giveUp(() => signal?.reason)
      let stop = () => {}
      const answered = new Promise<unknown>((resolve, reject) => {
        pending.set(id, { method, request, context: shared, signal, sentTo: null, resolve, reject })
        stop = deadlines.start(deadlineOf(method, tuning.deadlineMs), () => giveUp(tooLate))
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
        call.sentTo = leader
        const { method, request, context } = call
        post({ type: 'call', id, method, request, context })
      }
    },
    carryOut(run) {
      for (const [id] of unsentTo('')) {
        settle(id, ({ method, request, context, signal, resolve, reject }) =>
          run(method, request, { ...context, signal }).then(resolve, reject),
        )
      }
    },
    answer(leader, id, answer) {
      if (pending.get(id)?.sentTo !== leader) return
      settle(id, ({ method, resolve, reject }) => {
        if (answer.kind === 'value' && !isAnswerOf(method, answer.value)) reject(unreadable(method))
        else if (answer.kind === 'value') resolve(method === 'status' ? asFollower(answer.value) : answer.value)
        else reject(answer.kind === 'error' ? new RecallError(answer.error) : faultOf(answer))
      })
    },
    end(error, except) {
      for (const [id, { method }] of pending) {
        if (method !== except)
          settle(id, ({ reject }) => reject(error instanceof RecallError ? new RecallError(error.toDetails()) : error))
      }
    },
  }
}

/** The leader answers for itself; everything but this is the same seen from here. */
function asFollower(status: unknown): unknown {
  return { ...(status as Status), role: 'follower' } satisfies Status
}

function mayAskAgain({ method, context }: Pending): boolean {
  const rule = afterLoss[method]
  return rule === 'again' || (rule === 'operation' && context.operation !== undefined)
}

function unreadable(method: RemoteMethod): RecallError {
  return recallError('LEADER_LOST', `The answer to ${method} has an unknown form`, {
    hint: 'Remove the script of this origin that posts to the tabs of this store. Then check whether the write was done.',
  })
}

function leaderLost(method: RemoteMethod): RecallError {
  return recallError('LEADER_LOST', `The tab that had the store ended before it answered ${method}`, {
    hint: 'Check whether the write was done, then try again.',
  })
}

function tooLate({ method, sentTo }: Pending): RecallError {
  const deadlineMs = deadlineOf(method, tuning.deadlineMs)
  const problem =
    sentTo === null
      ? `No tab had the store open to answer ${method} within ${deadlineMs} ms`
      : `The tab that has the store did not answer ${method} within ${deadlineMs} ms`
  return recallError('DEADLINE_EXCEEDED', problem, {
    hint: 'Close other tabs of this app, then try again. A write may already be done.',
  })
}

function faultOf({ name, message }: TabAnswer & { readonly kind: 'fault' }): Error {
  return Object.assign(new Error(message), { name })
}
