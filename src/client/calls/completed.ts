/** Completes a query with what the client sets for all of its queries. */
import type { RecallQuery } from '../../core/model/query.ts'

/** Returns the query as an object, with the client's policy and time zone if it names none. The engine refuses other types. */
export function completed(
  given: string | RecallQuery,
  { policy, timeZone }: Pick<RecallQuery, 'policy' | 'timeZone'>,
): RecallQuery {
  const query: RecallQuery = typeof given === 'string' ? { text: given } : given
  if (typeof query !== 'object' || query === null) return query
  const inZone = timeZone === undefined || query.timeZone !== undefined ? query : { ...query, timeZone }
  return policy === undefined || query.policy !== undefined ? inZone : { ...inZone, policy }
}
