/**
 * The locks and channels of `worker/tabs` for processes instead of tabs. The process that owns the file is the leader, and relays the
 * messages of all processes; the others are connected to it alone. When it ends, they contend for the file again.
 */
import { deserialize, serialize } from 'node:v8'
import { isPlainObject } from '../../src/core/model/plain-object.ts'
import type { TabChannel, TabsPlatform } from '../tabs/port.ts'
import type { Connection } from './connection.ts'
import { contend, type Owned } from './file-lock.ts'

export interface ProcessPlatform extends TabsPlatform {
  /** Throws the reason unless this process owns the file. Must be called before the file is opened. */
  assertOwner(): void
  /** The owner opened this file (`Disk.findAt`). */
  opened(file: string | null): void
}

/** A posted message on its way: `data` is encoded once. */
interface Post {
  readonly channel: string
  readonly data: Uint8Array
}

/** A follower tells the owner which channels it listens to. */
interface Subscription {
  readonly channel: string
  readonly isOpen: boolean
}

type Role =
  /** Posts wait until it is known who owns the file. */
  | { readonly kind: 'contending'; readonly waiting: (Post | Subscription)[] }
  | { readonly kind: 'owner'; readonly owned: Owned; readonly followers: Map<Connection, Set<string>> }
  | { readonly kind: 'follower'; readonly owner: Connection }

/** One per store and process. */
export function createProcessPlatform(path: string): ProcessPlatform {
  const ends = new Map<string, Set<(data: Uint8Array) => void>>()
  const lossListeners: (() => void)[] = []
  let role: Role = { kind: 'contending', waiting: [] }
  let refusal: unknown = new Error('the file has no owner yet')
  let holder: number | null = null

  const deliver = ({ channel, data }: Post, except?: (data: Uint8Array) => void) => {
    for (const end of ends.get(channel) ?? []) if (end !== except) end(data)
  }
  const relay = (post: Post, followers: Map<Connection, Set<string>>, except?: Connection) => {
    for (const [follower, channels] of followers)
      if (follower !== except && channels.has(post.channel)) follower.send(post)
  }
  const send = (message: Post | Subscription) => {
    if (role.kind === 'follower') role.owner.send(message)
    else if (role.kind === 'contending') {
      if (role.waiting.length < mostWaiting) role.waiting.push(message)
    } else if ('data' in message) relay(message, role.followers)
  }

  const serve = (follower: Connection, followers: Map<Connection, Set<string>>) => {
    const channels = new Set<string>()
    followers.set(follower, channels)
    void follower.closed.then(() => followers.delete(follower))
    follower.listen((message) => {
      const post = parsePost(message)
      const subscription = post === null ? parseSubscription(message) : null
      if (subscription?.isOpen) channels.add(subscription.channel)
      else if (subscription !== null) channels.delete(subscription.channel)
      if (post === null) return
      deliver(post)
      relay(post, followers, follower)
    })
  }

  const follow = async (owner: Connection, signal: AbortSignal) => {
    const { waiting } = role as Role & { kind: 'contending' }
    role = { kind: 'follower', owner }
    for (const channel of ends.keys()) owner.send({ channel, isOpen: true } satisfies Subscription)
    for (const message of waiting) if ('data' in message) owner.send(message)
    owner.listen((message) => {
      const post = parsePost(message)
      if (post !== null) deliver(post)
    })
    const onAbort = () => void owner.end()
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) onAbort()
    await owner.closed
    signal.removeEventListener('abort', onAbort)
    role = { kind: 'contending', waiting: [] }
    holder = null
    if (!signal.aborted) for (const listener of lossListeners) listener()
  }

  /** Runs `work` while this process owns the file. Waits while another process owns it. */
  const asOwner = async (signal: AbortSignal, work: () => unknown): Promise<void> => {
    try {
      for (;;) {
        const outcome = await contend(path, signal, (pid) => (holder = pid))
        if (outcome.kind === 'followed') {
          await follow(outcome.owner, signal)
          continue
        }
        const followers = new Map<Connection, Set<string>>()
        role = { kind: 'owner', owned: outcome, followers }
        refusal = null
        holder = process.pid
        outcome.accept((follower) => serve(follower, followers))
        try {
          await work()
        } finally {
          refusal = new Error('the file was released')
          await outcome.release()
          role = { kind: 'contending', waiting: [] }
        }
        return
      }
    } catch (error) {
      if (!signal.aborted) refusal = error
      throw error
    }
  }

  const request = async (_name: string, ...given: unknown[]): Promise<unknown> => {
    const work = given.at(-1) as (lock: null) => unknown
    const { mode, signal = new AbortController().signal } = (given.length > 1 ? given[0] : {}) as LockOptions
    // Only the store's lock names a mode. The other locks would let processes check each other; their folder belongs to one user.
    return mode === 'exclusive' ? asOwner(signal, () => work(null)) : work(null)
  }

  return {
    locks: { request: request as TabsPlatform['locks']['request'], query: async () => ({}) },
    openChannel: (channel) => openChannel(channel, ends, send, deliver),
    onLeaderLost: (listener) => lossListeners.push(listener),
    holder: () => (holder === null ? null : `Process ${holder}`),
    assertOwner() {
      if (role.kind !== 'owner' || refusal !== null) throw refusal
    },
    opened(file) {
      if (role.kind === 'owner') role.owned.opened(file)
    },
  }
}

/** Messages that wait while no process owns the file. More are dropped: a channel promises no delivery. */
const mostWaiting = 1_000

type Listener = (event: MessageEvent<unknown>) => void

function openChannel(
  channel: string,
  ends: Map<string, Set<(data: Uint8Array) => void>>,
  send: (message: Post | Subscription) => void,
  deliver: (post: Post, except: (data: Uint8Array) => void) => void,
): TabChannel {
  const listeners = new Set<Listener>()
  let isOpen = true
  // In a later task, like messages of a BroadcastChannel; in their order.
  const receive = (data: Uint8Array) =>
    setImmediate(() => {
      if (!isOpen) return
      const event = { data: deserialize(data) as unknown } as MessageEvent<unknown>
      for (const listener of listeners) listener(event)
    })
  const own = () => ends.get(channel) ?? new Set()
  return {
    postMessage(message: unknown) {
      const post = { channel, data: serialize(message) }
      deliver(post, receive)
      send(post)
    },
    // An end that only posts gets nothing, so that the calls of one follower are not copied to the others.
    addEventListener: ((_type: string, listener: Listener) => {
      listeners.add(listener)
      if (own().size === 0) send({ channel, isOpen: true })
      ends.set(channel, own().add(receive))
    }) as TabChannel['addEventListener'],
    close() {
      isOpen = false
      if (!own().delete(receive) || own().size > 0) return
      ends.delete(channel)
      send({ channel, isOpen: false })
    },
  }
}

function parsePost(message: unknown): Post | null {
  const { channel, data } = isPlainObject(message) ? message : {}
  return typeof channel === 'string' && data instanceof Uint8Array ? { channel, data } : null
}

function parseSubscription(message: unknown): Subscription | null {
  const { channel, isOpen } = isPlainObject(message) ? message : {}
  return typeof channel === 'string' && typeof isOpen === 'boolean' ? { channel, isOpen } : null
}
