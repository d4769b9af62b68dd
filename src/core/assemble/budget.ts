/**
 * The token budget: which pieces fit, counted on the text as it will be, wrappers included [S1]. The sum of what the
 * pieces count alone decides where it is clear; where it is not, the text itself is counted.
 */
import type { Formatter } from './formats.ts'

export interface Fitted {
  /** Indexes of what was kept, ascending. */
  readonly kept: readonly number[]
  /** What did not fit, in the order in which it was tried. */
  readonly dropped: readonly { readonly index: number; readonly reason: string }[]
  readonly formatted: string
  readonly tokenCount: number
  /** True when the text is longer than the budget all the same: the first piece is always kept. */
  readonly overflow: boolean
}

export interface Budget {
  readonly formatter: Formatter
  readonly countTokens: (text: string) => number
  /** Undefined: as many as there are. */
  readonly maxTokens: number | undefined
  readonly overflow: 'skip' | 'stop'
}

/** `order`: the indexes of the pieces as they are tried; the first is kept, whatever it costs. */
export function fitBudget(pieces: readonly string[], order: readonly number[], budget: Budget): Fitted {
  const { formatter, countTokens, maxTokens } = budget
  const textOf = (indexes: Iterable<number>) => formatter.wrap([...indexes].sort(ascending).map((i) => pieces[i] ?? ''))
  const finish = (kept: Iterable<number>, dropped: Fitted['dropped']): Fitted => {
    const formatted = textOf(kept)
    const tokenCount = countTokens(formatted)
    const overflow = maxTokens !== undefined && tokenCount > maxTokens
    return { kept: [...kept].sort(ascending), dropped, formatted, tokenCount, overflow }
  }
  if (maxTokens === undefined) return finish(order, [])
  const guessed = fill(pieces, order, budget, textOf, 'guess')
  const fitted = finish(guessed.kept, guessed.dropped)
  if (!fitted.overflow || fitted.kept.length <= 1) return fitted
  // A counter whose sums say nothing of the whole: every step is counted.
  const counted = fill(pieces, order, budget, textOf, 'count')
  return finish(counted.kept, counted.dropped)
}

function fill(
  pieces: readonly string[],
  order: readonly number[],
  { countTokens, maxTokens = 0, overflow }: Budget,
  textOf: (indexes: Iterable<number>) => string,
  mode: 'guess' | 'count',
): Pick<Fitted, 'dropped'> & { readonly kept: ReadonlySet<number> } {
  const kept = new Set<number>(order.slice(0, 1))
  const dropped: { index: number; reason: string }[] = []
  // What is kept counts, as the sum of pieces until the text is counted for the first time.
  let tokens = countTokens(textOf(kept))
  for (const [place, index] of order.entries()) {
    if (place === 0) continue
    const piece = pieces[index] ?? ''
    const clear = mode === 'count' ? null : fitsClearly(tokens, piece, maxTokens, countTokens)
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

/** Whether a piece fits, where its sum with what is there leaves no doubt; null where it does. */
function fitsClearly(
  tokens: number,
  piece: string,
  maxTokens: number,
  countTokens: (text: string) => number,
): { readonly fits: boolean; readonly sum: number } | null {
  const most = maxTokens * outOfReach + slack
  // Nothing can be taken from what is too long already.
  if (tokens > maxTokens) return { fits: false, sum: tokens }
  // Of a text far longer than the budget the beginning says enough.
  const beginning = piece.slice(0, Math.ceil(most * lettersPerToken))
  const own = countTokens(beginning)
  if (tokens + own > most) return { fits: false, sum: tokens }
  const sum = tokens + (beginning.length < piece.length ? countTokens(piece) : own)
  if (sum > most) return { fits: false, sum: tokens }
  return sum * withinReach + slack <= maxTokens ? { fits: true, sum } : null
}

/** Sums of parts beyond this share of the budget are beyond it as a whole; those within that share are within. */
const outOfReach = 1.5
const withinReach = 1.2
/** Tokens that joining pieces may cost or spare. */
const slack = 32
/** Few texts have longer tokens. */
const lettersPerToken = 8

function ascending(a: number, b: number): number {
  return a - b
}
