/** Suggests the known name that is nearest to a wrong one, for hints of errors. */
import { type NamedPlace, namesElsewhere } from './names-elsewhere.ts'

/** The known word with the fewest edits, the first of several; null if even that differs in more than a third of the letters. */
export function nearest(word: string, known: Iterable<string>): string | null {
  const typed = plain(word.slice(0, 64))
  let best: string | null = null
  let fewest = Math.floor(typed.length / 3) + 1
  for (const candidate of known) {
    const edits = editDistance(typed, plain(candidate))
    if (edits < fewest) {
      fewest = edits
      best = candidate
    }
  }
  return best
}

/** A suggestion for `word`: the name here of a field of another library, else the nearest known word; null without either. */
export function meantBy(word: string, known: Iterable<string>, place?: NamedPlace): string | null {
  const here = place === undefined ? undefined : namesElsewhere[place].get(plain(word))
  if (here !== undefined) return here.endsWith('.') ? here : `Use ${here}.`
  const near = nearest(word, known)
  return near === null ? null : `Did you mean ${near}?`
}

/** The hint for an unknown name: the suggestion, else all known names. */
export function suggestName(word: string, known: Iterable<string>, place?: NamedPlace): string {
  return meantBy(word, known, place) ?? `Use one of ${[...known].join(', ')}.`
}

/** Makes `created_at`, `created-at` and `createdAt` equal. */
function plain(word: string): string {
  return word.replaceAll(/[_\- ]/g, '').toLowerCase()
}

/** Optimal string alignment distance: insertions, deletions, replacements, swaps of adjacent letters. Keeps three rows of the table. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      let edits = Math.min(replaced, last[j]! + 1, row[j - 1]! + 1)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        edits = Math.min(edits, beforeLast[j - 2]! + 1)
      row.push(edits)
    }
    beforeLast = last
    last = row
  }
  return last[b.length]!
}
