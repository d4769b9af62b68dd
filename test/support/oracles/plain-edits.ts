/**
 * The distance of Damerau and Levenshtein by search: the fewest letters added, left out, replaced or exchanged with their neighbour
 * that make one word the other. An exchange may have letters between that are added or left out. Plain and slow.
 */

/** Lowrance and Wagner (1975), over the whole table. */
export function plainEdits(from: string, to: string): number {
  const [a, b] = [[...from], [...to]]
  const far = a.length + b.length
  const table = new Map<string, number>()
  const at = (i: number, j: number) => table.get(`${i},${j}`) ?? far
  for (let i = 0; i <= a.length; i++) table.set(`${i},0`, i)
  for (let j = 0; j <= b.length; j++) table.set(`0,${j}`, j)
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const ways = [at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)]
      // Every earlier pair of letters that these two may have been exchanged from.
      for (let k = 1; k < i; k++) {
        for (let l = 1; l < j; l++) {
          if (a[k - 1] !== b[j - 1] || a[i - 1] !== b[l - 1]) continue
          ways.push(at(k - 1, l - 1) + (i - k - 1) + 1 + (j - l - 1))
        }
      }
      table.set(`${i},${j}`, Math.min(...ways))
    }
  }
  return at(a.length, b.length)
}

/** The edits that are forgiven between a typed word and a word, or null: another first letter counts as one more. */
export function forgiven(typed: string, word: string): number | null {
  const length = [...typed].length
  const most = length < 4 ? 0 : length < 8 ? 1 : 2
  const edits = plainEdits(typed, word)
  return edits > 0 && edits + (typed[0] === word[0] ? 0 : 1) <= most ? edits : null
}
