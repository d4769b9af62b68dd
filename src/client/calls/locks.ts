/** `recall.keys` and `lockNow`, whose code is loaded with the first call. */
import type { RecallLocks } from '../api/locks.ts'
import type { Calls } from './run-calls.ts'

const load = () => import('./change-locks.ts')

/** `lock`: locks the store and ends its clients; absent where a store cannot be locked. */
export function createLocks(calls: Calls, now: () => number, lock: (() => Promise<void>) | undefined): RecallLocks {
  const list: RecallLocks['keys']['list'] = async (options) => (await load()).listLocks(calls, options)
  return {
    keys: {
      add: async (given: unknown, options?: object) => (await load()).addLock(calls, now, given, options) as never,
      remove: async (id, options) => (await load()).removeLock(calls, id, options),
      list,
    },
    async lockNow(options) {
      // Rejects if the store is not locked.
      await list(options)
      await lock?.()
    },
  }
}
