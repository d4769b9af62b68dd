/** The calls of `recall.keys`, and `lockNow`. Loaded with the first of them. */
import { recallError } from '../../core/model/errors.ts'
import type { OpeningLock, StoreLock } from '../../core/model/lock.ts'
import { writeRecoveryCode } from '../link/recovery-code.ts'
import type { CallOptions } from '../api/call-options.ts'
import { checkLock } from '../link/check-lock.ts'
import type { Calls } from './run-calls.ts'

/** `given`: a lock, `{ recoveryCode: true }`, or a passkey, which is made if it is not named. */
export function addLock(calls: Calls, now: () => number, given: unknown, options?: CallOptions) {
  return calls.run(options, async (send) => {
    const { lock, shown } = await newLock(given)
    const { locks, added } = await send('locks', { add: { ...lock, addedMs: now() } })
    return { ...(locks.find(({ id }) => id === added) as StoreLock), ...shown }
  })
}

/** `shown`: what only the answer has. */
async function newLock(given: unknown): Promise<{ readonly lock: OpeningLock; readonly shown: object }> {
  if (isNewCode(given)) {
    const recoveryCode = writeRecoveryCode(crypto.getRandomValues(new Uint8Array(28)))
    return { lock: { recoveryCode }, shown: { recoveryCode } }
  }
  const lock = checkLock(given)
  if (!('passkey' in lock)) return { lock, shown: {} }
  const { askPasskey, createPasskey } = await import('../link/passkey.ts')
  const asked = lock.passkey.credentialId === undefined ? createPasskey : askPasskey
  const { prf, credentialId } = await asked(lock.passkey, 'lock.passkey')
  return { lock: { prf }, shown: { credentialId } }
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
