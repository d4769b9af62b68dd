/**
 * Reads a question against one state of the store, once: the words that are looked for, the records of its scope and their parts, the times
 * and preferences that it names. Every channel works from this value.
 */
import { holdsKey } from '../../../src/core/collections/key-set.ts'
import type { QueryPlan } from '../../../src/core/model/query-plan.ts'
import type { Existence } from '../../../src/core/model/result.ts'
import type { KeySet, Store } from '../../store/port/store.ts'
import { existenceOf } from '../words/existence.ts'
import { withCorrections } from '../words/typos.ts'
import { withForms } from '../words/word-forms.ts'
import { type EventWindows, eventWindows } from './event-windows.ts'
import { type KeyParts, keyParts } from './key-parts.ts'
import { settleTimes } from './settle-times.ts'

export interface Question {
  readonly store: Store
  /** As it is carried out: without times that do not distinguish records, and with corrected words and word forms. */
  readonly plan: QueryPlan
  /** The records of the scope; null: every record. */
  readonly scope: KeySet | null
  readonly parts: KeyParts
  /** Null if the query names no time that distinguishes records. */
  readonly windows: EventWindows | null
  /** How many records of the scope are of the times that the query names; null if it names none. */
  readonly ofTimes: number | null
  /** The records of each preferred field in the whole store; null if the query prefers none. */
  readonly preferences: Preferences | null
  /** Null without `reserve`. */
  readonly reserved: ReservedKeys | null
  readonly existence: Existence | null
  /** Why channels of words and names cannot find anything; null if they can. */
  readonly absent: string | null
  isInScope(key: number): boolean
}

/** The records whose kind is the reserved one, or whose text states such a request. */
export interface ReservedKeys {
  has(key: number): boolean
  /** A record of the kind that states a request, too, may be in it twice. */
  list(): readonly number[]
  /** At least their number. */
  readonly most: number
}

export type Preferences = Readonly<Record<'project' | 'kind' | 'topic', KeySet | null>>

export function readQuestion(asked: QueryPlan, store: Store): Question {
  const scope = store.scopeKeys(asked.scope)
  const given = settleTimes(asked, store, scope)
  const { windows, dated } = eventWindows(given, store)
  const formed = withForms(windows?.plan ?? given.withoutTimes ?? given, store, scope)
  // A corrected word has forms, too.
  const plan = withForms(withCorrections(formed, store, scope), store, scope, formed)
  const existence = existenceOf(plan, store, scope)
  return {
    store,
    plan,
    scope,
    parts: keyParts(plan, store),
    windows,
    ofTimes: given.heldAsWords === true ? null : dated,
    preferences: preferencesOf(plan, store),
    reserved: reservedKeys(plan, store),
    existence,
    absent: existence?.mightExist === false ? 'no word of the query exists in the scope' : null,
    isInScope: (key) => scope === null || holdsKey(scope, key),
  }
}

function preferencesOf({ query }: QueryPlan, store: Store): Preferences | null {
  const { project, kind, topic } = query.prefer ?? {}
  if (project === undefined && kind === undefined && topic === undefined) return null
  return {
    project: project === undefined ? null : store.scopeKeys({ project }),
    kind: kind === undefined ? null : store.scopeKeys({ kind }),
    topic: topic === undefined ? null : store.scopeKeys({ topic }),
  }
}

function reservedKeys({ query }: QueryPlan, store: Store): ReservedKeys | null {
  if (query.reserve === undefined) return null
  const { kind } = query.reserve
  const ofKind = store.scopeKeys({ kind })!
  const standing = store.standing()
  const has = (key: number) => holdsKey(ofKind, key) || standing.get(key) === kind
  return {
    has,
    list: () => [...ofKind.keys, ...standing.keys()].filter(has),
    most: ofKind.keys.length + standing.size,
  }
}
