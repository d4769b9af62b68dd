/**
 * Validates policy literals. Rejects a literal with a missing part or reason code, a number that is not finite, or a value that
 * is not plain data; the error names the path. The pattern is the shipped policy of the same fusion: same keys, same types.
 */

import { deepFrozen } from '../model/deep-frozen.ts'
import { recallError } from '../model/errors.ts'
import { suggestName } from '../model/nearest.ts'
import { isPlainObject } from '../model/plain-object.ts'
import type { NeighbourShares, Policy, RankPolicy } from '../model/policy.ts'
import { reasonCodes } from '../model/reason-codes.ts'
import { pullChannels } from '../model/result.ts'
import { tuning } from '../model/tuning.ts'
import { balanced } from './balanced.ts'
import { ctxsift } from './ctxsift.ts'
import { popoto } from './popoto.ts'
import { secondBrain } from './second-brain.ts'

/**
 * Returns a frozen copy of a complete policy, so that the validated policy is the one that decides and is hashed. Otherwise
 * throws `INVALID_POLICY` with the path of the wrong part.
 */
export function checkPolicy(input: unknown): Policy {
  const copy = copyOf(input, 'policy')
  const { policy: pattern, name } = patternOf(copy)
  compare(copy, pattern, 'policy', name)
  const policy = deepFrozen(copy as Policy)
  checkRanges(policy)
  checkDepths(policy)
  checkGateCodes(policy)
  if (policy.fusion.kind === 'convex') {
    checkClamp(policy.fusion.meaning.clamp)
    if (policy.fusion.neighbours !== undefined) checkReach(policy.fusion.neighbours)
  }
  return policy
}

/** Deeper than any policy. Deeper parts are rejected as unknown, which also ends cycles. */
const deepest = 8

/** Reads each part once. A value that is not plain data is kept for `compare` to reject. */
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

/** Maps whose keys the app chooses, or that may have a subset of the known keys. */
const openMaps: Readonly<Record<string, readonly string[] | null>> = {
  'policy.fusion.meaning.trust': null,
  'policy.fusion.weights': pullChannels,
}
/** Optional numbers that no shipped policy has. */
const optionalNumbers: ReadonlySet<string> = new Set(['policy.minScore', 'policy.perSource', 'policy.fusion.recent'])
/** Optional parts of a pattern. */
const optionalParts: ReadonlySet<string> = new Set(['policy.fusion.pairs', 'policy.fusion.neighbours'])

function compare(value: unknown, pattern: unknown, path: string, start: string): void {
  if (typeof pattern === 'number') {
    if (typeof value !== 'number' || !Number.isFinite(value))
      throw invalid(path, value, 'must be a finite number', 'Give a finite number.')
    return
  }
  if (typeof pattern === 'string' || typeof pattern === 'boolean') {
    if (typeof value !== typeof pattern)
      throw invalid(path, value, `must be a ${typeof pattern}`, `Give a ${typeof pattern}.`)
    checkChoice(value, path)
    return
  }
  if (Array.isArray(pattern)) return compareList(value, pattern, path, start)
  if (!isPlainObject(value)) throw invalid(path, value, 'must be a plain object', 'Give an object literal.')
  const known = pattern as Readonly<Record<string, unknown>>
  // If the pattern names the weights, exactly these names are valid.
  if (Object.hasOwn(openMaps, path) && (path !== 'policy.fusion.weights' || Object.keys(known).length === 0))
    return compareMap(value, openMaps[path] ?? null, path, start)
  for (const key of Object.keys(value)) {
    if (optionalNumbers.has(`${path}.${key}`)) {
      if (value[key] !== undefined) compare(value[key], 0, `${path}.${key}`, start)
    } else if (!Object.hasOwn(known, key) || known[key] === undefined) {
      const parts = Object.keys(known).filter((part) => known[part] !== undefined)
      throw invalid(`${path}.${key}`, undefined, 'must be a known part of a policy', suggestName(key, parts))
    }
  }
  for (const key of Object.keys(known)) {
    if (known[key] === undefined) continue
    if (value[key] === undefined && optionalParts.has(`${path}.${key}`)) continue
    if (!Object.hasOwn(value, key))
      throw invalid(`${path}.${key}`, undefined, 'is required', `Start from { ...${start} } and change what you need.`)
    compare(value[key], known[key], `${path}.${key}`, start)
  }
}

