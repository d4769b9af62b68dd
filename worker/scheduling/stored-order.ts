/** Keeps a walk that reads pages by key finite: a damaged tree returns keys in any order, and a page that begins at an earlier key never ends. */
import { type RecallError, recallError } from '../../src/core/model/errors.ts'
import { compareCodePoints } from '../../src/core/text/hash/code-point-order.ts'
import { salvageHint } from '../../src/protocol/salvage.ts'

/** Returns `key`. Throws STORE_CORRUPT unless it comes after `before`, the last key of the walk. Texts have the order of their code points. */
export function above<Key extends number | string>(before: Key, key: Key): Key {
  const isAbove =
    typeof key === 'string' && typeof before === 'string' ? compareCodePoints(key, before) > 0 : key > before
  if (!isAbove) throw contradictory()
  return key
}

/** The error for stored rows whose order, number or length proves that their pages are damaged. */
export function contradictory(): RecallError {
  const error = recallError('STORE_CORRUPT', 'Rows of the store contradict each other, so its pages are damaged', {
    hint: salvageHint,
  })
  contradictions.add(error)
  return error
}

const contradictions = new WeakSet<Error>()

/** Whether an error is of `contradictory`. It may have taken long, so a walk must not try the same table for each of its rows. */
export function isContradiction(error: unknown): boolean {
  return error instanceof Error && contradictions.has(error)
}
