/** Divides a deletion that does not fit on the disk. */
import { RecallError } from '../../src/core/model/errors.ts'
import type { Steps } from '../scheduling/steps.ts'
import type { Committed, DoneOperation } from './port/committed.ts'

/**
 * Carries out a deletion that is too large for a nearly full disk in halves, each its own transaction: the amount of data must
 * never prevent its deletion. The last half saves the operation id.
 */
export function* inHalves(
  ids: readonly string[],
  done: readonly DoneOperation[],
  forget: (part: readonly string[], noted: readonly DoneOperation[]) => Steps<Committed>,
): Steps<Committed> {
  try {
    return yield* forget(ids, done)
  } catch (error) {
    const isFull = error instanceof RecallError && error.code === 'QUOTA_EXCEEDED'
    if (!isFull || ids.length < 2) throw error
    const middle = ids.length >> 1
    const first = yield* inHalves(ids.slice(0, middle), [], forget)
    const second = yield* inHalves(ids.slice(middle), done, forget)
    return {
      revision: second.revision,
      added: [],
      removed: [...first.removed, ...second.removed],
      changed: [...first.changed, ...second.changed],
      isStale: first.isStale === true || second.isStale === true,
    }
  }
}
