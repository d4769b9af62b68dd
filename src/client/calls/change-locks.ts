/** The calls of `recall.keys`, and `lockNow`. Loaded with the first of them. */
import { recallError } from '../../core/model/errors.ts'
import type { LockInput, StoreLock } from '../../core/model/lock.ts'
import { writeRecoveryCode } from '../link/recovery-code.ts'
import type { CallOptions } from '../api/call-options.ts'
import { checkLock } from '../link/check-lock.ts'
import type { Calls } from './run-calls.ts'

/** `given`: a lock, or `{ recoveryCode: true }`. */
export function addLock(calls: Calls, now: () => number, given: unknown, options?: CallOptions) {
  const recoveryCode = isNewCode(given) ? writeRecoveryCode(crypto.getRandomValues(new Uint8Array(28))) : undefined
  return calls.run(options, async (send) => {
    const lock: LockInput = recoveryCode === undefined ? checkLock(given) : { recoveryCode }
    const { locks, added } = await send('locks', { add: { ...lock, addedMs: now() } })
    const made = locks.find(({ id }) => id === added) as StoreLock
    return recoveryCode === undefined ? made : { ...made, recoveryCode }
  })
}

export function removeLock(calls: Calls, id: unknown, options?: CallOptions): Promise<void> {
  return calls.run(options, async (send) => {
    if (typeof id !== 'string' || id === '')
      throw recallError('INVALID_ARGUMENT', 'must be the id of a lock', {
        field: 'id',
        hint: 'Take it from keys.list().',
      })
    await send('locks', { remove: id })
  })
}

export async function listLocks(calls: Calls, options?: CallOptions): Promise<readonly StoreLock[]> {
  return (await calls.run(options, (send) => send('locks', {}))).locks
}

function isNewCode(given: unknown): boolean {
  return typeof given === 'object' && given !== null && 'recoveryCode' in given && given.recoveryCode === true
}
