/**
 * The owner's side of a store's locks: adds and removes them where the store keeps them, gives the store a new key, and knows when someone last used the
 * store. It gets new locks encrypted, so no message to it has what opens the store.
 */
import { recallError } from '../../src/core/model/errors.ts'
import type { Answer, Arguments, Method, RequestContext, StoredLocksRequest } from '../../src/protocol/engine-api.ts'
import { notLockedYet } from '../lock/not-locked.ts'
import type { OpenKeys } from '../lock/port.ts'
import type { OpenStorage } from '../storage/common/port.ts'
import type { Engine } from './engine.ts'
import { renewKey } from './renew-key.ts'

/** Answers `storedLocks` and `compact`, and passes on every other call. `wipe`: called when the store is closed. `place`: its name or its path. */
export function holdLocks(engine: Engine, wipe: () => void, place: string): Engine {
  let latest: OpenKeys | undefined
  let usedMs = performance.now()
  let running = 0
  const keysOf = (storage: OpenStorage) => {
    if (storage.keys === undefined) throw notLockedYet(place)
    return latest ?? storage.keys
  }
  const save = async (storage: OpenStorage, after: OpenKeys) => {
    // Not into a file that took the place of the store's.
    const exchanged = storage.exchanged?.() ?? storage.taken?.()
    if (exchanged) throw exchanged
    await storage.keys!.save(after.record())
    latest = after
  }
  const change = async (storage: OpenStorage, request: StoredLocksRequest) => {
    const before = keysOf(storage)
    const after = changed(before, request)
    if (after !== before) await save(storage, after)
    return {
      record: new TextDecoder().decode(after.record()),
      idleMs: running > 0 ? 0 : performance.now() - usedMs,
    }
  }
  let renewing: Promise<unknown> = Promise.resolve()
  const compact = async ({ newKey }: Arguments<'compact'>, context: RequestContext) => {
    if (newKey !== undefined && typeof newKey !== 'boolean') throw noBoolean()
    const receipt = await engine.call('compact', {}, context)
    const isDue = newKey === true || (await engine.inTurn(({ storage }) => keysOf(storage).isRenewing))
    if (!isDue) return receipt
    const renewed = renewing.then(() => renewKey({ inTurn: engine.inTurn, keys: keysOf, save }, context.signal))
    renewing = renewed.catch(() => undefined)
    await renewed
    return receipt
  }
  return {
    ...engine,
    async call<V extends Method>(method: V, request: Arguments<V>, context: RequestContext) {
      if (method === 'storedLocks')
        return engine.inTurn(({ storage }) => change(storage, request as StoredLocksRequest)) as Promise<Answer<V>>
      running += 1
      try {
        if (method === 'compact') return (await compact(request as Arguments<'compact'>, context)) as Answer<V>
        return await engine.call(method, request, context)
      } finally {
        running -= 1
        usedMs = performance.now()
        if (endsStore(method)) {
          latest?.wipe()
          wipe()
        }
      }
    },
  }
}

function noBoolean() {
  return recallError('INVALID_ARGUMENT', 'must be true or false', {
    field: 'newKey',
    hint: 'Leave it out to keep the key.',
  })
}

export function endsStore(method: Method): boolean {
  return method === 'close' || method === 'lockNow' || method === 'destroy'
}

function changed(keys: OpenKeys, { add, remove }: StoredLocksRequest): OpenKeys {
  if (add !== undefined) return keys.with(add) ?? keys
  if (remove === undefined || !keys.list().some(({ id }) => id === remove)) return keys
  if (keys.list().length > 1) return keys.without(remove)
  throw recallError('INVALID_ARGUMENT', 'must not be the only lock of the store', {
    field: 'id',
    value: remove,
    hint: 'Add another lock first.',
  })
}
