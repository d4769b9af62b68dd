/** Computes the borders of the passages of a body, in letters and in words. Words are those of the text index, so that its places tell the passage. */
import { tokenise } from '../tokenise/tokenise.ts'
import { splitPassages } from './split-passages.ts'

/** Numbers of a passage in `passageBorders`: its letters [from, to), and its words [from, to), counted from 0. */
export const numbersOfPassage = 4

/** Four numbers for each passage, in order; null for a body that is one passage. */
export function passageBorders(body: string): Uint32Array | null {
  const passages = splitPassages(body)
  if (passages.length <= 1) return null
  const words = tokenise(body)
  const borders = new Uint32Array(passages.length * numbersOfPassage)
  let first = 0
  for (const [i, { from, to }] of passages.entries()) {
    // Passages may overlap, so the end of one is not the beginning of the next.
    while (first < words.length && words[first]!.from < from) first++
    let end = first
    while (end < words.length && words[end]!.from < to) end++
    borders.set([from, to, first, end], i * numbersOfPassage)
  }
  return borders
}
