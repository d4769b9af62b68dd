/**
 * Gives the page one engine, in whichever tab the store is open: this tab leads and answers itself, or follows and sends its
 * calls to the leader. Decides what happens when the leader changes. `refusals.ts` decides which tabs cannot share a store.
 */
import { RecallError } from '../../src/core/model/errors.ts'
import { closed, copyOf, lockedNow } from '../../src/core/model/shared-errors.ts'
import type { Status } from '../../src/core/model/status.ts'
import { tuning } from '../../src/core/model/tuning.ts'
import { policyHash } from '../../src/core/present/receipt.ts'
import type { RequestContext } from '../../src/protocol/engine-api.ts'
import { protocolVersion } from '../../src/protocol/handshake.ts'
import { type Broadcast, channelName, openBroadcast } from './broadcast.ts'
import { createClaims } from './claims.ts'
import { createDeferred } from './deferred.ts'
import { type Candidacy, electLeader } from './leader.ts'
import type { Received, RemoteMethod, TabMessage } from './messages.ts'
import { noLocks, ownStore, withNotes } from './notes.ts'
import { createPendingCalls } from './pending-calls.ts'
import type { Leading, LeadingEngine, ServedEngine, TabOptions, TabsPlatform } from './port.ts'
import { createPresence, type Presence } from './presence.ts'
import { createReadiness } from './readiness.ts'
import { outdated, placeOf, refusalOf, storeBusy } from './refusals.ts'
import { waitForRemoval } from './removal.ts'
import { createSeeking } from './seeking.ts'
import { type Followers, serveFollowers } from './serve-followers.ts'
import { createTabEvents } from './tab-events.ts'
import { isClaim, type TabState } from './tab-state.ts'
import { withPolicy } from './with-policy.ts'

export interface Tab extends ServedEngine {
  /** Resolves when this tab leads or follows; rejects if it can do neither. */
  readonly opened: Promise<void>
}

