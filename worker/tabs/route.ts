/**
 * One engine to the page, wherever the store is open: this tab leads and answers itself, or follows and asks the tab that
 * leads. Decides what happens when that changes; with whom it does not share a store is in `refusals.ts`.
 */
import { RecallError } from '../../src/core/model/errors.ts'
import { isPlainObject } from '../../src/core/model/plain-object.ts'
import type { Status } from '../../src/core/model/result.ts'
import { tuning } from '../../src/core/model/tuning.ts'
import { policyHash } from '../../src/core/present/receipt.ts'
import type { RequestContext } from '../../src/protocol/engine-api.ts'
import type { EngineEvent, EventListener, StorageEvent } from '../../src/protocol/events.ts'
import { protocolVersion } from '../../src/protocol/handshake.ts'
import { type Broadcast, channelName, openBroadcast } from './broadcast.ts'
import { createClaims } from './claims.ts'
import { createGate } from './gate.ts'
import { type Candidacy, campaign } from './leader.ts'
import type { Call, Received, RemoteMethod, TabMessage } from './messages.ts'
import { noLocks, ownStore, withNotes } from './notes.ts'
import { createPendingCalls } from './pending-calls.ts'
import type { Leading, LeadingEngine, ServedEngine, TabOptions, TabsPlatform } from './port.ts'
import { createPresence, type Presence } from './presence.ts'
import { createReadiness } from './readiness.ts'
import { closed, copyOf, outdated, refusalOf, storeBusy } from './refusals.ts'
import { type Followers, serveFollowers } from './serve-followers.ts'

/**
 * Opens a store that other tabs may have open: resolves when this tab leads or follows. Rejects as `leading.open` does, with
 * STORE_BUSY when another tab has the store and does not answer, VERSION_SKEW when one of a newer release has it,
 * SPACE_MISMATCH or INVALID_CONFIG when it is open with another embedding space or another kind of storage.
 */
export async function openTabs(
  options: TabOptions,
  leading: Leading,
  platform: TabsPlatform | null,
): Promise<ServedEngine> {
  if (options.storage === 'memory') return withNotes(await leading.open(), [ownStore])
  if (platform === null) return withNotes(await leading.open(), [noLocks('this browser has none')])
  const tab = createTab(options, leading, platform)
  await tab.opened
  return tab
}

/** What a tab is to the store. */
type State =
  | { readonly kind: 'seeking' }
  | {
      readonly kind: 'following'
      readonly leader: string
      readonly refusal: RecallError | null
      /** Whether its policy is the one this page's queries mean when they name none. */
      readonly hasOurPolicy: boolean
    }
  | { readonly kind: 'opening' }
  | { readonly kind: 'leading'; readonly engine: ServedEngine; readonly followers: Followers | null }
  /** The store could not be opened when this tab was elected; the next call tries again. */
  | { readonly kind: 'failed' }
  | { readonly kind: 'ended'; readonly error: RecallError }

interface Tab extends ServedEngine {
  /** Settles once: leading or following, or why neither. */
  readonly opened: Promise<void>
}

