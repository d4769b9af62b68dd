/**
 * Several tabs in one process: real channels, the shipped route and engines over one database. The platform is
 * simulated: locks in a queue, the handle that only one owner can hold, and tabs that crash at a chosen moment.
 */
import { policies } from '../../src/core/policies/policies.ts'
import type { Arguments, Method, RequestContext } from '../../src/protocol/engine-api.ts'
import type { EngineEvent } from '../../src/protocol/events.ts'
import { type PackedResult, unpackResult } from '../../src/protocol/packed-result.ts'
import { createEngineOver } from '../../worker/engine/engine.ts'
import { initSqlite } from '../../worker/sqlite/init-sqlite.ts'
import type { OpenStorage } from '../../worker/storage/common/port.ts'
import { openMemory } from '../../worker/storage/memory.ts'
import { openTabs } from '../../worker/tabs/open-tabs.ts'
import type { LeadingEngine, ServedEngine, TabChannel, TabOptions, TabsPlatform } from '../../worker/tabs/port.ts'
import { engineOptionsInWorker } from './scripted-engine.ts'
import { startOfTime, type TestAnswer } from './stores/open-engine.ts'

export interface TestTab {
  readonly engine: ServedEngine
  readonly events: readonly EngineEvent[]
  /** With an operation id of its own, unless `context` says otherwise. */
  call<V extends Method>(method: V, request: Arguments<V>, context?: Partial<RequestContext>): Promise<TestAnswer<V>>
  /** Ends without a message: its engine answers nothing any more, its lock and its handle are free. */
  crash(): void
}

export interface TabSettings extends Partial<TabOptions> {
  /** Called when this tab's own engine has committed, before it answers; `crash` ends the tab right there. */
  readonly onCommit?: (crash: () => void) => void
  /** Called when the tab prepares itself to lead. */
  readonly onPrepare?: () => void
  /** Called when the tab is elected: if it throws, opening throws the same. */
  readonly onOpen?: () => void
  /** Sees each message before it is posted, and may change it. */
  readonly onPost?: (message: { readonly message: Readonly<Record<string, unknown>> }) => unknown
  /** Its platform cannot query locks, so that it believes every message. */
  readonly believesAll?: boolean
  /** ms by which every message is delayed, while locks are granted at once. Default 0. */
  readonly lateMs?: number
}

export interface World {
  readonly name: string
  readonly locks: TestLocks
  /** Owners of the database now, and the most at any time. */
  readonly owners: { now: number; most: number }
  tab(settings?: TabSettings): Promise<TestTab>
  /** A channel of a script outside the project. */
  stranger(tabId?: string): BroadcastChannel
  end(): Promise<void>
}

let worlds = 0

export async function createWorld(): Promise<World> {
  worlds += 1
  const name = `world ${worlds}`
  const locks = createLocks()
  const owners = { now: 0, most: 0 }
  const sqlite3 = await initSqlite()
  let storage = await openMemory(sqlite3, name)
  const removeAll = async () => {
    await storage.close()
    storage = await openMemory(sqlite3, name)
  }
  const open = new Set<TestTab>()
  const strangers: BroadcastChannel[] = []
  let operations = 0

  return {
    name,
    locks,
    owners,
    async tab({ onCommit, onPrepare, onOpen, onPost, believesAll = false, lateMs = 0, ...given } = {}) {
      const options: TabOptions = {
        ...engineOptionsInWorker,
        policy: policies.balanced,
        name,
        storage: 'auto',
        ...given,
      }
      const channels = new Set<BroadcastChannel>()
      const platformLocks = locks.forTab()
      let isDead = false
      let giveHandle = () => {}
      const crash = () => {
        isDead = true
        open.delete(tab)
        for (const channel of channels) channel.close()
        giveHandle()
        platformLocks.crash()
      }
      const platform: TabsPlatform = {
        locks: believesAll ? { request: platformLocks.request, query: async () => ({}) } : platformLocks,
        openChannel: (channelName) => {
          const channel = new BroadcastChannel(channelName)
          channels.add(channel)
          const heard = lateMs > 0 ? delayed(channel, lateMs) : channel
          return onPost ? intercepted(heard, onPost) : heard
        },
      }
      const openLeading = async (): Promise<LeadingEngine> => {
        onOpen?.()
        owners.now += 1
        owners.most = Math.max(owners.most, owners.now)
        let holds = true
        giveHandle = () => {
          if (holds) owners.now -= 1
          holds = false
        }
        const over = createEngineOver(kept(storage, giveHandle, removeAll), options, null)
        over.subscribe(({ type }) => type === 'changed' && onCommit?.(crash))
        return mortal(over, () => isDead)
      }
      const events: EngineEvent[] = []
      const engine = await openTabs(options, { open: openLeading, prepare: async () => onPrepare?.() }, platform)
      engine.subscribe((event) => events.push(event))
      const tab: TestTab = {
        engine,
        events,
        crash,
        async call(method, request, context) {
          operations += 1
          const answer = await engine.call(method, request, {
            now: startOfTime,
            operation: `${name} ${operations}`,
            ...context,
          })
          return (method === 'recall' ? unpackResult(answer as PackedResult) : answer) as TestAnswer<typeof method>
        },
      }
      open.add(tab)
      return tab
    },
    stranger(tabId) {
      const channel = new BroadcastChannel(`scrubjay ${JSON.stringify(tabId === undefined ? [name] : [name, tabId])}`)
      strangers.push(channel)
      return channel
    },
    async end() {
      for (const channel of strangers) channel.close()
      // The leader last: a tab that is elected and closed at once waits a second for its own echo.
      for (const { engine } of [...open].toReversed()) await engine.call('close', {}, { now: 0 }).catch(() => undefined)
      await storage.close()
    },
  }
}

