/** The records of a scope that hold all words of a text: what `list` and `facets` choose from. */
import { holdsKey, inAll, type KeySet, keySetOf } from '../../../src/core/collections/key-set.ts'
import { allWords } from '../../../src/core/query/all-words.ts'
import { isInScope, postingsOf } from '../../retrieval/words/term-postings.ts'
import { listsOfExcluded, readForms, withFormsOf } from '../../retrieval/words/word-forms.ts'
import type { ScopeAt, Store } from '../../store/port/store.ts'

/** Null means all records. */
export function matching(store: Store, scope: ScopeAt, text = ''): KeySet | null {
  const scopeKeys = store.scopeKeys(scope)
  const { terms, joins, without } = allWords(text, store.settings.stemmer)
  if (terms.length + without.length === 0) return scopeKeys
  const size = store.lastKey() + 1
  readForms(store, terms, without)
  const formed = terms.map((term) => withFormsOf(term, null, store, scopeKeys))
  const lists = postingsOf(store, { terms: formed, joins, pairs: [] }, scopeKeys)
    .terms.map(({ keys }) => keys)
    .filter((keys, i) => formed[i]!.optional !== true || isInScope(keys, scopeKeys))
  const found = lists.length === 0 ? (scopeKeys ?? store.everyKey()).keys : inAll(lists)
  const inside = scopeKeys === null || lists.length === 0 ? found : kept(found, scopeKeys, true)
  const heldBack = without.flatMap((entry) => listsOfExcluded(entry, store))
  return keySetOf(
    heldBack.reduce((left, { keys }) => kept(left, keySetOf(keys, size), false), inside),
    size,
  )
}

function kept(keys: Uint32Array, set: KeySet, isInside: boolean): Uint32Array {
  return keys.filter((key) => holdsKey(set, key) === isInside)
}
