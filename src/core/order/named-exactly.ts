/** Finds the file, symbol and test of a record that a query names exactly: the whole query or one of its runs, case-folded. */

import type { QueryRuns } from '../model/query-plan.ts'
import type { StoredRecord } from '../model/record.ts'
import { foldForRuns } from '../text/tokenise/path-tokens.ts'

/** The first of each kind that the query names, or null. */
export function recordNames(record: StoredRecord, { query, terms }: QueryRuns) {
  const names = new Set(query === '' ? terms : [query, ...terms])
  const isNamed = (path: string) => {
    const folded = foldForRuns(path).replaceAll('\\', '/')
    return names.has(folded) || [...names].some((name) => folded.endsWith(`/${name}`))
  }
  const term = (kind: string) => record.terms.find((entry) => entry.kind === kind && names.has(foldForRuns(entry.term)))
  return {
    file: record.files.find(({ path }) => isNamed(path))?.path ?? null,
    symbol: term('symbol')?.term ?? null,
    test: term('test')?.term ?? null,
  }
}
