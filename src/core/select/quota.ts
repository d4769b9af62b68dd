/**
 * How many records of one source a selection may hold, so that no source floods it. Records that name no source are not
 * counted together: nothing says that they come from one place.
 */
import type { QueryPlan } from '../model/query-plan.ts'

export interface Quota {
  /** Counts a record of this source in, and answers null; or why it must not be selected. */
  admit(source: string | null | undefined): string | null
}

/** The query's own quota, else the policy's; null where neither sets one. */
export function quotaOf({ query, policy }: Pick<QueryPlan, 'query' | 'policy'>): Quota | null {
  const perSource = query.perSource ?? policy.perSource
  return perSource === undefined ? null : createQuota(perSource)
}

function createQuota(perSource: number): Quota {
  const held = new Map<string, number>()
  return {
    admit(source) {
      if (source === null || source === undefined) return null
      const count = held.get(source) ?? 0
      if (count >= perSource) return `beyond ${perSource} of source ${JSON.stringify(source)}`
      held.set(source, count + 1)
      return null
    },
  }
}
