/** The records of a scope that hold all words of a text: what `list` and `facets` choose from. */
import { holdsKey, inAll, type KeySet, keySetOf } from '../../../src/core/collections/key-set.ts'
import type { QueryTerm } from '../../../src/core/model/query-plan.ts'
import type { FacetRequest } from '../../../src/core/model/query.ts'
import { allWords, everyWord } from '../../../src/core/query/all-words.ts'
import { correctedWords } from '../../../src/core/query/correct-words.ts'
import { isInScope, postingsOf } from '../../retrieval/words/term-postings.ts'
import { correctionsOf } from '../../retrieval/words/typos.ts'
import { listsOfExcluded, readForms, withFormsOf } from '../../retrieval/words/word-forms.ts'
import type { ScopeAt, Store } from '../../store/port/store.ts'

/** How the words of the text are read; by default as they are written. */
export type Reading = Pick<FacetRequest, 'prefix' | 'typos'>

/** Null means all records. */
export function matching(store: Store, scope: ScopeAt, text = '', reading: Reading = {}): KeySet | null {
  const scopeKeys = store.scopeKeys(scope)
  const { without, ...asked } = allWords(text, store.settings.stemmer, reading.prefix)
  if (asked.terms.length + without.length === 0) return scopeKeys
  const size = store.lastKey() + 1
  readForms(store, { ...asked, without })
  const { terms, joins } = wordsOf(asked, reading, store, scopeKeys)
  const all = postingsOf(store, { terms, joins, pairs: [] }, scopeKeys).terms.map(({ keys }) => keys)
  const isHeld = (i: number) => terms[i]!.optional !== true || isInScope(all[i]!, scopeKeys)
  // A record with a whole has its parts, however it writes them: `10.4.1` has those of v10.4.1.
  const wholes = terms.filter(({ isName }, i) => isName === true && isHeld(i)).map(({ word }) => word.split(' '))
  const isAddress = /:\/\/|www\./i.test(text)
  const isPart = ({ isName, word }: QueryTerm) =>
    isName !== true && wholes.some((words) => words.includes(word) || (isAddress && schemes.has(word)))
  const lists = all.filter((_, i) => isHeld(i) && !isPart(terms[i]!))
  const found = lists.length === 0 ? (scopeKeys ?? store.everyKey()).keys : inAll(lists)
  const inside = scopeKeys === null || lists.length === 0 ? found : kept(found, scopeKeys, true)
  const heldBack = without.flatMap((entry) => listsOfExcluded(entry, store))
  return keySetOf(
    heldBack.reduce((left, { keys }) => kept(left, keySetOf(keys, size), false), inside),
    size,
  )
}

type Asked = Omit<ReturnType<typeof allWords>, 'without'>

/** The words with their forms; under `typos: 'auto'` corrected where no record of the scope holds them. */
function wordsOf(asked: Asked, { typos = 'off' }: Reading, store: Store, scopeKeys: KeySet | null): Asked {
  const withForms = ({ terms, joins }: Asked) => ({
    terms: terms.map((term) => withFormsOf(term, null, store, scopeKeys)),
    joins,
  })
  const formed = withForms({ ...asked, terms: asked.terms.map((term) => withJoined(term, asked)) })
  if (typos === 'off') return formed
  const policy = { lexical: everyWord }
  const corrections = correctionsOf({ ...formed, policy }, store, scopeKeys)
  if (corrections.size === 0) return formed
  return withForms(correctedWords({ policy }, { ...formed, pairs: [] }, corrections, store.settings.stemmer))
}

/** Words of addresses that records may leave out. */
const schemes: ReadonlySet<string> = new Set(['http', 'https', 'www'])

/** A whole that may be written as one word: `e-mail` and `email`. */
function withJoined(term: QueryTerm, { joins }: Asked): QueryTerm {
  const joined = joins.filter(({ apart }) => term.isName === true && apart === term.phrase).map((join) => join.joined)
  return joined.length === 0 ? term : { ...term, apart: [...(term.apart ?? []), ...joined] }
}

function kept(keys: Uint32Array, set: KeySet, isInside: boolean): Uint32Array {
  return keys.filter((key) => holdsKey(set, key) === isInside)
}