function compareMap(
  value: Readonly<Record<string, unknown>>,
  keys: readonly string[] | null,
  path: string,
  start: string,
) {
  for (const key of Object.keys(value)) {
    if (keys !== null && !keys.includes(key))
      throw invalid(`${path}.${key}`, undefined, 'must be a known name', `Use one of ${keys.join(', ')}.`)
    if (key === '__proto__')
      throw invalid(
        `${path}.${key}`,
        undefined,
        'must have another name',
        'Rename it: this name could reach a prototype.',
      )
    compare(value[key], 0, `${path}.${key}`, start)
  }
}

const freeLists: ReadonlySet<string> = new Set([
  'policy.gateCodes',
  'policy.lifeDaysByTag',
  'policy.fusion.neighbours.before',
  'policy.fusion.neighbours.after',
])

/** Entries of a list of any length follow its first entry; pairs have the length of their pattern. */
function compareList(value: unknown, pattern: readonly unknown[], path: string, start: string): void {
  const free = freeLists.has(path)
  if (!Array.isArray(value) || (!free && value.length !== pattern.length))
    throw invalid(
      path,
      value,
      free ? 'must be an array' : `must be an array of ${pattern.length}`,
      'Give an array of this form.',
    )
  for (const [i, entry] of value.entries()) {
    const like = path === 'policy.gateCodes' ? '' : free ? pattern[0] : pattern[i]
    compare(entry, like, `${path}[${i}]`, start)
  }
}

const choices: Readonly<Record<string, readonly unknown[]>> = {
  'policy.collapse': ['exact', 'near', 'none'],
  'policy.keep': ['best', 'newest'],
  'policy.order': ['updatedAt', 'createdAt'],
  'policy.riskGate': ['flag', 'exclude'],
  'policy.freshnessOf': ['worst', 'first-stale'],
  'policy.confidenceRule': ['bounded', 'sqrt'],
  'policy.assembly.surfacing': ['due', 'cyclic'],
  'policy.assembly.overflow': ['skip', 'stop'],
  'policy.lexical.units': ['words', 'runs'],
  'policy.lexical.statistics': ['scope', 'fts5'],
  'policy.fusion.lexicalScale': ['absolute', 'saturated'],
}

function checkChoice(value: unknown, path: string): void {
  const allowed = choices[path]
  if (allowed !== undefined && !allowed.includes(value))
    throw invalid(path, value, `must be one of ${allowed.join(', ')}`, 'Use one of these values.')
}

const largestWeight = 1e9
const weight = [0, largestWeight] as const
const signed = [-largestWeight, largestWeight] as const

/**
 * Within these ranges every score is finite [G1], and the factors of a cosine are never negative, so that bounds on a cosine
 * bound the score. A path ending in `.*` means every number of that part.
 */
const ranges: readonly (readonly [path: string, range: readonly [min: number, max: number]])[] = [
  ['lexical.k1', [0, 1000]],
  ['lexical.b', [0, 1]],
  ['lexical.lengthPrior', [0, 1e6]],
  ['lexical.titleBoost', [0, 1000]],
  ['lexical.commonWordWeight', [0, 1]],
  ['lexical.questionWordWeight', [0, 1]],
  ['filesCosine', [-1, 1]],
  ['freshness.*', signed],
  ['minScore', signed],
  ['perSource', [1, tuning.maxRecallLimit]],
  ['prefer.*', signed],
  ['recency', signed],
  ['recencyWindowDays', [1e-6, 1e6]],
  ['reasonWeights.*', signed],
  ['categoryFactor.*', signed],
  ['reasonBound', weight],
  ['learned.confidence', weight],
  ['learned.decay', weight],
  ['learned.halfLifeDays', [1e-6, 1e6]],
  ['learned.access', weight],
  ['learned.halfReads', [1e-6, 1e6]],
  ['learned.linked', weight],
  ['fusion.linked', weight],
  ['assembly.reserveProactive', [0, tuning.maxRecallLimit]],
  ['fusion.lexical', weight],
  ['fusion.cosine', weight],
  ['fusion.terms', weight],
  ['fusion.paths', weight],
  ['fusion.recent', weight],
  ['fusion.pairs', weight],
  ['fusion.neighbours.before.*', weight],
  ['fusion.neighbours.after.*', weight],
  ['fusion.meaning.weight', weight],
  ['fusion.meaning.peak', [0, 1000]],
  // Above 0, because it is a divisor if no words match.
  ['fusion.meaning.peakOffset', [1e-6, 1000]],
  ['fusion.meaning.backgroundPrior', [0, 1e6]],
  ['fusion.meaning.trust.*', [0, 1]],
  ['fusion.offset', [0, 1e6]],
  ['fusion.weights.*', weight],
  ['fusion.sources.*', weight],
  ['fusion.recency.*', weight],
  ['fusion.agreement.*', weight],
  ['fusion.stages.*', weight],
  ['fusion.minCosine', [-1, 1]],
  ['fusion.candidates', [1, 1e6]],
  ['fusion.bonuses.*', signed],
  ['fusion.scale', [1e-6, 1e6]],
  ['thresholds.strong', [-1e18, 1e18]],
  ['thresholds.weak', [-1e18, 1e18]],
  ['thresholds.weakLimit', [0, tuning.maxRecallLimit]],
  ['lifeDays', [1e-6, 1e9]],
]

