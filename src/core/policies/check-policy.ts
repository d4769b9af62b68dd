/** Refuses a policy literal that misses a part, is not finite, or is not plain data; the error names the path. */
import { recallError } from '../model/errors.ts'
import type { Policy } from '../model/policy.ts'
import { tuning } from '../model/tuning.ts'
import { isPlainObject } from '../model/plain-object.ts'
import { balanced } from './balanced.ts'

/** Returns the literal itself when it is a complete policy. */
export function checkPolicy(input: unknown): Policy {
  compare(input, balanced, 'policy')
  const policy = input as Policy
  for (const [channel, depth] of Object.entries(policy.depths)) {
    if (!Number.isSafeInteger(depth) || depth < tuning.maxRecallLimit)
      throw invalid(
        `policy.depths.${channel}`,
        depth,
        `is no integer of at least the largest limit, ${tuning.maxRecallLimit}`,
        'Raise it: a larger limit may only append.',
      )
  }
  for (const [path, [min, max]] of Object.entries(bounds)) {
    const value = valueAt(policy, path)
    if (value < min || value > max)
      throw invalid(`policy.${path}`, value, `is not within ${min} and ${max}`, 'Keep it there: scores must be finite.')
  }
  const [low, high] = policy.fusion.meaning.clamp
  if (low < 0 || low > high)
    throw invalid('policy.fusion.meaning.clamp', `${low}, ${high}`, 'is no range', 'Give [low, high], 0 ≤ low ≤ high.')
  for (const [space, trust] of Object.entries(policy.fusion.meaning.trust)) {
    if (trust < 0 || trust > 1)
      throw invalid(`policy.fusion.meaning.trust.${space}`, trust, 'is not within 0 and 1', 'Give a share.')
  }
  const { defaultLimit } = policy
  if (!Number.isInteger(defaultLimit) || defaultLimit < 1 || defaultLimit > tuning.maxRecallLimit) {
    const problem = `is not an integer from 1 to ${tuning.maxRecallLimit}`
    throw invalid('policy.defaultLimit', defaultLimit, problem, 'Give one.')
  }
  return policy
}

const largestWeight = 1e9

/** Within these, every score is finite (law G1), and no weight is negative: bounds on a cosine must bound the score. */
const bounds: Readonly<Record<string, readonly [min: number, max: number]>> = {
  'lexical.k1': [0, 1000],
  'lexical.b': [0, 1],
  'lexical.lengthPrior': [0, 1e6],
  'lexical.titleBoost': [0, 1000],
  'lexical.commonWordWeight': [0, 1],
  'fusion.lexical': [0, largestWeight],
  'fusion.cosine': [0, largestWeight],
  'fusion.terms': [0, largestWeight],
  'fusion.paths': [0, largestWeight],
  'fusion.meaning.weight': [0, largestWeight],
  'fusion.meaning.peak': [0, 1000],
  // Above 0: it divides where nothing matches by words.
  'fusion.meaning.peakOffset': [1e-6, 1000],
  'fusion.meaning.backgroundPrior': [0, 1e6],
}

function valueAt(policy: Policy, path: string): number {
  let value: unknown = policy
  for (const key of path.split('.')) value = (value as Readonly<Record<string, unknown>>)[key]
  return value as number
}

/** Open maps: their keys are the app's own. */
const openMaps: ReadonlySet<string> = new Set(['policy.fusion.meaning.trust'])

/** Walks the default policy as the pattern: same keys, same kinds of values. */
function compare(value: unknown, pattern: unknown, path: string): void {
  if (typeof pattern === 'number') {
    if (typeof value !== 'number' || !Number.isFinite(value))
      throw invalid(path, value, 'is not a finite number', 'Give a finite number.')
    return
  }
  if (typeof pattern === 'string' || typeof pattern === 'boolean') {
    if (typeof value !== typeof pattern)
      throw invalid(path, value, `is not a ${typeof pattern}`, `Give a ${typeof pattern}.`)
    checkChoice(value, path)
    return
  }
  if (Array.isArray(pattern)) {
    if (!Array.isArray(value) || value.length !== pattern.length)
      throw invalid(path, value, `is not an array of ${pattern.length}`, 'Give one.')
    for (const [i, entry] of pattern.entries()) compare(value[i], entry, `${path}[${i}]`)
    return
  }
  if (!isPlainObject(value)) throw invalid(path, value, 'is not a plain object', 'Give a literal.')
  const known = pattern as Readonly<Record<string, unknown>>
  if (openMaps.has(path)) {
    for (const key of Object.keys(value)) compare(value[key], 0, `${path}.${key}`)
    return
  }
  for (const key of Object.keys(value)) {
    if (!Object.hasOwn(known, key))
      throw invalid(
        `${path}.${key}`,
        undefined,
        'is not a part of a policy',
        `Parts here: ${Object.keys(known).join(', ')}.`,
      )
  }
  for (const key of Object.keys(known)) {
    if (!Object.hasOwn(value, key))
      throw invalid(
        `${path}.${key}`,
        undefined,
        'is missing',
        'Start from { ...policies.balanced } and change what you need.',
      )
    compare(value[key], known[key], `${path}.${key}`)
  }
}

const choices: Readonly<Record<string, readonly unknown[]>> = {
  'policy.collapse': ['exact', 'none'],
  'policy.order': ['updatedAt', 'createdAt'],
  'policy.fusion.kind': ['convex'],
}

function checkChoice(value: unknown, path: string): void {
  const allowed = choices[path]
  if (allowed !== undefined && !allowed.includes(value))
    throw invalid(path, value, `is not one of ${allowed.join(', ')}`, 'Use one of them.')
}

function invalid(field: string, value: unknown, problem: string, cure: string) {
  return recallError('INVALID_POLICY', problem, value === undefined ? { field, cure } : { field, value, cure })
}
