/** Chooses the earlier versions of a note that are worth showing, and finds the lines in which two texts differ. Pure. */
import type { StoredVersion } from 'scrubjay'

export interface EarlierVersion {
  /** ms: when the text was replaced. */
  readonly until: number
  readonly title: string
  readonly body: string
}

/**
 * Each pause while typing makes a version. Shown are the last text before the present one, the texts that stood for some time before they were
 * replaced, and of the others some: the older, the fewer. `versions`: the present one first.
 */
export function worthShowing(versions: readonly StoredVersion[], nowMs: number): readonly EarlierVersion[] {
  const shown: EarlierVersion[] = []
  let last = textOf(versions[0])
  let lastFrom = versions[0]?.from ?? nowMs
  for (const version of versions.slice(1)) {
    const until = version.until ?? nowMs
    const one = { until, ...textOf(version) }
    const gapMs = Math.max(leastGapMs, (nowMs - until) / 20)
    const hasStood = version.from === null || until - version.from >= gapMs
    if (isSame(one, last) || isSame(one, { title: '', body: '' })) continue
    if (shown.length > 0 && !hasStood && lastFrom - until < gapMs) continue
    shown.push(one)
    last = one
    lastFrom = version.from ?? Number.NEGATIVE_INFINITY
  }
  return shown
}

const leastGapMs = 20_000

function textOf(version: StoredVersion | undefined): Pick<EarlierVersion, 'title' | 'body'> {
  const { title, body } = version?.record ?? {}
  return { title: title ?? '', body: (body ?? '').replaceAll(/\r\n?/g, '\n') }
}

function isSame(a: Pick<EarlierVersion, 'title' | 'body'>, b: Pick<EarlierVersion, 'title' | 'body'>): boolean {
  return a.title === b.title && a.body === b.body
}

/** `gap` stands for several equal lines. */
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
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const old = before.slice(start, before.length - end)
  const added = after.slice(start, after.length - end)
  return [
    ...before.slice(0, start).map(as('same')),
    ...(old.length * added.length > mostPairs ? [...old.map(as('old')), ...added.map(as('new'))] : between(old, added)),
    ...before.slice(before.length - end).map(as('same')),
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
