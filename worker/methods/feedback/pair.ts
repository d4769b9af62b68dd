/** Shared by the methods for links: checks the two records and writes the weight between them. */
import { recallError } from '../../../src/core/model/errors.ts'
import type { LearningChanges } from '../../store/port/learning.ts'
import type { Store } from '../../store/port/store.ts'
import { storedKey } from '../common/learn.ts'

export interface Pair {
  readonly a: string
  readonly b: string
  readonly keys: readonly [number, number]
}

/** Throws `INVALID_ARGUMENT` unless both are ids of stored records and differ. */
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

/** Sets the weight that `next` computes from the current one, and logs it if it differs. */
export function writeWeight(
  changes: LearningChanges,
  { a, b, keys: [keyA, keyB] }: Pair,
  next: (current: number | undefined) => number,
): { readonly weight: number } {
  const current = changes.weightOf(keyA, keyB)
  const target = next(current)
  if (target === current) return { weight: current }
  const weight = changes.setLink(keyA, keyB, target)
  for (const [id, other] of [
    [a, b],
    [b, a],
  ] as const)
    changes.log('link', id, { other, weight })
  return { weight }
}
