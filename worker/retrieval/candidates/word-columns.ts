/** The columns of words that stand for others: synonyms, forms and corrections in place of a term, and excluded words. */
import type { QueryPlan } from '../../../src/core/model/query-plan.ts'
import type { Store } from '../../store/port/store.ts'
import type { CandidateRows } from '../question/key-rows.ts'
import { formsOf, listsOfForms, phrasesOf, postingsOf } from '../words/term-postings.ts'

/** The columns `without`, `synonym`, `corrected` and `form` of the candidate table. */
export function wordColumns(
  { terms, without }: QueryPlan,
  store: Store,
  excluded: ReadonlyMap<number, number>,
  { keys, rowOf }: CandidateRows,
) {
  const synonymous = terms.filter(({ synonyms }) => synonyms !== undefined)
  const synonym = new Float64Array(synonymous.length === 0 ? 0 : keys.length)
  let number = 0
  for (const term of synonymous) {
    const hasTerm = new Uint8Array(keys.length)
    const eachRow = (phrases: readonly string[], visit: (row: number) => void) => {
      for (const list of store.postings(phrases)) {
        for (const key of list.keys) {
          const row = rowOf(key)
          if (row !== -1) visit(row)
        }
      }
    }
    eachRow(phrasesOf(term), (row) => {
      hasTerm[row] = 1
    })
    for (const { phrase } of term.synonyms!) {
      number++
      eachRow([phrase], (row) => {
        if (hasTerm[row] === 0 && synonym[row] === 0) synonym[row] = number
      })
    }
  }
  const form = formColumn(terms, store, keys.length, rowOf)
  const correctedTerms = terms.filter(({ share }) => share !== undefined)
  const corrected = new Float64Array(correctedTerms.length === 0 ? 0 : keys.length)
  for (const { keys: found } of postingsOf(store, { terms: correctedTerms, pairs: [], joins: [] }, null).terms) {
    for (const key of found) {
      const row = rowOf(key)
      if (row !== -1) corrected[row] = corrected[row]! + 1
    }
  }
  return {
    ...(correctedTerms.length === 0 ? {} : { corrected }),
    ...(form === null ? {} : { form }),
    ...(without === undefined ? {} : { without: Float64Array.from(keys, (key) => excluded.get(key) ?? 0) }),
    ...(synonymous.length === 0 ? {} : { synonym }),
  }
}

/** Null if no term has a form. */
function formColumn(
  terms: QueryPlan['terms'],
  store: Store,
  rows: number,
  rowOf: (key: number) => number,
): Float64Array | null {
  const formed = terms.filter(({ forms }) => forms !== undefined)
  if (formed.length === 0) return null
  const column = new Float64Array(rows)
  let number = 0
  for (const term of formed) {
    const hasTerm = new Uint8Array(rows)
    for (const { keys } of store.postings([...phrasesOf(term), ...formsOf(term)]))
      for (const key of keys) if (rowOf(key) !== -1) hasTerm[rowOf(key)] = 1
    for (const { keys } of listsOfForms(store, term.forms!)) {
      number++
      for (const key of keys) {
        const row = rowOf(key)
        if (row !== -1 && hasTerm[row] === 0 && column[row] === 0) column[row] = number
      }
    }
  }
  return column
}
