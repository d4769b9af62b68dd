/** expireProposals: ends the waiting of proposals that nobody answered, and counts them. */
import { recallError } from '../../../src/core/model/errors.ts'
import { tuning } from '../../../src/core/model/tuning.ts'
import { learn } from '../common/learn.ts'
import type { Ports } from '../common/ports.ts'

/** `ttlMs`: how long a proposal may wait; default an hour. */
export async function expireProposals(
  ports: Ports,
  ttlMs: number = tuning.proposalTtlMs,
  now: number,
): Promise<number> {
  if (!(Number.isFinite(ttlMs) && ttlMs >= 0))
    throw recallError('INVALID_ARGUMENT', 'must be a length of time in milliseconds', {
      field: 'ttlMs',
      value: ttlMs,
      hint: 'Give milliseconds, or leave it out.',
    })
  const { expired } = await learn(ports, now, (changes) => {
    const gone = changes.expire(now - ttlMs)
    for (const { id, scope } of gone) changes.log('expire', id, { scope })
    return { expired: gone.length }
  })
  return expired
}
