/** expireProposals: ends proposals that got no outcome in time, and returns their number. */
import { recallError } from '../../../src/core/model/errors.ts'
import { tuning } from '../../../src/core/model/tuning.ts'
import { learn } from '../common/learn.ts'
import type { Ports } from '../common/ports.ts'

/** `ttlMs`: longest wait of a proposal in ms; default one hour. */
export async function expireProposals(
  ports: Ports,
  ttlMs: number = tuning.proposalTtlMs,
  now: number,
): Promise<number> {
  if (!(Number.isFinite(ttlMs) && ttlMs >= 0))
    throw recallError('INVALID_ARGUMENT', 'must be a duration of at least 0 ms', {
      field: 'ttlMs',
      value: ttlMs,
      hint: 'Give milliseconds, or leave it out.',
    })
  const { expired } = await learn(ports, now, (changes) => {
    const proposals = changes.expire(now - ttlMs)
    for (const { id, scope } of proposals) changes.log('expire', id, { scope })
    return { expired: proposals.length }
  })
  return expired
}
