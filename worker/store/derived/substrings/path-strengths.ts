/**
 * Scores how well each distinct path matches a query and its terms. The first of three cases counts: equal, ends in `/` plus the
 * pattern, contains it. The scores of query and terms are summed, as in the program that this policy reproduces. Paths and terms are
 * compared unchanged: only a `files` filter turns `\` into `/` (docs/spec/ranking.md#staged-fusion).
 */
import { tuning } from '../../../../src/core/model/tuning.ts'
import { findPatterns, maxPatterns } from './find-patterns.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Scores by path number. `folded` and `terms`: see `createTextMatcher`. */
export function pathStrengths(paths: Vocabulary, folded: string, terms: readonly string[]): Float64Array {
  const { count } = paths.packed()
  const strengths = new Float64Array(count)
  if (count === 0) return strengths
  const patterns = folded === '' ? terms : [folded, ...terms]
  const masks = new Int32Array(count)
  for (let from = 0; from < patterns.length; from += maxPatterns) {
    const group = patterns.slice(from, from + maxPatterns)
    findPatterns(paths, group, masks)
    for (let path = 0; path < count; path++) {
      for (let mask = masks[path]!; mask !== 0; mask &= mask - 1) {
        const pattern = group[31 - Math.clz32(mask & -mask)]!
        const weights = pattern === folded ? tuning.pathStrength.query : tuning.pathStrength.term
        strengths[path] = strengths[path]! + weights[kindOf(paths, path, pattern)]
      }
    }
  }
  return strengths
}

/** How a path contains a pattern. */
function kindOf(paths: Vocabulary, path: number, pattern: string): 'equal' | 'ending' | 'inside' {
  if (!paths.endsWith(path, pattern)) return 'inside'
  const before = paths.unitFromEnd(path, pattern.length + 1)
  if (before === slash) return 'ending'
  return before === null ? 'equal' : 'inside'
}

const slash = 0x2f
