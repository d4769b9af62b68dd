/**
 * Which of up to 31 patterns occur in each piece of a vocabulary, in one pass over its units whatever the patterns are:
 * the automaton of Aho and Corasick (1975) with its failure links resolved into one table. Patterns longer than a stem
 * of 64 units are looked for by that stem and then compared whole, so that no pattern makes the table large.
 */
import type { Vocabulary } from './vocabulary.ts'

/** Patterns of one pass: one bit each, the sign bit left alone. */
export const maxPatterns = 31

/**
 * Writes to `masks`, for each piece, bit i where pattern i is part of it. Patterns are not empty; two may be equal.
 * `masks` must be as long as the vocabulary has pieces; those without uses get any value.
 */
export function findPatterns(vocabulary: Vocabulary, patterns: readonly string[], masks: Int32Array): void {
  const { units, starts, count } = vocabulary.pieces()
  const { classes, table, found } = compile(patterns.map((pattern) => pattern.slice(0, stemLength)))
  for (let id = 0, at = 0; id < count; id++) {
    const end = starts[id + 1]!
    let state = 0
    let mask = 0
    for (; at < end; at++) {
      state = table[state + classes[units[at]!]!]!
      mask |= table[state + found]!
    }
    masks[id] = mask
  }
  clear(patterns)
  for (const [i, pattern] of patterns.entries()) {
    if (pattern.length <= stemLength) continue
    for (let id = 0; id < count; id++) {
      const mask = masks[id]!
      if ((mask & (1 << i)) !== 0 && !vocabulary.includes(id, pattern)) masks[id] = mask & ~(1 << i)
    }
  }
}

const stemLength = 64

interface Automaton {
  /** By unit: its column, 0 for units that no pattern holds. */
  readonly classes: Uint16Array
  /** Rows of states, one after another; a state is the offset of its row. By column: the next state. */
  readonly table: Int32Array
  /** The column that says which patterns end here. */
  readonly found: number
}

/** Kept between searches, as it is large, and zero between them. */
const unitClasses = new Uint16Array(0x10000)

function compile(stems: readonly string[]): Automaton {
  let width = 1
  let length = 1
  for (const stem of stems) {
    length += stem.length
    for (let i = 0; i < stem.length; i++) {
      const unit = stem.charCodeAt(i)
      if (unitClasses[unit] === 0) unitClasses[unit] = width++
    }
  }
  const found = width++
  const table = new Int32Array(length * width)
  // The trie: row 0 is the root, and no edge leads back there, so 0 is "none yet".
  let rows = 1
  for (const [i, stem] of stems.entries()) {
    let state = 0
    for (let at = 0; at < stem.length; at++) {
      const edge = state + unitClasses[stem.charCodeAt(at)]!
      if (table[edge] === 0) table[edge] = rows++ * width
      state = table[edge]!
    }
    table[state + found] = table[state + found]! | (1 << i)
  }
  link(table, width, found, rows)
  return { classes: unitClasses, table, found }
}

/** Breadth first: a missing edge goes where the longest other suffix goes, which also says what else ends here. */
function link(table: Int32Array, width: number, found: number, rows: number): void {
  const fallback = new Int32Array(rows)
  const queue: number[] = []
  for (let column = 1; column < found; column++) if (table[column] !== 0) queue.push(table[column]!)
  for (const state of queue) {
    const other = fallback[state / width]!
    table[state + found] = table[state + found]! | table[other + found]!
    for (let column = 1; column < found; column++) {
      const next = table[state + column]!
      const beside = table[other + column]!
      if (next === 0) table[state + column] = beside
      else {
        fallback[next / width] = beside
        queue.push(next)
      }
    }
  }
}

function clear(patterns: readonly string[]): void {
  for (const pattern of patterns) {
    const end = Math.min(pattern.length, stemLength)
    for (let i = 0; i < end; i++) unitClasses[pattern.charCodeAt(i)] = 0
  }
}
