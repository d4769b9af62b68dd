/**
 * Whether the scope holds anything of a text, exactly: FTS5's own terms, and the names the text gives. The terms of the query
 * are looked up first, for their posting lists are read anyway; the other words only where none of those is there.
 */

import { holdsKey, meet } from '../../src/core/collections/key-set.ts'
import type { QueryPlan } from '../../src/core/model/query-plan.ts'
import type { Existence } from '../../src/core/model/result.ts'
import type { Members, Store } from '../store/port/store.ts'
import { phrasesOf } from './term-postings.ts'

/** Null without text, and for policies that search substrings, which find parts of words where no word exists. */
export function existenceOf(plan: QueryPlan, store: Store, members: Members | null): Existence | null {
  if ((plan.query.text ?? '').trim() === '' || plan.needs.substrings) return null
  const phrases = [...plan.terms.flatMap(phrasesOf), ...plan.otherWords]
  const found = phrases.findIndex((phrase) => holds(store.postings([phrase])[0]?.keys ?? none, members))
  if (found !== -1) return { mightExist: true, tokens: found + 1 }
  // A name is made of words that stand in the index, but folded by another rule: what counts is what the channels find.
  const named = [store.keysByTerm(plan.namedTerms), store.keysByFile(plan.namedPaths)]
  const isNamed = named.some((keys) => [...keys.keys()].some((key) => members === null || holdsKey(members, key)))
  return { mightExist: isNamed, tokens: phrases.length }
}

const none = new Uint32Array()

function holds(keys: Uint32Array, members: Members | null): boolean {
  return members === null ? keys.length > 0 : meet(keys, members)
}

/** What a channel says that had nothing to find. */
export const surelyNothing = 'no word of the query exists in the scope'
