/** Times calls and prints figures, one line for each measurement. */

/** ms. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

export function percentiles(times: readonly number[]): Record<string, number> {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

export function print(what: string, figures: Readonly<Record<string, number>>): void {
  const parts = Object.entries(figures).map(
    ([name, figure]) => `${name} ${figure >= 100 || Number.isInteger(figure) ? Math.round(figure) : figure.toFixed(2)}`,
  )
  console.log(`${what}: ${parts.join(', ')}`)
}