function createTab(options: TabOptions, leading: Leading, platform: TabsPlatform): Tab {
  const { name } = options
  const listeners = new Set<EventListener>()
  const pending = createPendingCalls((leader, id) => broadcast.tell(leader, { type: 'cancel', id }))
  const opening = createGate()
  const resigning = createGate()
  const readiness = createReadiness(
    async () => (await presence.isNextInLine()) && state.kind === 'following',
    leading.prepare,
  )
  let state: State = { kind: 'seeking' }
  let candidacy: Candidacy | undefined
  let seenRevision: number | undefined
  let fallback: StorageEvent | null = null
  let waiting: EngineEvent | null = null
  let seeking: ReturnType<typeof setTimeout> | undefined
  /** The leader said that it removes the store: whoever is elected next must not make it anew. */
  let isDoomed = false

  const broadcast: Broadcast = openBroadcast(name, platform, (received) => take(received))
  const presence: Presence = createPresence(name, broadcast.id, platform)
  const take = createClaims(presence, { isClaim, heed, hear })
  const silence = setTimeout(() => end(storeBusy(name)), tuning.deadlineMs)
  void opening.passed.catch(() => undefined).finally(() => clearTimeout(silence))
  stand()

  return {
    opened: opening.passed,
    async call(method, request, context) {
      if (method === 'close') return (await close()) as never
      return (await ask(method as RemoteMethod, request, context)) as never
    },
    subscribe(listener) {
      listeners.add(listener)
      if (fallback) listener(fallback)
      if (waiting) listener(waiting)
      return () => listeners.delete(listener)
    },
    erase() {
      if (state.kind === 'leading') state.engine.erase()
    },
  }

  /** Stands for election and asks who leads. */
  function stand(): void {
    candidacy = campaign(channelName(name), platform, reign)
    candidacy.over.catch(fail)
    // Said when others can check who says it.
    void presence.held.then(seek)
  }

  /** Asks who leads, again and again as long as nobody says so: a word may be lost, or may have been a lie. */
  function seek(): void {
    clearTimeout(seeking)
    if (state.kind !== 'seeking') return
    broadcast.tellAll({ type: 'seek' })
    seeking = setTimeout(seek, seekAgainMs)
  }

  /** The leader is gone, or another one is opening the store: it says when it has it. */
  function loseLeader(): void {
    state = { kind: 'seeking' }
    clearTimeout(seeking)
    seeking = setTimeout(seek, seekAgainMs)
  }

  async function reign(lockRefusal: string | null): Promise<void> {
    // Elected because the last leader removed the store, it may not have heard so yet, and would make it anew.
    if (opening.isPassed()) await broadcast.catchUp()
    if (isDoomed) end(closed(name))
    if (hasEnded()) return
    state = { kind: 'opening' }
    readiness.stop()
    await presence.held
    broadcast.tellAll({ type: 'opening' })
    let engine: LeadingEngine
    try {
      engine = await leading.open()
    } catch (error) {
      return fail(error)
    }
    // Closed, or outdated, meanwhile.
    if (hasEnded()) return void (await engine.call('close', {}, { now: 0 }))
    const isShared = engine.backend !== 'memory' && lockRefusal === null
    const notes = engine.backend === 'memory' ? [ownStore] : lockRefusal === null ? [] : [noLocks(lockRefusal)]
    const followers = isShared ? serveFollowers(engine, options, broadcast, answerHere, () => !hasEnded()) : null
    state = { kind: 'leading', engine: withNotes(engine, notes), followers }
    engine.subscribe((event) => {
      if (event.type === 'changed') emitChanged(event)
      else if (event.type === 'storage') emitFallback(event)
      else if (event.type === 'progress') emit(event)
      else if (event.type === 'vectors') {
        // The page of the tab that leads alone embeds what waits: followers are not told.
        waiting = event
        emit(event)
      }
    })
    followers?.announce()
    arrived('leader', engine.revision())
    if (isShared) await resigning.passed
    else broadcast.close()
  }

  /** A leader is known, perhaps this tab itself: what waited goes there. */
  function arrived(role: Status['role'], revision: number): void {
    if (opening.isPassed()) emit({ type: 'leader-changed', role, revision })
    // Written by a leader that ended before it could tell.
    if (seenRevision !== undefined && revision > seenRevision) emitChanged({ type: 'changed', revision, ids: [] })
    seenRevision = revision
    opening.pass()
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
      stand()
    }
    readiness.disturb()
    const answer = pending.add(method, request, context)
    dispatch()
    if (method !== 'destroy') return answer
    await answer
    end(closed(name))
    return undefined
  }

  /** With this tab's own engine; `by`: for which tab. */
  async function answerHere(
    method: RemoteMethod,
    request: unknown,
    context: RequestContext,
    by: string = broadcast.id,
  ): Promise<unknown> {
    if (state.kind !== 'leading') throw closed(name)
    const { engine } = state
    if (method !== 'destroy') return engine.call(method, request as never, context)
    state = { kind: 'ended', error: closed(name) }
    // Heard first: a follower must not take the removed store for one without a leader, and make it anew.
    await broadcast.tellAllSurely({ type: 'destroying', by })
    try {
      return await engine.call('destroy', {}, context)
    } finally {
      if (by === broadcast.id) leave()
      emit({ type: 'closed' })
    }
  }

  /** Whether believing it would end this tab or hand it to another one. */
  function isClaim({ version, from, message }: Received): boolean {
    if (state.kind === 'ended') return false
    if (version > protocolVersion) return true
    if (state.kind === 'leading' || state.kind === 'opening') return false
    if (message?.type === 'lead') return state.kind !== 'following' || state.leader !== from
    return message?.type === 'opening'
  }

  function heed({ version, from, message }: Received): void {
    if (version > protocolVersion) void outdate(version)
    else if (message?.type === 'lead') follow(from, message)
    else hearOpening()
  }

  function hearOpening(): void {
    clearTimeout(silence)
    // One that failed stays so until it is asked: two that fail must not call each other to the lock for ever.
    if (state.kind === 'following') loseLeader()
  }

  /** It says so before it does so: believed when it has the store no longer. */
  async function hearDestroying(leader: string): Promise<void> {
    if (isDoomed) return
    isDoomed = true
    for (let waitedMs = 0; waitedMs <= longestRemovalMs && !hasEnded(); waitedMs += removalStepMs) {
      if ((await presence.standingOf(leader)) !== 'leads') return end(closed(name))
      await new Promise((resolve) => setTimeout(resolve, removalStepMs))
    }
    isDoomed = false
  }

  function hear({ from, message }: Received): void {
    if (state.kind === 'ended') return
    if (state.kind === 'leading') return hearAsLeader(from, message, state.followers)
    if (state.kind === 'opening') {
      if (message?.type === 'seek') broadcast.tell(from, { type: 'opening' })
      return
    }
    // The line may have moved up.
    if (message?.type === 'bye') readiness.rest()
    // Of the tab that was asked, whatever is believed of it by now.
    if (message?.type === 'answer') pending.answer(from, message.id, message.answer)
    else if (state.kind === 'following' && from === state.leader) hearLeader(from, message)
  }

  function hearAsLeader(from: string, message: TabMessage | null, followers: Followers | null): void {
    // An older tab understands of this only that it is older.
    if (message === null || message.type === 'seek') followers?.announce(from)
    else if (message.type === 'cancel') followers?.cancel(from, message.id)
    else if (message.type === 'call') {
      void followers?.carryOut(from, message).then(() => {
        if (message.method === 'destroy') leave()
      })
    }
  }

  function hearLeader(from: string, message: TabMessage | null): void {
    if (message?.type === 'event' && message.event.type === 'changed') emitChanged(message.event)
    else if (message?.type === 'event') {
      pending.hear(message.event)
      emit(message.event)
    } else if (message?.type === 'bye') loseLeader()
    else if (message?.type === 'destroying') {
      if (message.by === broadcast.id) pending.end(closed(name), 'destroy')
      else void hearDestroying(from)
    }
  }

  function follow(leader: string, lead: TabMessage & { readonly type: 'lead' }): void {
    const isKnown = state.kind === 'following' && state.leader === leader
    if (isKnown) return
    const refusal = refusalOf(lead, options)
    if (refusal && !opening.isPassed()) return end(refusal)
    if (state.kind === 'failed') stand()
    state = { kind: 'following', leader, refusal, hasOurPolicy: lead.policy === policyHash(options.policy) }
    if (lead.fallback) emitFallback(lead.fallback)
    arrived('follower', lead.revision)
    readiness.rest()
  }

  /** Elected, but the store could not be opened. Not tried again at once: the others would have to wait for each try. */
  function fail(error: unknown): void {
    if (state.kind === 'ended') return
    if (!opening.isPassed()) return end(error)
    state = { kind: 'failed' }
    pending.end(error)
  }

  async function close(): Promise<void> {
    const was = state
    end(closed(name), was.kind !== 'leading')
    try {
      if (was.kind === 'leading') await was.engine.call('close', {}, { now: 0 })
    } finally {
      leave()
    }
    await candidacy?.over
  }

  async function outdate(version: number): Promise<void> {
    const was = state
    end(outdated(version), was.kind !== 'leading')
    emit({ type: 'outdated' })
    try {
      if (was.kind === 'leading') await was.engine.call('close', {}, { now: 0 })
    } finally {
      leave()
    }
  }

  /** Refuses everything from now on; `leaves`: and gives up lock and channels. */
  function end(error: unknown, leaves = true): void {
    if (state.kind === 'ended') return
    const known = error instanceof RecallError ? error : closed(name)
    state = { kind: 'ended', error: known }
    pending.end(known)
    opening.fail(error)
    if (leaves) leave()
    if (known.code === 'CLOSED') emit({ type: 'closed' })
  }

  function leave(): void {
    readiness.stop()
    clearTimeout(seeking)
    presence.end()
    broadcast.tellAll({ type: 'bye' })
    broadcast.close()
    candidacy?.withdraw()
    resigning.pass()
  }

  function emitChanged(event: EngineEvent & { readonly type: 'changed' }): void {
    seenRevision = Math.max(seenRevision ?? 0, event.revision)
    emit(event)
  }

  /** Told once, and to each who listens later: the next leader's is no news. */
  function emitFallback(event: StorageEvent): void {
    const isNews = fallback?.backend !== event.backend
    fallback = event
    if (isNews) emit(event)
  }

  function emit(event: EngineEvent): void {
    for (const listener of listeners) listener(event)
  }

  function hasEnded(): boolean {
    return state.kind === 'ended'
  }
}

/** ms after which a tab that knows of no leader asks again. */
const seekAgainMs = 1_000
/** ms a leader has to remove the store after it said so, and ms between two looks. */
const longestRemovalMs = 10_000
const removalStepMs = 50

/** Methods whose query a policy decides. */
const asking: ReadonlySet<RemoteMethod> = new Set(['recall', 'why', 'assemble', 'assess'])

/** A query that names no policy means this page's, not the leader's. */
function withPolicy(call: Call, { policy }: TabOptions): Call {
  if (!asking.has(call.method)) return call
  const { query } = call.request as { readonly query?: unknown }
  return isPlainObject(query) && query['policy'] === undefined
    ? { ...call, request: { ...(call.request as object), query: { ...query, policy } } }
    : call
}
