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
    throw recallError('INVALID_ARGUMENT', 'must differ from `a`', {
      field: 'b',
      value: b,
      hint: 'Give the ids of two different records.',
    })
  return { a: a as string, b: b as string, keys }
}

/** Changes the link by `change`, which returns the new weight, and logs it if it differs. */
export function changeWeight(
  changes: LearningChanges,
  { a, b, keys }: Pair,
  change: (current: number | undefined) => number,
): { readonly weight: number } {
  const current = changes.weightOf(...keys)
  const weight = change(current)
  if (weight === current) return { weight }
  for (const [id, other] of [
    [a, b],
    [b, a],
  ] as const)
    changes.log('link', id, { other, weight })
  return { weight }
}