export function createTab(options: TabOptions, leading: Leading, platform: TabsPlatform): Tab {
  const { name } = options
  const events = createTabEvents()
  const { emit } = events
  const pending = createPendingCalls((leader, id) => broadcast.tell(leader, { type: 'cancel', id }), placeOf(options))
  const opening = createDeferred()
  const resigning = createDeferred()
  const readiness = createReadiness(
    async () => (await presence.isNextInLine()) && state.kind === 'following',
    leading.prepare,
  )
  let state: TabState = { kind: 'seeking' }
  let candidacy: Candidacy | undefined
  /** Set: the leader said that it removes or locks the store, which the next elected tab must not open again. */
  let doom: RecallError | null = null
  const endOf = (method: 'destroy' | 'lockNow') => (method === 'lockNow' ? lockedNow : closed)(name)

  const broadcast: Broadcast = openBroadcast(name, platform, (received) => take(received))
  const presence: Presence = createPresence(name, broadcast.id, platform)
  const take = createClaims(presence, { isClaim: (received) => isClaim(state, received), accept, hear })
  const seeking = createSeeking(
    () => state.kind === 'seeking',
    () => broadcast.tellAll({ type: 'seek' }),
  )
  const openTimeout = setTimeout(() => end(storeBusy(options, platform.holder?.())), tuning.deadlineMs)
  void opening.promise.catch(() => undefined).finally(() => clearTimeout(openTimeout))
  platform.onLeaderLost?.(() => state.kind === 'following' && loseLeader(seeking.start))
  requestLeadership()

  return {
    opened: opening.promise,
    async call(method, request, context) {
      if (method === 'close') return (await close()) as never
      return (await ask(method as RemoteMethod, request, context)) as never
    },
    subscribe: events.subscribe,
    erase: () => void (state.kind === 'leading' && state.engine.erase()),
  }

  /** Enters the election and asks who leads. */
  function requestLeadership(): void {
    candidacy = electLeader(channelName(name), platform, lead)
    candidacy.over.catch(fail)
    // Other tabs can check this tab's messages only when it holds its presence lock.
    void presence.held.then(seeking.start)
  }

  /** The leader has ended, or another tab is opening the store and will announce itself. */
  function loseLeader(seek = seeking.startLater): void {
    state = { kind: 'seeking' }
    seek()
  }

  async function lead(lockRefusal: string | null): Promise<void> {
    // If the last leader removed the store, its message may still be on the way. This tab must not create the store again.
    if (opening.isResolved()) await broadcast.catchUp()
    if (doom) end(doom)
    if (hasEnded()) return
    state = { kind: 'opening' }
    // This tab has the store now, and its opening may take longer: an upgrade reads every record.
    clearTimeout(openTimeout)
    readiness.stop()
    await presence.held
    broadcast.tellAll({ type: 'opening' })
    let engine: LeadingEngine
    try {
      engine = await leading.open()
    } catch (error) {
      return fail(error)
    }
    // Closed or outdated while opening.
    if (hasEnded()) return void (await engine.call('close', {}, { now: 0 }))
    const isShared = engine.backend !== 'memory' && lockRefusal === null
    const notes = engine.backend === 'memory' ? [ownStore] : lockRefusal === null ? [] : [noLocks(lockRefusal)]
    const followers = isShared ? serveFollowers(engine, options, broadcast, answerHere, () => !hasEnded()) : null
    state = { kind: 'leading', engine: withNotes(engine, notes), followers }
    // Only the leader's page embeds pending records, so followers do not get the event `vectors`.
    engine.subscribe((event) => {
      if (event.type !== 'closed') emit(event)
    })
    followers?.announce()
    leaderFound('leader', engine.revision())
    if (isShared) await resigning.promise
    else broadcast.close()
  }

  /** A leader is known, perhaps this tab itself: sends it the waiting calls. */
  function leaderFound(role: Status['role'], revision: number): void {
    if (opening.isResolved()) emit({ type: 'leader-changed', role, revision })
    events.setRevision(revision)
    opening.resolve()
    dispatch()
  }

  function dispatch(): void {
    if (state.kind === 'leading') pending.carryOut((method, request, context) => answerHere(method, request, context))
    if (state.kind !== 'following') return
    const { leader, refusal, hasOurPolicy } = state
    if (refusal) return pending.end(refusal)
    pending.send(leader, (call) => broadcast.tell(leader, hasOurPolicy ? call : withPolicy(call, options)))
  }

  async function ask(method: RemoteMethod, request: unknown, context: RequestContext): Promise<unknown> {
    if (state.kind === 'ended') throw copyOf(state.error)
    if (state.kind === 'leading') return answerHere(method, request, context)
    if (state.kind === 'failed') {
      state = { kind: 'seeking' }
      requestLeadership()
    }
    readiness.disturb()
    const answer = pending.add(method, request, context)
    dispatch()
    if (method !== 'destroy' && method !== 'lockNow') return answer
    await answer
    end(endOf(method))
    return undefined
  }

  /** Runs a call with this tab's own engine. `by`: the tab that made the call. */
  async function answerHere(
    method: RemoteMethod,
    request: unknown,
    context: RequestContext,
    by: string = broadcast.id,
  ): Promise<unknown> {
    if (state.kind !== 'leading') throw closed(name)
    const { engine } = state
    if (method !== 'destroy' && method !== 'lockNow') return engine.call(method, request as never, context)
    state = { kind: 'ended', error: endOf(method) }
    // Followers must get this message first: otherwise one of them would be elected and open the store again.
    await broadcast.tellAllSurely({ type: 'destroying', by, method })
    try {
      return await engine.call(method, {}, context)
    } finally {
      if (by === broadcast.id) {
        leave()
        await candidacy?.over
      }
      emit({ type: 'closed', isLocked: method === 'lockNow' || undefined })
    }
  }

  function accept({ version, from, message }: Received): void {
    if (version > protocolVersion) void outdate(version)
    else if (message?.type === 'lead') follow(from, message)
    else hearOpening()
  }

  function hearOpening(): void {
    clearTimeout(openTimeout)
    // A failed tab stays failed until its next call, so that two failing tabs do not pass the lock back and forth.
    if (state.kind === 'following') loseLeader()
  }

  /** The leader announces that before it removes or locks the store. This tab ends when the leader does not have the store any more. */
  async function hearDestroying(leader: string, error: RecallError): Promise<void> {
    if (doom) return
    doom = error
    doom = (await waitForRemoval(leader, presence, hasEnded)) ? error : null
    if (doom) end(doom)
  }

  function hear({ from, message }: Received): void {
    if (state.kind === 'ended') return
    if (state.kind === 'leading') return hearAsLeader(from, message, state.followers)
    if (state.kind === 'opening') {
      if (message?.type === 'seek') broadcast.tell(from, { type: 'opening' })
      return
    }
    // This tab may be the next one in the queue now.
    if (message?.type === 'bye') readiness.rest()
    // An answer counts if the call was sent to this tab, even if it is not the leader any more.
    if (message?.type === 'answer') pending.answer(from, message.id, message.answer)
    else if (state.kind === 'following' && from === state.leader) hearLeader(from, message)
  }

  function hearAsLeader(from: string, message: TabMessage | null, followers: Followers | null): void {
    // A tab of an older release understands only that its version is outdated.
    if (message === null || message.type === 'seek') followers?.announce(from)
    else if (message.type === 'cancel') followers?.cancel(from, message.id)
    else if (message.type === 'call') {
      void followers?.carryOut(from, message).then(() => {
        if (message.method === 'destroy' || message.method === 'lockNow') leave()
      })
    }
  }

  function hearLeader(from: string, message: TabMessage | null): void {
    if (message?.type === 'event') {
      pending.hear(message.event)
      emit(message.event)
    } else if (message?.type === 'bye') loseLeader()
    else if (message?.type === 'destroying') {
      if (message.by === broadcast.id) pending.end(endOf(message.method), message.method)
      else void hearDestroying(from, endOf(message.method))
    }
  }

  function follow(leader: string, announced: TabMessage & { readonly type: 'lead' }): void {
    if (state.kind === 'following' && state.leader === leader) return
    const refusal = refusalOf(announced, options)
    if (refusal && !opening.isResolved()) return end(refusal)
    if (state.kind === 'failed') requestLeadership()
    state = { kind: 'following', leader, refusal, hasOurPolicy: announced.policy === policyHash(options.policy) }
    if (announced.fallback) emit(announced.fallback)
    leaderFound('follower', announced.revision)
    readiness.rest()
  }

  /** Elected, but opening failed. It is not retried at once: the other tabs would wait for each attempt. */
  function fail(error: unknown): void {
    if (state.kind === 'ended') return
    if (!opening.isResolved()) return end(error)
    state = { kind: 'failed' }
    pending.end(error)
  }

  async function close(): Promise<void> {
    await resign(closed(name))
    await candidacy?.over
  }

  async function outdate(version: number): Promise<void> {
    const resigned = resign(outdated(version, options))
    emit({ type: 'outdated' })
    await resigned
  }

  /** Refuses all calls, closes the store if this tab leads, and then lets another tab lead. */
  async function resign(error: RecallError): Promise<void> {
    const was = state
    end(error, was.kind !== 'leading')
    try {
      if (was.kind === 'leading') await was.engine.call('close', {}, { now: 0 })
    } finally {
      leave()
    }
  }

  /** Refuses all calls from now on. `leaves`: also releases lock and channels. */
  function end(error: unknown, leaves = true): void {
    if (state.kind === 'ended') return
    const typed = error instanceof RecallError ? error : closed(name)
    state = { kind: 'ended', error: typed }
    pending.end(typed)
    opening.reject(error)
    if (leaves) leave()
    if (typed.code === 'CLOSED') emit({ type: 'closed' })
    if (typed.code === 'LOCKED') emit({ type: 'closed', isLocked: true })
  }

  function leave(): void {
    readiness.stop()
    seeking.stop()
    presence.end()
    broadcast.tellAll({ type: 'bye' })
    broadcast.close()
    candidacy?.withdraw()
    resigning.resolve()
  }

  function hasEnded(): boolean {
    return state.kind === 'ended'
  }
}
