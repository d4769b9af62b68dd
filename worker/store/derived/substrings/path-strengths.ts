/**
 * How strongly each distinct path matches a query and its terms: of equal, ending in `/` and it, holding it, the first that
 * is so, summed over the query and the terms, as in the program the policy comes from. Paths and terms are compared as
 * they stand: only a `files` filter turns `\` into `/` (docs/spec.md#staged-fusion).
 */
import { tuning } from '../../../../src/core/model/tuning.ts'
import { findPatterns, maxPatterns } from './find-patterns.ts'
import type { Vocabulary } from './vocabulary.ts'

/** By path number. `asked` and `terms` as for `createTextMatcher`. */
export function pathStrengths(paths: Vocabulary, asked: string, terms: readonly string[]): Float64Array {
  const { count } = paths.pieces()
  const strengths = new Float64Array(count)
  if (count === 0) return strengths
  const patterns = asked === '' ? terms : [asked, ...terms]
  const masks = new Int32Array(count)
  for (let from = 0; from < patterns.length; from += maxPatterns) {
    const group = patterns.slice(from, from + maxPatterns)
    findPatterns(paths, group, masks)
    for (let path = 0; path < count; path++) {
      for (let mask = masks[path]!; mask !== 0; mask &= mask - 1) {
        const pattern = group[31 - Math.clz32(mask & -mask)]!
        const weights = pattern === asked ? tuning.pathStrength.query : tuning.pathStrength.term
        strengths[path] = strengths[path]! + weights[kindOf(paths, path, pattern)]
      }
    }
  }
  return strengths
}

/** How a path that holds a pattern holds it. */
function kindOf(paths: Vocabulary, path: number, pattern: string): 'equal' | 'ending' | 'inside' {
  if (!paths.endsWith(path, pattern)) return 'inside'
  const before = paths.unitFromEnd(path, pattern.length + 1)
  if (before === slash) return 'ending'
  return before === null ? 'equal' : 'inside'
}

const slash = 0x2f
