/** Finds the lines in which two texts differ. Pure. */

/** A `gap` takes the place of equal lines that are left out. */
export interface DiffLine {
  readonly kind: 'same' | 'new' | 'old' | 'gap'
  readonly text: string
}

/** From the lines of `before` to those of `after`. Of equal lines only those next to a difference are listed. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const all = allLines(before.split('\n'), after.split('\n'))
  const isNear = (at: number) => all.slice(Math.max(0, at - near), at + near + 1).some(({ kind }) => kind !== 'same')
  const shown: DiffLine[] = []
  for (const [at, line] of all.entries())
    if (line.kind !== 'same' || isNear(at)) shown.push(line)
    else if (shown.at(-1)?.kind !== 'gap') shown.push({ kind: 'gap', text: '…' })
  return shown
}

const near = 1
/** Pairs of lines to compare: more would make the page wait. */
const mostPairs = 1_000_000

function allLines(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const { start, end, lines: added } = changeOf(before, after)
  const old = before.slice(start, end)
  return [
    ...before.slice(0, start).map(as('same')),
    ...(old.length * added.length > mostPairs ? [...old.map(as('old')), ...added.map(as('new'))] : between(old, added)),
    ...before.slice(end).map(as('same')),
  ]
}

/** The longest common part stays. */
function between(old: readonly string[], added: readonly string[]): readonly DiffLine[] {
  const width = added.length + 1
  /** At each pair of places, how many lines after them are common. */
  const common = new Uint32Array((old.length + 1) * width)
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = added.length - 1; j >= 0; j--)
      common[i * width + j] =
        old[i] === added[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!)
  const lines: DiffLine[] = []
  let [i, j] = [0, 0]
  while (i < old.length || j < added.length)
    if (i < old.length && j < added.length && old[i] === added[j]) {
      lines.push({ kind: 'same', text: old[i++]! })
      j++
    } else if (j === added.length || (i < old.length && common[(i + 1) * width + j]! >= common[i * width + j + 1]!))
      lines.push({ kind: 'old', text: old[i++]! })
    else lines.push({ kind: 'new', text: added[j++]! })
  return lines
}

function as(kind: DiffLine['kind']) {
  return (text: string): DiffLine => ({ kind, text })
}

/** Replaces the lines from `start` up to, but not including, `end`. */
export interface Change {
  readonly start: number
  readonly end: number
  readonly lines: readonly string[]
}

/** One change: everything from the first to the last line that differs. */
export function changeOf(before: readonly string[], after: readonly string[]): Change {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let same = 0
  while (same < shorter - start && before[before.length - 1 - same] === after[after.length - 1 - same]) same++
  return { start, end: before.length - same, lines: after.slice(start, after.length - same) }
}
