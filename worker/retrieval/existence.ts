/**
 * Decides whether the scope has any word or name of a text, exactly: by posting lists and by extracted names. The terms of the
 * query are looked up first, because recall reads their posting lists anyway. The other words follow only if no term exists.
 */

import { holdsKey, meet } from '../../src/core/collections/key-set.ts'
import type { QueryPlan } from '../../src/core/model/query-plan.ts'
import type { Existence } from '../../src/core/model/result.ts'
import type { Members, Store } from '../store/port/store.ts'
import { phrasesOf } from './term-postings.ts'

/** Null without text, and for policies that search substrings: these also find parts of words. */
export function existenceOf(plan: QueryPlan, store: Store, members: Members | null): Existence | null {
  if ((plan.query.text ?? '').trim() === '' || plan.timesAlone === true || plan.needs.substrings) return null
  const phrases = [...plan.terms.flatMap(phrasesOf), ...plan.otherWords]
  const first = phrases.findIndex((phrase) => holds(store.postings([phrase])[0]?.keys ?? none, members))
  if (first !== -1) return { mightExist: true, tokens: first + 1 }
  // Names are folded by another rule than words, so the look-up must be the one of the terms and paths channels.
  const named = [store.keysByTerm(plan.namedTerms), store.keysByFile(plan.namedPaths)]
  const isNamed = named.some((keys) => [...keys.keys()].some((key) => members === null || holdsKey(members, key)))
  return { mightExist: isNamed, tokens: phrases.length }
}

const none = new Uint32Array()

function holds(keys: Uint32Array, members: Members | null): boolean {
  return members === null ? keys.length > 0 : meet(keys, members)
}

/** The plan's reason for a channel that did not run because no word of the query exists. */
export const surelyNothing = 'no word of the query exists in the scope'
