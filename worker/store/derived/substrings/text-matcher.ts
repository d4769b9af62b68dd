/**
 * How strongly a text matches a query and its terms. The distinct runs are searched once, 31 terms at a time; what a text
 * holds is then the union of what its runs hold, and the whole query is looked for where all its terms are.
 */
import { tuning } from '../../../../src/core/model/tuning.ts'
import { findPatterns, maxPatterns } from './find-patterns.ts'
import { compilePhrase, occursIn } from './text-pieces.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Strength of the text that is pieces[from, to); 0 where it holds nothing. */
export type TextMatcher = (pieces: Int32Array, from: number, to: number) => number

/**
 * `asked` is folded and trimmed, '' for no query; `terms` are distinct runs, and none is `asked` itself. Good until the
 * vocabulary changes.
 */
export function createTextMatcher(runs: Vocabulary, asked: string, terms: readonly string[]): TextMatcher {
  const phrase = compilePhrase(runs, asked)
  // A query of one piece is one pattern more, the last; one of several is looked for piece by piece.
  const isPattern = phrase !== null && phrase.last === null
  const passes = groupsOf(isPattern ? [...terms, asked] : terms).map((patterns, i, { length }): Pass => {
    const masks = new Int32Array(runs.pieces().count)
    findPatterns(runs, patterns, masks)
    return { masks, whole: isPattern && i === length - 1 ? 1 << (patterns.length - 1) : 0 }
  })
  // Where the query occurs, all its terms do: nearly every text is passed over by its count alone.
  const needed = terms.every((term) => asked.includes(term)) ? terms.length : 0
  const { query, term } = tuning.textStrength
  return (pieces, from, to) => {
    if (from === to) return 0
    let held = 0
    let whole = false
    for (let i = 0; i < passes.length; i++) {
      const pass = passes[i]!
      const mask = unionOf(pass.masks, pieces, from, to)
      held += bitCount(mask & ~pass.whole)
      if ((mask & pass.whole) !== 0) whole = true
    }
    if (phrase !== null && !isPattern && held >= needed) whole = occursIn(runs, phrase, pieces, from, to)
    return (whole ? query : 0) + held * term
  }
}

interface Pass {
  /** What each run holds, a bit a pattern. */
  readonly masks: Int32Array
  /** The bit of the whole query; 0 where it is none of the patterns. */
  readonly whole: number
}

function groupsOf(patterns: readonly string[]): readonly (readonly string[])[] {
  const groups: string[][] = []
  for (let from = 0; from < patterns.length; from += maxPatterns) groups.push(patterns.slice(from, from + maxPatterns))
  return groups
}

function unionOf(masks: Int32Array, pieces: Int32Array, from: number, to: number): number {
  let mask = 0
  for (let at = from; at < to; at++) mask |= masks[pieces[at]! >> 1]!
  return mask
}

function bitCount(mask: number): number {
  let bits = mask - ((mask >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
