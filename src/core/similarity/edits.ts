/**
 * Finds words of a sorted list that differ from a typed word by few edits: one letter added, left out or replaced, or two letters
 * exchanged (the distance of Damerau and Levenshtein). Words that begin alike share the work for their common beginning, and a
 * beginning that differs too much ends the search among all words with it. Works in UTF-16 units.
 */

/** Most edits that are forgiven: 1 in words of 4 letters or more, 2 from 8. */
export function forgivenEdits(typed: string): 0 | 1 | 2 {
  if (typed.length < 4) return 0
  return typed.length < 8 ? 1 : 2
}

/**
 * Visits each distinct beginning, and each whole word, that is at most `most` (1 or 2) edits from the typed word: its length, the
 * index of the first word with it, and its edits. `words` must be sorted so that equal beginnings are adjacent, without repetition.
 */
export function eachNear(
  words: readonly string[],
  typed: string,
  most: number,
  visit: (length: number, index: number, edits: number) => void,
): void {
  const columns = typed.length + 1
  // Row `d`: the edits from the first `d` letters of a word to each beginning of the typed one.
  const rows = Array.from({ length: typed.length + most + 2 }, () => new Uint8Array(columns))
  rows[0]!.set(Array.from({ length: columns }, (_, j) => j))
  let previous = ''
  for (let at = 0; at < words.length; ) {
    const word = words[at]!
    let depth = commonLength(previous, word)
    let least = 0
    while (depth < word.length && least <= most) {
      depth++
      least = fillRow(rows, depth, word, typed)
      const edits = rows[depth]![typed.length]!
      if (edits <= most) visit(depth, at, edits)
    }
    previous = word
    at = least > most ? firstWithout(words, at, word.slice(0, depth)) : at + 1
  }
}

/** The first index from `from` on of a word that does not begin so. */
export function firstWithout(words: readonly string[], from: number, beginning: string): number {
  let step = 1
  let low = from
  while (low + step <= words.length && words[low + step - 1]!.startsWith(beginning)) {
    low += step
    step *= 2
  }
  let high = Math.min(words.length, low + step - 1)
  while (low < high) {
    const middle = (low + high) >> 1
    if (words[middle]!.startsWith(beginning)) low = middle + 1
    else high = middle
  }
  return low
}

/** Computes row `depth` from the rows before it; returns its least value. */
function fillRow(rows: readonly Uint8Array[], depth: number, word: string, typed: string): number {
  const row = rows[depth]!
  const above = rows[depth - 1]!
  const letter = word.charCodeAt(depth - 1)
  row[0] = depth
  let least = depth
  for (let j = 1; j <= typed.length; j++) {
    const isSame = letter === typed.charCodeAt(j - 1)
    let edits = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (isSame ? 0 : 1))
    if (!isSame) edits = Math.min(edits, exchanged(rows, depth, j, word, typed))
    row[j] = edits
    if (edits < least) least = edits
  }
  return least
}

/** Two letters exchanged, at most one letter between them added or left out. */
function exchanged(rows: readonly Uint8Array[], depth: number, j: number, word: string, typed: string): number {
  if (depth < 2 || j < 2) return Number.POSITIVE_INFINITY
  const [ofWord, ofTyped] = [word.charCodeAt(depth - 1), typed.charCodeAt(j - 1)]
  const isLast = ofWord === typed.charCodeAt(j - 2)
  const wasLast = word.charCodeAt(depth - 2) === ofTyped
  let edits = isLast && wasLast ? rows[depth - 2]![j - 2]! + 1 : Number.POSITIVE_INFINITY
  if (isLast && depth > 2 && word.charCodeAt(depth - 3) === ofTyped)
    edits = Math.min(edits, rows[depth - 3]![j - 2]! + 2)
  if (wasLast && j > 2 && ofWord === typed.charCodeAt(j - 3)) edits = Math.min(edits, rows[depth - 2]![j - 3]! + 2)
  return edits
}

function commonLength(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  let at = 0
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at++
  return at
}
