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
    if (depth < tuning.maxRecallLimit)
      throw invalid(
        `policy.depths.${channel}`,
        depth,
        `is below the largest limit ${tuning.maxRecallLimit}`,
        'Raise it: a larger limit may only append.',
      )
  }
  for (const [name, weight] of [
    ['lexical', policy.fusion.lexical],
    ['cosine', policy.fusion.cosine],
    ['terms', policy.fusion.terms],
    ['paths', policy.fusion.paths],
    ['meaning.weight', policy.fusion.meaning.weight],
  ] as const) {
    if (weight < 0) throw invalid(`policy.fusion.${name}`, weight, 'is negative', 'Use a weight of at least 0.')
  }
  return policy
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
