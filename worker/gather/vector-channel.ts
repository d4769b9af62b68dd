/**
 * The vector channel: estimates with margins for every record of the scope. Which rows are read exactly is decided
 * later, from the bounds; the estimate alone never orders an answer (law V1).
 */
import type { VectorFacts } from '../../src/core/fusion/facts.ts'
import type { ChannelPlan } from '../../src/core/model/result.ts'
import type { QueryPlan } from '../../src/core/query/plan-query.ts'
import { fillByIds } from '../../src/core/sketch/select-top.ts'
import type { Ports } from '../ports.ts'
import type { Members } from '../store/port.ts'

export interface VectorHits {
  readonly keys: readonly number[]
  /** Bounds on the cosine of any key; NaN for one without a vector. */
  readonly bounds: (keys: Uint32Array) => { readonly low: Float64Array; readonly high: Float64Array }
  readonly facts: VectorFacts | null
  readonly plan: ChannelPlan
}

export function gatherVector(plan: QueryPlan, { index, store }: Ports, members: Members | null): VectorHits {
  const { vector } = plan
  const space = store.space()
  if (vector === null || index === null || space === null) {
    return withoutHits(
      plan.listing ? 'the query has no vector' : (plan.withoutVector ?? 'the store has no embedding space'),
    )
  }
  const depth = plan.policy.depths.vector
  const scan = index.scan(vector, members?.keys ?? null, depth)
  const keys = [...scan.keys, ...fillByIds([...scan.tied], depth - scan.keys.length, store.idOf)]
  const best = scan.keys.length > 0 ? (scan.estimates[0] as number) : scan.tiedEstimate
  return {
    keys,
    bounds(wanted) {
      const { estimates, margins } = index.estimate(vector, wanted)
      const low = new Float64Array(wanted.length)
      const high = new Float64Array(wanted.length)
      for (let i = 0; i < wanted.length; i++) {
        low[i] = (estimates[i] as number) - (margins[i] as number)
        high[i] = (estimates[i] as number) + (margins[i] as number)
      }
      return { low, high }
    },
    facts: {
      space: space.name,
      mean: scan.mean,
      deviation: scan.deviation,
      best: Math.max(best, -1),
      records: scan.matched,
    },
    plan: {
      ran: true,
      mode: plan.scope.tags === undefined ? 'exact' : 'exact-tag',
      scanned: scan.scanned,
      matched: scan.matched,
      complete: index.kind === 'exact',
    },
  }
}

function withoutHits(why: string): VectorHits {
  return {
    keys: [],
    bounds: (keys) => ({
      low: new Float64Array(keys.length).fill(Number.NaN),
      high: new Float64Array(keys.length).fill(Number.NaN),
    }),
    facts: null,
    plan: { ran: false, why, scanned: 0, matched: 0, complete: true },
  }
}
