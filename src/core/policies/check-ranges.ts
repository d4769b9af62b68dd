/** Checks the numbers and codes of a policy of the right form. */
import { suggestName } from '../model/nearest.ts'
import { isPlainObject } from '../model/plain-object.ts'
import type { NeighbourShares, Policy } from '../model/policy.ts'
import { reasonCodes } from '../model/reason-codes.ts'
import { tuning } from '../model/tuning.ts'
import { invalidPolicy as invalid } from './invalid-policy.ts'

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
  ['lexical.passages.title', [0, 1]],
  ['lexical.passages.rest', [0, 1]],
  ['lexical.passages.lengths', weight],
  ['lexical.passages.most', weight],
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
  ['fusion.time', weight],
  ['fusion.neighbours.before.*', weight],
  ['fusion.neighbours.after.*', weight],
  ['fusion.neighbours.halfLength', [1, 1e6]],
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

/** Throws `INVALID_POLICY` for the first number, depth or code outside its range. The form must be checked before. */
export function checkRanges(policy: Policy): void {
  checkNumbers(policy)
  checkDepths(policy)
  checkGateCodes(policy)
  if (policy.fusion.kind === 'convex') {
    checkClamp(policy.fusion.meaning.clamp)
    if (policy.fusion.neighbours !== undefined) checkReach(policy.fusion.neighbours)
  }
}

function checkNumbers(policy: Policy): void {
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
