/**
 * Limits how many records of one source a selection may contain, so that no source floods it. Records without a source are
 * not limited: they may come from different places.
 */
import type { QueryPlan } from '../model/query-plan.ts'

export interface Quota {
  /** Counts a record of this source and returns null, or returns why it must not be selected. */
  admit(source: string | null | undefined): string | null
}

/** The quota of the query, else of the policy; null if neither sets one. */
export function quotaOf({ query, policy }: Pick<QueryPlan, 'query' | 'policy'>): Quota | null {
  const perSource = query.perSource ?? policy.perSource
  return perSource === undefined ? null : createQuota(perSource)
}

function createQuota(perSource: number): Quota {
  const counts = new Map<string, number>()
  return {
    admit(source) {
      if (source === null || source === undefined) return null
      const count = counts.get(source) ?? 0
      if (count >= perSource) return `beyond ${perSource} of source ${JSON.stringify(source)}`
      counts.set(source, count + 1)
      return null
    },
  }
}
