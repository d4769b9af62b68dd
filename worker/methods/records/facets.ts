/** facets: counts the values that records have, by key. Counts every record of the scope that holds all words of the text. */
import { topCounts } from '../../../src/core/collections/top-counts.ts'
import type { FacetRequest } from '../../../src/core/model/query.ts'
import type { Facets } from '../../../src/core/model/receipts.ts'
import { tuning } from '../../../src/core/model/tuning.ts'
import { parseFacets } from '../../../src/core/query/parse-query.ts'
import type { Store } from '../../store/port/store.ts'
import { matching } from '../common/matching.ts'
import { checkDeclared, checkDeclaredKey } from '../common/scope.ts'

export function facets(store: Store, input: FacetRequest): Facets {
  const { keys, scope = {}, text, limit = tuning.defaultListLimit, ...reading } = parseFacets(input)
  checkDeclared(scope, store)
  for (const [i, key] of keys.entries())
    if (key.startsWith('metadata.')) checkDeclaredKey(key.slice('metadata.'.length), `request.keys[${i}]`, store)
  return store.reading(() => {
    const among = matching(store, scope, text, reading)?.keys ?? null
    const counted = keys.map((key) => {
      const counts = Array.from(store.countValues(key, among), ([value, count]) => ({ value, count }))
      return [key, topCounts(counts, limit)] as const
    })
    return { matched: among?.length ?? store.statistics(null).records, facets: Object.fromEntries(counted) }
  })
}
