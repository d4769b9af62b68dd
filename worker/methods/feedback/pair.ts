/** Two records as the methods about links take them, and the writing of a weight between them. */
import { recallError } from '../../../src/core/model/errors.ts'
import type { LearningChanges } from '../../store/port/learning.ts'
import type { Store } from '../../store/port/store.ts'
import { storedKey } from '../common/learn.ts'

export interface Pair {
  readonly a: string
  readonly b: string
  readonly keys: readonly [number, number]
}

/** Throws `INVALID_ARGUMENT` unless both are stored and are two. */
export function keysOfPair(store: Store, a: unknown, b: unknown): Pair {
  const keys = [storedKey(store, a, 'a'), storedKey(store, b, 'b')] as const
  if (a === b)
    throw recallError('INVALID_ARGUMENT', 'must be another record than `a`', {
      field: 'b',
      value: b,
      hint: 'Give the ids of two different records.',
    })
  return { a: a as string, b: b as string, keys }
}

/** Sets the weight that `next` makes of the current one, and logs it if it differs. */
export function writeWeight(
  changes: LearningChanges,
  { a, b, keys: [keyA, keyB] }: Pair,
  next: (current: number | undefined) => number,
): { readonly weight: number } {
  const current = changes.weightOf(keyA, keyB)
  const wanted = next(current)
  if (wanted === current) return { weight: current }
  const weight = changes.setLink(keyA, keyB, wanted)
  for (const [id, other] of [
    [a, b],
    [b, a],
  ] as const)
    changes.log('link', id, { other, weight })
  return { weight }
}
