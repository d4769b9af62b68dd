/**
 * Finds which of up to 31 patterns occur in each entry of a vocabulary, in one pass: the automaton of Aho and Corasick (1975)
 * with its failure links resolved into one table. A pattern longer than 64 units is searched by its first 64 units (its stem)
 * and then compared in full, which limits the size of the table.
 */
import type { Vocabulary } from './vocabulary.ts'

/** Patterns per pass: one bit each, without the sign bit. */
export const maxPatterns = 31

/**
 * Sets bit i of `masks[id]` if entry `id` contains pattern i. Patterns must not be empty; two may be equal.
 * `masks` must have one element for each entry; elements of entries without uses are undefined.
 */
export function findPatterns(vocabulary: Vocabulary, patterns: readonly string[], masks: Int32Array): void {
  const { units, starts, count } = vocabulary.packed()
  const { classes, table, matchColumn } = compile(patterns.map((pattern) => pattern.slice(0, stemLength)))
  for (let id = 0, at = 0; id < count; id++) {
    const end = starts[id + 1]!
    let state = 0
    let mask = 0
    for (; at < end; at++) {
      state = table[state + classes[units[at]!]!]!
      mask |= table[state + matchColumn]!
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
  /** Column by unit; 0 for units that occur in no pattern. */
  readonly classes: Uint16Array
  /** Transition table. A state is the offset of its row; a column holds the next state. */
  readonly table: Int32Array
  /** The column of the patterns that end in a state. */
  readonly matchColumn: number
}

/** Shared by all searches, because it is large. All zero between them. */
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
  const matchColumn = width++
  const table = new Int32Array(length * width)
  // Builds the trie. Row 0 is the root; no edge leads back to it, so 0 means "no edge yet".
  let rows = 1
  for (const [i, stem] of stems.entries()) {
    let state = 0
    for (let at = 0; at < stem.length; at++) {
      const edge = state + unitClasses[stem.charCodeAt(at)]!
      if (table[edge] === 0) table[edge] = rows++ * width
      state = table[edge]!
    }
    table[state + matchColumn] = table[state + matchColumn]! | (1 << i)
  }
  link(table, width, matchColumn, rows)
  return { classes: unitClasses, table, matchColumn }
}

/** Breadth first: a missing edge leads where the longest proper suffix leads, whose matches also end here. */
function link(table: Int32Array, width: number, matchColumn: number, rows: number): void {
  const fallback = new Int32Array(rows)
  const queue: number[] = []
  for (let column = 1; column < matchColumn; column++) if (table[column] !== 0) queue.push(table[column]!)
  for (const state of queue) {
    const other = fallback[state / width]!
    table[state + matchColumn] = table[state + matchColumn]! | table[other + matchColumn]!
    for (let column = 1; column < matchColumn; column++) {
      const next = table[state + column]!
      const target = table[other + column]!
      if (next === 0) table[state + column] = target
      else {
        fallback[next / width] = target
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