/** The database outlives its owners: closing only frees the handle. */
function kept(storage: OpenStorage, giveHandle: () => void, removeAll: () => Promise<void>): OpenStorage {
  return {
    ...storage,
    kind: 'opfs',
    close: async () => giveHandle(),
    destroy: async () => {
      await removeAll()
      giveHandle()
    },
  }
}

/** A dead tab neither answers nor sends events. */
function mortal(engine: LeadingEngine, isDead: () => boolean): LeadingEngine {
  return {
    ...engine,
    call: (method, request, context) =>
      new Promise((resolve, reject) => {
        engine.call(method, request, context).then(
          (answer) => isDead() || resolve(answer),
          (error: unknown) => isDead() || reject(error as Error),
        )
      }),
    subscribe: (listener) => engine.subscribe((event) => isDead() || listener(event)),
  }
}

/** Delayed, in order. */
function delayed(channel: BroadcastChannel, ms: number): TabChannel {
  return {
    postMessage: (message) => channel.postMessage(message),
    addEventListener: ((type: string, listener: (event: unknown) => void) =>
      channel.addEventListener(type, (event) => void setTimeout(listener, ms, event))) as never,
    close: () => channel.close(),
  }
}

function intercepted(channel: TabChannel, onPost: NonNullable<TabSettings['onPost']>): TabChannel {
  return {
    postMessage: (message) => channel.postMessage(onPost(message)),
    addEventListener: channel.addEventListener.bind(channel) as TabChannel['addEventListener'],
    close: () => channel.close(),
  }
}

interface Request {
  readonly owner: object
  grant(): void
}

export interface TestLocks {
  forTab(): TabsPlatform['locks'] & { crash(): void }
  /** Of every lock, or of those of one name. */
  held(name?: string): number
  waiting(name?: string): number
}

/** Exclusive locks in the order requested, like the platform's. */
function createLocks(): TestLocks {
  const queues = new Map<string, Request[]>()
  const owners: object[] = []
  const clientIdOf = (owner: object) => {
    if (!owners.includes(owner)) owners.push(owner)
    return `client ${owners.indexOf(owner)}`
  }
  const queueOf = (name: string) => {
    const queue = queues.get(name) ?? []
    queues.set(name, queue)
    return queue
  }
  const leave = (name: string, request: Request) => {
    const queue = queueOf(name)
    const at = queue.indexOf(request)
    if (at < 0) return
    queue.splice(at, 1)
    if (at === 0) queue[0]?.grant()
  }
  const request = (owner: object, name: string, { signal }: LockOptions, reign: LockGrantedCallback<unknown>) =>
    new Promise<unknown>((resolve, reject) => {
      let isGranted = false
      const own: Request = {
        owner,
        grant() {
          isGranted = true
          // Later, as the platform does: the releasing tab has finished by then.
          queueMicrotask(async () => {
            try {
              resolve(await reign({ name, mode: 'exclusive' }))
            } catch (error) {
              reject(error as Error)
            } finally {
              leave(name, own)
            }
          })
        },
      }
      signal?.addEventListener('abort', () => {
        if (isGranted) return
        leave(name, own)
        reject(signal.reason as Error)
      })
      queueOf(name).push(own)
      if (queueOf(name)[0] === own) own.grant()
    })
  const count = (of: (queue: readonly Request[]) => number, only: string | undefined) =>
    [...queues].reduce((sum, [name, queue]) => sum + (only === undefined || name === only ? of(queue) : 0), 0)
  return {
    forTab() {
      const owner = {}
      return {
        request: ((
          name: string,
          ...rest: [LockOptions, LockGrantedCallback<unknown>] | [LockGrantedCallback<unknown>]
        ) =>
          request(owner, name, rest.length === 2 ? rest[0] : {}, rest.at(-1) as LockGrantedCallback<unknown>)) as never,
        async query() {
          const all = [...queues].map(([name, queue]) =>
            queue.map((entry) => ({ name, mode: 'exclusive' as const, clientId: clientIdOf(entry.owner) })),
          )
          return { held: all.flatMap((queue) => queue.slice(0, 1)), pending: all.flatMap((queue) => queue.slice(1)) }
        },
        crash() {
          for (const [name, queue] of queues) {
            for (const own of queue.filter((entry) => entry.owner === owner)) leave(name, own)
          }
        },
      }
    },
    held: (name) => count((queue) => Math.min(queue.length, 1), name),
    waiting: (name) => count((queue) => Math.max(queue.length - 1, 0), name),
  }
}
