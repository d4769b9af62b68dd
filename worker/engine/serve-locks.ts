/**
 * The opener's side of a store's locks: it has the keys of the store and the lock that a call gives, and asks the owner, in this or another tab or process,
 * only to store what it has encrypted. It also locks the store when no one used it for long, and wipes the keys when the store closes.
 */
import { recallError } from '../../src/core/model/errors.ts'
import type { Answer, Arguments, LocksRequest, Method, RequestContext } from '../../src/protocol/engine-api.ts'
import type { OpenKeys } from '../lock/port.ts'
import type { Keyring } from '../storage/common/lock-port.ts'
import type { ServedEngine } from '../tabs/port.ts'
import { endsStore } from './hold-locks.ts'
import { serveExports } from './serve-exports.ts'

export function serveLocks(given: ServedEngine, keyring: Keyring): ServedEngine {
  const engine = serveExports(given, keyring)
  const encoder = new TextEncoder()
  /** The keys with the locks that the owner has. */
  const read = async (context: RequestContext, change = {}) => {
    const { record } = await engine.call('storedLocks', change, context)
    const bytes = encoder.encode(record)
    return { bytes, keys: await keyring.open(bytes) }
  }
  const locks = async ({ add, remove, check }: LocksRequest, context: RequestContext) => {
    const { bytes, keys } = await read(context)
    if (check !== undefined) await keyring.check(bytes, check)
    if (remove !== undefined && !has(keys, remove)) throw unknownLock(remove)
    let made = add && (await keys.wrap(add))
    const isChange = made !== undefined || remove !== undefined
    let after = isChange ? (await read(context, { add: made?.text, remove })).keys : keys
    // The store got a new key meanwhile.
    while (made !== undefined && !has(after, made.id)) {
      made = await after.wrap(add!)
      after = (await read(context, { add: made.text })).keys
    }
    const own = keyring.own()
    return { locks: after.list().map((lock) => ({ ...lock, isOwn: lock.id === own })), added: made?.id }
  }
  const stopWatching = watchIdleTime(engine, keyring.idleMs)
  const end = () => {
    stopWatching()
    engine.wipe()
    keyring.wipe()
  }
  let isEnding = false
  // A call that closes the store tells it before the store is closed.
  engine.subscribe(({ type }) => type === 'closed' && !isEnding && end())
  return {
    ...engine,
    async call<V extends Method>(method: V, request: Arguments<V>, context: RequestContext) {
      if (method === 'locks') return (await locks(request as LocksRequest, context)) as Answer<V>
      if (!endsStore(method)) return engine.call(method, request, context)
      isEnding = true
      try {
        return await engine.call(method, request, context)
      } finally {
        end()
      }
    },
  }
}

const has = (keys: OpenKeys, lock: string) => keys.list().some(({ id }) => id === lock)

/** Locks the store after `idleMs` without a call in any tab. Returns the function that ends this. */
function watchIdleTime(engine: ServedEngine, idleMs: number | null): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = idleMs === null
  const wait = (ms: number) => {
    if (isOver) return
    timer = setTimeout(check, ms)
    // In Node a timer keeps the process alive.
    ;(timer as { unref?(): void }).unref?.()
  }
  const check = async () => {
    try {
      const { idleMs: passedMs } = await engine.call('storedLocks', {}, { now: 0 })
      if (passedMs < idleMs!) wait(idleMs! - passedMs)
      else if (!isOver) await engine.call('lockNow', {}, { now: 0 })
    } catch {
      // The owner has just changed, or the store is closed.
      wait(idleMs!)
    }
  }
  wait(idleMs ?? 0)
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

function unknownLock(id: string) {
  return recallError('INVALID_ARGUMENT', 'must be the id of a lock of this store', {
    field: 'id',
    value: id,
    hint: 'Take it from keys.list().',
  })
}
