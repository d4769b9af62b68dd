/**
 * The leader's side: announces the leader, runs the calls of other tabs and forwards the events of its engine. Calls that
 * fail because this leader is closing get no answer: the follower sends them to the next leader.
 */
import { RecallError, recallError } from '../../src/core/model/errors.ts'
import { policyHash } from '../../src/core/present/receipt.ts'
import type { RequestContext } from '../../src/protocol/engine-api.ts'
import type { StorageEvent } from '../../src/protocol/events.ts'
import type { Broadcast } from './broadcast.ts'
import { configHash } from './config-hash.ts'
import type { Call, RemoteMethod, TabAnswer, TabMessage } from './messages.ts'
import type { LeadingEngine, TabOptions } from './port.ts'

export interface Followers {
  /** Announces the leader to one tab, or to all. */
  announce(tab?: string): void
  carryOut(from: string, call: Call): Promise<void>
  /** Aborts a call of a tab that no longer waits for it. */
  cancel(from: string, id: string): void
}

/** `run` runs a call for a tab. Once `isLeading` is false, an error may come from closing. */
export function serveFollowers(
  engine: LeadingEngine,
  { space, policy, authority, retention, autoLink, history, embedderFailure, extensions, lock }: TabOptions,
  broadcast: Broadcast,
  run: (method: RemoteMethod, request: unknown, context: RequestContext, by: string) => Promise<unknown>,
  isLeading: () => boolean,
): Followers {
  const running = new Map<string, AbortController>()
  let fallback: StorageEvent | null = null
  engine.subscribe((event) => {
    if (event.type === 'changed' || event.type === 'progress') broadcast.tellAll({ type: 'event', event })
    if (event.type === 'storage') fallback = event
  })
  return {
    announce(tab) {
      const lead: TabMessage = {
        type: 'lead',
        backend: engine.backend,
        space: space?.name ?? null,
        dimensions: space?.dimensions ?? null,
        policy: policyHash(policy),
        authority: configHash(authority),
        retention: configHash(retention),
        ...engine.settings(),
        autoLink,
        history: history === true,
        isLocked: lock !== undefined,
        embedderFailure: embedderFailure ?? 'store-without',
        extensions: extensions ?? null,
        fallback,
        revision: engine.revision(),
      }
      if (tab === undefined) broadcast.tellAll(lead)
      else broadcast.tell(tab, lead)
    },
    async carryOut(from, { id, method, request, context }) {
      const key = `${from} ${id}`
      if (running.has(key)) return
      const controller = new AbortController()
      running.set(key, controller)
      const answer = await answerOf(() => run(method, request, { ...context, signal: controller.signal }, from))
      running.delete(key)
      // These end the leader, but their caller needs the result.
      if (answer.kind === 'value' || isLeading() || method === 'destroy' || method === 'lockNow')
        broadcast.tell(from, { type: 'answer', id, answer })
    },
    cancel: (from, id) => running.get(`${from} ${id}`)?.abort(recallError('ABORTED', 'The caller aborted the call')),
  }
}

async function answerOf(work: () => Promise<unknown>): Promise<TabAnswer> {
  try {
    return { kind: 'value', value: await work() }
  } catch (error) {
    if (error instanceof RecallError) return { kind: 'error', error: error.toDetails() }
    const { name, message } = error instanceof Error ? error : new Error(String(error))
    return { kind: 'fault', name, message }
  }
}
