/**
 * Decides whether the scope has any word or name of a text, exactly: by posting lists and by extracted names. The terms of the
 * query are looked up first, because recall reads their posting lists anyway. The other words follow only if no term exists.
 */

import { holdsKey } from '../../../src/core/collections/key-set.ts'
import type { QueryPlan } from '../../../src/core/model/query-plan.ts'
import type { Existence } from '../../../src/core/model/result.ts'
import { cutsOfTerm } from '../../../src/core/query/joined-words.ts'
import type { KeySet, Store } from '../../store/port/store.ts'
import { formsOf, isInScope, listsOfForms, phrasesOf, spellingsOf } from './term-postings.ts'

/** Null without text, and for policies that search substrings: these also find parts of words. */
export function existenceOf(plan: QueryPlan, store: Store, scopeKeys: KeySet | null): Existence | null {
  if (plan.text.trim() === '' || plan.timesAlone === true || plan.needs.substrings) return null
  const phrases = [...plan.terms.flatMap(phrasesOf), ...plan.otherWords]
  const holds = (phrase: string) => isInScope(store.postings([phrase])[0]!.keys, scopeKeys)
  const first = phrases.findIndex(holds)
  if (first !== -1) return { mightExist: true, tokens: first + 1 }
  const forms = plan.terms.flatMap((term) => [...formsOf(term), ...cutsOfTerm(term)])
  const others = store.postings([...forms, ...plan.joins.flatMap((join) => spellingsOf(join, store))])
  const written = plan.terms.flatMap(({ forms: own = [] }) => listsOfForms(store, own))
  if ([...others, ...written].some(({ keys }) => isInScope(keys, scopeKeys)))
    return { mightExist: true, tokens: phrases.length }
  // Names are folded by another rule than words, so the look-up must be the one of the terms and paths channels.
  const named = [store.keysByTerm(plan.namedTerms), store.keysByFile(plan.namedPaths)]
  const isNamed = named.some((keys) => [...keys.keys()].some((key) => scopeKeys === null || holdsKey(scopeKeys, key)))
  return { mightExist: isNamed, tokens: phrases.length }
}
