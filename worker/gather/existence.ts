/**
 * Whether the scope holds anything of a text, exactly: FTS5's own terms, and the names the text gives. The terms of the query
 * are looked up first, for their posting lists are read anyway; the other words only where none of those is there.
 */
import { isStaged } from '../../src/core/model/policy.ts'
import type { Existence } from '../../src/core/model/result.ts'
import type { QueryPlan } from '../../src/core/query/plan-query.ts'
import type { Members, Store } from '../store/port.ts'
import { isMember } from './reference-channels.ts'

/** Null without text, and for staged policies, which find parts of words where no word exists. */
export function existenceOf(plan: QueryPlan, store: Store, members: Members | null): Existence | null {
  if ((plan.query.text ?? '').trim() === '' || isStaged(plan.policy)) return null
  const phrases = [...plan.terms.map(({ phrase }) => phrase), ...plan.otherWords]
  const found = phrases.findIndex((phrase) => holds(store.postings([phrase])[0]?.keys ?? none, members))
  if (found !== -1) return { mightExist: true, tokens: found + 1 }
  // A name is made of words that stand in the index, but folded by another rule: what counts is what the channels find.
  const named = [store.keysByTerm(plan.namedTerms), store.keysByFile(plan.namedPaths)]
  return { mightExist: named.some((keys) => holds(keys.keys(), members)), tokens: phrases.length }
}

const none = new Uint32Array()

function holds(keys: Iterable<number>, members: Members | null): boolean {
  for (const key of keys) if (members === null || isMember(members, key)) return true
  return false
}

/** What a channel says that had nothing to find. */
export const surelyNothing = 'no word of the query exists in the scope'