/** Paths of integers. */
const wholeNumbers = ['perSource', 'fusion.candidates', 'thresholds.weakLimit', 'assembly.reserveProactive']

function checkRanges(policy: Policy): void {
  for (const [path, [min, max]] of ranges) {
    for (const [at, value] of numbersAt(policy, path)) {
      if (value < min || value > max)
        throw invalid(
          `policy.${at}`,
          value,
          `must be a number from ${min} to ${max}`,
          'Give a number in this range, so that scores stay finite.',
        )
    }
  }
  if ('lifeDaysByTag' in policy) {
    for (const [i, [, days]] of policy.lifeDaysByTag.entries())
      if (!(days >= 1e-6 && days <= 1e9))
        throw invalid(
          `policy.lifeDaysByTag[${i}]`,
          days,
          'must be a number of days from 1e-6 to 1e9',
          'Give a positive number of days.',
        )
  }
  for (const path of wholeNumbers) {
    for (const [at, value] of numbersAt(policy, path))
      if (!Number.isInteger(value)) throw invalid(`policy.${at}`, value, 'must be an integer', 'Give an integer.')
  }
  const { defaultLimit } = policy
  if (!Number.isInteger(defaultLimit) || defaultLimit < 1 || defaultLimit > tuning.maxRecallLimit) {
    const problem = `must be an integer from 1 to ${tuning.maxRecallLimit}`
    throw invalid('policy.defaultLimit', defaultLimit, problem, 'Give an integer in this range.')
  }
}

/** The numbers at a path; none if the policy's kind has no such part. */
function numbersAt(policy: Policy, path: string): readonly (readonly [string, number])[] {
  const every = path.endsWith('.*')
  const at = every ? path.slice(0, -2) : path
  let value: unknown = policy
  for (const key of at.split('.')) value = isPlainObject(value) ? value[key] : undefined
  if (every) return Object.entries(value ?? {}).map(([key, entry]) => [`${at}.${key}`, entry as number])
  return typeof value === 'number' ? [[at, value]] : []
}

function checkDepths({ depths }: Policy): void {
  for (const [channel, depth] of Object.entries(depths)) {
    if (depth !== 0 && (!Number.isSafeInteger(depth) || depth < tuning.maxRecallLimit))
      throw invalid(
        `policy.depths.${channel}`,
        depth,
        `must be 0 or an integer of at least ${tuning.maxRecallLimit}, the largest limit`,
        'Raise the depth, because a larger limit may only append. Use 0 to leave the channel out.',
      )
  }
}

function checkGateCodes({ gateCodes }: Policy): void {
  for (const [i, code] of gateCodes.entries()) {
    if (!Object.hasOwn(reasonCodes, code)) {
      const hint = suggestName(code, Object.keys(reasonCodes))
      throw invalid(`policy.gateCodes[${i}]`, code, 'must be a registered reason code', hint)
    }
  }
}

function checkClamp([low, high]: readonly [number, number]): void {
  if (low < 0 || low > high)
    throw invalid(
      'policy.fusion.meaning.clamp',
      `${low}, ${high}`,
      'must be a range',
      'Give [low, high] with 0 ≤ low ≤ high.',
    )
}

function checkReach({ before, after }: NeighbourShares): void {
  for (const [side, { length }] of Object.entries({ before, after })) {
    if (length > tuning.maxNeighbours)
      throw invalid(
        `policy.fusion.neighbours.${side}`,
        length,
        `must have at most ${tuning.maxNeighbours} weights`,
        'Remove the weights of the farthest neighbours.',
      )
  }
}

function invalid(field: string, value: unknown, problem: string, hint: string) {
  return recallError('INVALID_POLICY', problem, value === undefined ? { field, hint } : { field, value, hint })
}
