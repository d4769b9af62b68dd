/** The result of a suite: one line of the table that `npm run torture` prints. */
export interface Outcome {
  readonly isGreen: boolean
  /** `20 kills`. */
  readonly size: string
  /** `1`, `1–500`. */
  readonly seeds: string
  /** In a few words with figures: `0 lost, 0 torn, recovery p95 120 ms`. */
  readonly result: string
  /** What the control found; it must have found something. */
  readonly control: string
  /** The browsers that ran: `Chromium 156`. Empty: only Node. */
  readonly browsers: string
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** The value below which this share of the values lies; NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

/** `1–500`, `7`. */
export function seedsFrom(first: number, count: number): string {
  return count <= 1 ? String(first) : `${first}–${first + count - 1}`
}
