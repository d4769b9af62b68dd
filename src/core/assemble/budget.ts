/**
 * Applies the token budget: counts the final text, wrappers included [S1]. If the sum of the single records is clearly below
 * or above the budget, it decides; otherwise the whole text is counted.
 */
import type { Formatter } from './formats.ts'

export interface Fitted {
  /** Indexes of the kept records, ascending. */
  readonly kept: readonly number[]
  /** What did not fit, in the order of the attempts. */
  readonly dropped: readonly { readonly index: number; readonly reason: string }[]
  readonly formatted: string
  readonly tokenCount: number
  /** True if the text still exceeds the budget: the first record is always kept. */
  readonly overflow: boolean
}

export interface Budget {
  readonly formatter: Formatter
  readonly countTokens: (text: string) => number
  /** Undefined: no limit. */
  readonly maxTokens: number | undefined
  readonly overflow: 'skip' | 'stop'
}

/**
 * Replaces kept segments by longer ones, in the given order, while the text is within its budget: each by the whole, or by longer parts in order until one does not fit. Of a text that
 * is too long, shortens the first segment instead: to the longest of its `shorter` that fits, else to the first of them.
 */
export function fitParts<Part>(
  fitted: Fitted,
  order: readonly number[],
  segments: readonly string[],
  parts: readonly (LongSegment<Part> | null)[],
  { formatter, countTokens, maxTokens }: Budget,
): Fitted & { readonly chosen: ReadonlyMap<number, Part> } {
  const chosen = new Map<number, Part>()
  if (maxTokens === undefined) return { ...fitted, chosen }
  const current = [...segments]
  let { formatted, tokenCount } = fitted
  const attempt = (index: number, segment: string) => {
    const text = formatter.wrap(fitted.kept.map((i) => (i === index ? segment : current[i]!)))
    const tokens = countTokens(text)
    return { text, tokens, fits: tokens <= maxTokens }
  }
  const take = (index: number, part: Part, segment: string, { text, tokens }: ReturnType<typeof attempt>) => {
    chosen.set(index, part)
    current[index] = segment
    formatted = text
    tokenCount = tokens
  }
  for (const index of order.filter((i) => fitted.kept.includes(i))) {
    const long = parts[index] ?? null
    if (long === null) continue
    const isTooLong = tokenCount > maxTokens
    if (!isTooLong && takesWhole(index, long)) continue
    for (const part of isTooLong ? long.shorter() : long.longer()) {
      const segment = long.segmentOf(part)
      // Such a text need not be counted.
      if (segment.length > maxTokens * lettersPerToken) break
      const tried = attempt(index, segment)
      if (!tried.fits && !(isTooLong && !chosen.has(index))) break
      take(index, part, segment, tried)
      if (!tried.fits) break
    }
  }
  return { ...fitted, formatted, tokenCount, overflow: tokenCount > maxTokens, chosen }

  function takesWhole(index: number, { whole, segmentOf }: LongSegment<Part>): boolean {
    const segment = segmentOf(whole)
    if (segment.length > maxTokens! * lettersPerToken) return false
    const tried = attempt(index, segment)
    if (tried.fits) take(index, whole, segment, tried)
    return tried.fits
  }
}

export interface LongSegment<Part> {
  readonly whole: Part
  longer(): Iterable<Part>
  shorter(): Iterable<Part>
  segmentOf(part: Part): string
}

/** `order`: the indexes in the order of the attempts. The first record is kept, whatever it costs. */
export function fitBudget(segments: readonly string[], order: readonly number[], budget: Budget): Fitted {
  const { formatter, countTokens, maxTokens } = budget
  const textOf = (indexes: Iterable<number>) =>
    formatter.wrap([...indexes].sort(ascending).map((i) => segments[i] ?? ''))
  const finish = (kept: Iterable<number>, dropped: Fitted['dropped']): Fitted => {
    const formatted = textOf(kept)
    const tokenCount = countTokens(formatted)
    const overflow = maxTokens !== undefined && tokenCount > maxTokens
    return { kept: [...kept].sort(ascending), dropped, formatted, tokenCount, overflow }
  }
  if (maxTokens === undefined) return finish(order, [])
  const guessed = fill(segments, order, budget, textOf, 'guess')
  const fitted = finish(guessed.kept, guessed.dropped)
  if (!fitted.overflow || fitted.kept.length <= 1) return fitted
  // This counter's sums do not predict the whole, so every step is counted.
  const counted = fill(segments, order, budget, textOf, 'count')
  return finish(counted.kept, counted.dropped)
}

function fill(
  segments: readonly string[],
  order: readonly number[],
  { countTokens, maxTokens = 0, overflow }: Budget,
  textOf: (indexes: Iterable<number>) => string,
  mode: 'guess' | 'count',
): Pick<Fitted, 'dropped'> & { readonly kept: ReadonlySet<number> } {
  const kept = new Set<number>(order.slice(0, 1))
  const dropped: { index: number; reason: string }[] = []
  // Tokens of the kept text: a sum of records, until the whole text is counted for the first time.
  let tokens = countTokens(textOf(kept))
  for (const [place, index] of order.entries()) {
    if (place === 0) continue
    const segment = segments[index] ?? ''
    const clear = mode === 'count' ? null : fitsClearly(tokens, segment, maxTokens, countTokens)
    const sum = clear?.sum ?? countTokens(textOf([...kept, index]))
    if (clear?.fits ?? sum <= maxTokens) {
      kept.add(index)
      tokens = sum
      continue
    }
    dropped.push({ index, reason: `does not fit into ${maxTokens} tokens` })
    if (overflow === 'skip') continue
    for (const after of order.slice(place + 1))
      dropped.push({ index: after, reason: `after the first that did not fit into ${maxTokens} tokens` })
    break
  }
  return { kept, dropped }
}

/** Whether a record fits, if its sum with the kept text is clear; null if it is not. */
function fitsClearly(
  tokens: number,
  segment: string,
  maxTokens: number,
  countTokens: (text: string) => number,
): { readonly fits: boolean; readonly sum: number } | null {
  const most = maxTokens * outOfReach + slack
  // A text that is too long already has no room.
  if (tokens > maxTokens) return { fits: false, sum: tokens }
  // For a text far longer than the budget, the beginning is enough.
  const beginning = segment.slice(0, Math.ceil(most * lettersPerToken))
  const own = countTokens(beginning)
  if (tokens + own > most) return { fits: false, sum: tokens }
  const sum = tokens + (beginning.length < segment.length ? countTokens(segment) : own)
  if (sum > most) return { fits: false, sum: tokens }
  return sum * withinReach + slack <= maxTokens ? { fits: true, sum } : null
}

/** A sum above 1.5 budgets is above the budget as a whole; a sum whose 1.2-fold is within the budget is within it. */
const outOfReach = 1.5
const withinReach = 1.2
/** Tokens that joining may add or save. */
const slack = 32
/** Few texts have longer tokens. */
const lettersPerToken = 8

function ascending(a: number, b: number): number {
  return a - b
}
