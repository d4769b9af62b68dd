/** Figures of a node in the text format of Prometheus. They name methods and outcomes, never a store [N1]. */

export interface Metrics {
  call(method: string, outcome: string, seconds: number): void
  opened(seconds: number): void
  count(name: Counted): void
  text(gauges: Readonly<Record<string, number>>): string
}

export type Counted = 'evicted' | 'refused_tokens' | 'refused_by_limit' | 'internal_errors'

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export function createMetrics(): Metrics {
  const calls = new Map<string, number>()
  const callSeconds = new Map<string, Histogram>()
  const openSeconds = createHistogram()
  const counts = new Map<Counted, number>()
  return {
    call(method, outcome, seconds) {
      const labels = `{method="${method}",outcome="${outcome}"}`
      calls.set(labels, (calls.get(labels) ?? 0) + 1)
      if (!callSeconds.has(method)) callSeconds.set(method, createHistogram())
      callSeconds.get(method)!.add(seconds)
    },
    opened: openSeconds.add,
    count: (name) => void counts.set(name, (counts.get(name) ?? 0) + 1),
    text(gauges) {
      const lines = ['# TYPE scrubjay_calls_total counter']
      for (const [labels, count] of calls) lines.push(`scrubjay_calls_total${labels} ${count}`)
      lines.push('# TYPE scrubjay_call_seconds histogram')
      for (const [method, histogram] of callSeconds)
        lines.push(...histogram.lines('scrubjay_call_seconds', `method="${method}"`))
      lines.push('# TYPE scrubjay_open_seconds histogram', ...openSeconds.lines('scrubjay_open_seconds', ''))
      for (const [name, count] of counts)
        lines.push(`# TYPE scrubjay_${name}_total counter`, `scrubjay_${name}_total ${count}`)
      for (const [name, value] of Object.entries(gauges))
        lines.push(`# TYPE scrubjay_${name} gauge`, `scrubjay_${name} ${value}`)
      return `${lines.join('\n')}\n`
    },
  }
}

type Histogram = ReturnType<typeof createHistogram>

function createHistogram() {
  const counts = buckets.map(() => 0)
  let count = 0
  let sum = 0
  return {
    add(seconds: number): void {
      count++
      sum += seconds
      for (const [i, bound] of buckets.entries()) if (seconds <= bound) counts[i]! += 1
    },
    lines(name: string, labels: string): readonly string[] {
      const joined = (more: string) => [labels, more].filter((part) => part !== '').join(',')
      const own = labels === '' ? '' : `{${labels}}`
      return [
        ...buckets.map((bound, i) => `${name}_bucket{${joined(`le="${bound}"`)}} ${counts[i]}`),
        `${name}_bucket{${joined('le="+Inf"')}} ${count}`,
        `${name}_sum${own} ${sum}`,
        `${name}_count${own} ${count}`,
      ]
    },
  }
}
