/**
 * Validates policy literals. Rejects a literal with a missing part or reason code, a number outside its range, or a value that is not
 * plain data; the error names the path. The pattern is the shipped policy of the same fusion: same keys, same types.
 */

import { deepFrozen, isPlainObject } from '../model/plain-object.ts'
import type { Policy, RankPolicy } from '../model/policy.ts'
import { balanced } from './balanced.ts'
import { checkForm } from './check-form.ts'
import { checkRanges } from './check-ranges.ts'
import { ctxsift } from './ctxsift.ts'
import { invalidPolicy as invalid } from './invalid-policy.ts'
import { popoto } from './popoto.ts'
import { secondBrain } from './second-brain.ts'

/**
 * Returns a frozen copy of a complete policy, so that the validated policy is the one that decides and is hashed. Otherwise
 * throws `INVALID_POLICY` with the path of the wrong part.
 */
export function checkPolicy(input: unknown): Policy {
  const copy = copyOf(input, 'policy')
  const { policy: pattern, name } = patternOf(copy)
  checkForm(copy, pattern, 'policy', name)
  const policy = deepFrozen(copy as Policy)
  checkRanges(policy)
  return policy
}

/** Deeper than any policy. Deeper parts are rejected as unknown, which also ends cycles. */
const deepest = 8

/** Reads each part once. A value that is not plain data is kept for `checkForm` to reject. */
function copyOf(value: unknown, path: string, depth = 0): unknown {
  if (depth > deepest) return null
  if (Array.isArray(value)) return Array.from(value, (entry, i) => copyOf(entry, `${path}[${i}]`, depth + 1))
  if (!isPlainObject(value)) return value
  return Object.fromEntries(
    Object.keys(value).map((key) => {
      const found = Object.getOwnPropertyDescriptor(value, key)
      if (found?.get !== undefined)
        throw invalid(`${path}.${key}`, undefined, 'must be a plain value, got a getter', 'Give the value itself.')
      return [key, copyOf(found?.value, `${path}.${key}`, depth + 1)]
    }),
  )
}

/** A literal of rank fusion. No shipped policy uses it, but an app may. */
const rankPattern: RankPolicy & Record<'decay' | 'lifeDays' | 'lifeDaysByTag', undefined> = {
  ...secondBrain,
  decay: undefined,
  lifeDaysByTag: undefined,
  lifeDays: undefined,
  fusion: { kind: 'rrf', offset: 60, weights: {} },
}

const patterns: Readonly<Record<Policy['fusion']['kind'], { readonly policy: Policy; readonly name: string }>> = {
  convex: { policy: balanced, name: 'policies.balanced' },
  staged: { policy: ctxsift, name: 'policies.ctxsift' },
  product: { policy: secondBrain, name: 'policies.secondBrain' },
  composite: { policy: popoto, name: 'policies.popoto' },
  rrf: { policy: rankPattern, name: 'policies.secondBrain without decay and lives' },
}

function patternOf(input: unknown) {
  if (!isPlainObject(input)) throw invalid('policy', input, 'must be a plain object', 'Give an object literal.')
  const { fusion } = input
  if (!isPlainObject(fusion)) {
    const problem = Object.hasOwn(input, 'fusion') ? 'must be a plain object' : 'is required'
    throw invalid('policy.fusion', fusion, problem, 'Start from { ...policies.balanced } and change what you need.')
  }
  const kind = fusion.kind
  if (typeof kind !== 'string' || !Object.hasOwn(patterns, kind))
    throw invalid(
      'policy.fusion.kind',
      kind,
      `must be one of ${Object.keys(patterns).join(', ')}`,
      'Use one of these names.',
    )
  return patterns[kind as keyof typeof patterns]
}
