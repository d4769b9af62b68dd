/** Checks the form of a policy literal: the keys and types of its pattern, and names from closed lists. */
import { suggestName } from '../model/nearest.ts'
import { isPlainObject } from '../model/plain-object.ts'
import { pullChannels } from '../model/result.ts'
import { checkSynonyms } from './check-synonyms.ts'
import { invalidPolicy as invalid } from './invalid-policy.ts'

/** Maps whose keys the app chooses, or that may have a subset of the known keys. */
const openMaps: Readonly<Record<string, readonly string[] | null>> = {
  'policy.fusion.meaning.trust': null,
  'policy.fusion.weights': pullChannels,
}
/** Optional numbers that no shipped policy has. */
const optionalNumbers: ReadonlySet<string> = new Set(['policy.minScore', 'policy.perSource', 'policy.fusion.recent'])
/** Optional parts of a pattern. */
const optionalParts: ReadonlySet<string> = new Set([
  'policy.evidence.acrossLanguages',
  'policy.lexical.passages',
  'policy.fusion.pairs',
  'policy.fusion.time',
  'policy.fusion.neighbours',
  'policy.fusion.neighbours.halfLength',
])

/** `start`: the shipped policy that the hint of a missing part names. */
export function checkForm(value: unknown, pattern: unknown, path: string, start: string): void {
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
    if (path === 'policy' && key === 'synonyms') checkSynonyms(value)
    else if (optionalNumbers.has(`${path}.${key}`)) {
      if (value[key] !== undefined) checkForm(value[key], 0, `${path}.${key}`, start)
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
    checkForm(value[key], known[key], `${path}.${key}`, start)
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
    checkForm(value[key], 0, `${path}.${key}`, start)
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
    checkForm(entry, like, `${path}[${i}]`, start)
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
