/**
 * Scores how well a text matches a query and its terms. Each distinct token is searched once, for 31 terms at a time. The terms of a
 * text are the union of the terms in its tokens. The whole query is searched only in texts that contain all its terms.
 */
import { tuning } from '../../../../src/core/model/tuning.ts'
import { findPatterns, maxPatterns } from './find-patterns.ts'
import { compilePhrase, occursIn } from './text-segments.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Score of the text that is segments[from, to); 0 for no match. */
export type TextMatcher = (segments: Int32Array, from: number, to: number) => number

/**
 * `folded`: the query, folded and trimmed; '' for none. `terms`: distinct tokens, none equal to `folded`. Valid until the vocabulary
 * changes.
 */
export function createTextMatcher(runs: Vocabulary, folded: string, terms: readonly string[]): TextMatcher {
  const phrase = compilePhrase(runs, folded)
  // A query of one segment is searched as one more pattern, the last. A query of several segments is searched segment by segment.
  const isPattern = phrase !== null && phrase.last === null
  const passes = groupsOf(isPattern ? [...terms, folded] : terms).map((patterns, i, { length }): Pass => {
    const masks = new Int32Array(runs.packed().count)
    findPatterns(runs, patterns, masks)
    return { masks, whole: isPattern && i === length - 1 ? 1 << (patterns.length - 1) : 0 }
  })
  // Where the query occurs, all its terms do, so the number of terms rules out nearly every text.
  const needed = terms.every((term) => folded.includes(term)) ? terms.length : 0
  const { query, term } = tuning.textStrength
  return (segments, from, to) => {
    if (from === to) return 0
    let matches = 0
    let whole = false
    for (let i = 0; i < passes.length; i++) {
      const pass = passes[i]!
      const mask = unionOf(pass.masks, segments, from, to)
      matches += bitCount(mask & ~pass.whole)
      if ((mask & pass.whole) !== 0) whole = true
    }
    if (phrase !== null && !isPattern && matches >= needed) whole = occursIn(runs, phrase, segments, from, to)
    return (whole ? query : 0) + matches * term
  }
}

interface Pass {
  /** The patterns in each token, one bit for each. */
  readonly masks: Int32Array
  /** The bit of the whole query; 0 if it is not among the patterns. */
  readonly whole: number
}

function groupsOf(patterns: readonly string[]): readonly (readonly string[])[] {
  const groups: string[][] = []
  for (let from = 0; from < patterns.length; from += maxPatterns) groups.push(patterns.slice(from, from + maxPatterns))
  return groups
}

function unionOf(masks: Int32Array, segments: Int32Array, from: number, to: number): number {
  let mask = 0
  for (let at = from; at < to; at++) mask |= masks[segments[at]! >> 1]!
  return mask
}

function bitCount(mask: number): number {
  let bits = mask - ((mask >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
