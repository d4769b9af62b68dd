/**
 * Counts a page's own recalls in memory, and sends the counts nowhere: how long recalls took, how often the store had no answer, how
 * often words and vectors agree, how often records were useful.
 */
import type { Recall } from '../../client/api/recall.ts'
import type { Outcome } from '../../core/model/learned.ts'
import type { RecallResult, Receipt } from '../../core/model/result.ts'

/** Upper bounds (ms) of the latency buckets; the last is open. */
export const latencyBoundsMs = [0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256, Number.POSITIVE_INFINITY] as const

export interface TelemetrySummary {
  readonly recalls: number
  /** Share of recalls with evidence `none`, 0 to 1; null before the first. */
  readonly abstentionRate: number | null
  /** Of hits found by words or vectors, the share found by both, 0 to 1. Only recalls that used both count. null before the first. */
  readonly armAgreement: number | null
  /** Share of acknowledged receipts with at least one `acted` or `used`, 0 to 1; null before the first. */
  readonly hitRate: number | null
  readonly acknowledged: number
  /** Median time of the last 1,000 recalls (ms), measured in the page; null before the first. */
  readonly p50Ms: number | null
  readonly p95Ms: number | null
  /** Number of recalls per bucket of `latencyBoundsMs`. */
  readonly histogram: readonly number[]
}

export interface Telemetry {
  noteRecall(result: RecallResult, ms: number): void
  noteOutcomes(outcomes: Readonly<Record<string, Outcome>>): void
  summary(): TelemetrySummary
  /** Adds a listener that is called after each note. The returned function removes it. */
  subscribe(listener: () => void): () => void
}

const maxLatencies = 1000

export function createTelemetry(): Telemetry {
  const histogram = latencyBoundsMs.map(() => 0)
  const latencies: number[] = []
  const listeners = new Set<() => void>()
  let recalls = 0
  let abstentions = 0
  let foundByBoth = 0
  let foundByEither = 0
  let acknowledged = 0
  let helpful = 0
  const tell = () => {
    for (const listener of listeners) listener()
  }
  return {
    noteRecall({ evidence, hits, plan }, ms) {
      recalls += 1
      if (evidence.strength === 'none') abstentions += 1
      if (plan.channels.lexical.ran && plan.channels.vector.ran) {
        for (const { ranks } of hits) {
          const byWords = ranks.lexical !== undefined
          const byVector = ranks.vector !== undefined
          if (byWords || byVector) foundByEither += 1
          if (byWords && byVector) foundByBoth += 1
        }
      }
      const bucket = latencyBoundsMs.findIndex((bound) => ms <= bound)
      histogram[bucket] = (histogram[bucket] ?? 0) + 1
      latencies.push(ms)
      if (latencies.length > maxLatencies) latencies.shift()
      tell()
    },
    noteOutcomes(outcomes) {
      const values = Object.values(outcomes)
      if (values.length === 0) return
      acknowledged += 1
      if (values.some((outcome) => outcome === 'acted' || outcome === 'used')) helpful += 1
      tell()
    },
    summary() {
      const sorted = latencies.toSorted((a, b) => a - b)
      return {
        recalls,
        abstentionRate: share(abstentions, recalls),
        armAgreement: share(foundByBoth, foundByEither),
        hitRate: share(helpful, acknowledged),
        acknowledged,
        p50Ms: nearestRank(sorted, 0.5),
        p95Ms: nearestRank(sorted, 0.95),
        histogram: [...histogram],
      }
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Returns the store with recalls and acknowledgements that are counted. Errors are passed on and not counted. */
export function withTelemetry<R extends Pick<Recall, 'recall' | 'acknowledge'>>(store: R, telemetry: Telemetry): R {
  return {
    ...store,
    async recall(query, options) {
      const started = performance.now()
      const result = await store.recall(query, options)
      telemetry.noteRecall(result, performance.now() - started)
      return result
    },
    async acknowledge(of: Receipt | readonly string[], outcomes, options) {
      await store.acknowledge(of, outcomes, options)
      telemetry.noteOutcomes(outcomes)
    },
  } satisfies R as R
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}

function nearestRank(sorted: readonly number[], quantile: number): number | null {
  return sorted.length === 0 ? null : sorted[Math.ceil(quantile * sorted.length) - 1]!
}
