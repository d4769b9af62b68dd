/** The known word closest to a given one: what an error suggests when a name is wrong. */

/** The word with the fewest edits (Levenshtein); the first of several. */
export function nearest(word: string, known: Iterable<string>): string {
  let best = ''
  let fewest = Number.POSITIVE_INFINITY
  for (const candidate of known) {
    const edits = editDistance(word.slice(0, 64), candidate)
    if (edits < fewest) {
      fewest = edits
      best = candidate
    }
  }
  return best
}

/** One row of the table at a time. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const swap = (previous[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(swap, (previous[j] as number) + 1, (row[j - 1] as number) + 1))
    }
    previous = row
  }
  return previous[b.length] as number
}
