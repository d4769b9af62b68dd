/**
 * Splits the scope into parts with separate depth limits, so that none takes the places of another [Q4]: eligible records,
 * records outside the `files` filter (deciding may relax it), and filtered records (gates, `exclude`, `without`). The best filtered
 * records become candidates, too, so that the ledger can name them.
 */

import { selectTop } from '../../src/core/collections/select-top.ts'
import type { QueryPlan } from '../../src/core/model/query-plan.ts'
import { gateReason } from '../../src/core/select/gate.ts'
import type { KeySet, Store } from '../store/port/store.ts'
import { heldBackKeys } from './word-columns.ts'

export interface KeyParts {
  readonly closed: ReadonlySet<number>
  /** The filtered keys that contain an entry of `plan.without`, with the number of that entry, from 1. */
  readonly heldBack: ReadonlyMap<number, number>
  /** Keys that pass the `files` filter; null without one. */
  readonly files: ReadonlySet<number> | null
}

export function keyParts(plan: QueryPlan, store: Store): KeyParts {
  const closed = new Set<number>()
  for (const [key, facts] of store.gated()) if (gateReason(plan, facts) !== null) closed.add(key)
  for (const id of plan.query.exclude ?? []) {
    const key = store.keyOf(id)
    if (key !== undefined) closed.add(key)
  }
  const heldBack = heldBackKeys(plan, store)
  for (const key of heldBack.keys()) closed.add(key)
  return { closed, heldBack, files: plan.files.length === 0 ? null : store.keysOfFiles(plan.files) }
}

/** Splits the keys into parts without empty ones. A null part means every record. */
export function partition(
  keys: Uint32Array | null,
  { closed, files }: KeyParts,
  everyKey: () => KeySet,
): { readonly open: readonly (Uint32Array | null)[]; readonly closed: readonly Uint32Array[] } {
  if (closed.size === 0 && files === null) return { open: [keys], closed: [] }
  const all = keys ?? everyKey().keys
  const eligible = closed.size === 0 ? all : all.filter((key) => !closed.has(key))
  const open =
    files === null ? [eligible] : [eligible.filter((key) => files.has(key)), eligible.filter((key) => !files.has(key))]
  const filtered = closed.size === 0 ? [] : [all.filter((key) => closed.has(key))]
  const hasKeys = (part: Uint32Array) => part.length > 0
  return { open: open.some(hasKeys) ? open.filter(hasKeys) : open.slice(0, 1), closed: filtered.filter(hasKeys) }
}

/** A list of keys. */
export type Keys = ArrayLike<number> & Iterable<number>

/** The best `depth` keys of each part: the given list itself if it is no longer than that. */
export function selectTopOfEach(
  keys: Uint32Array,
  parts: KeyParts,
  scoreOf: (key: number) => number,
  depth: number,
  store: Store,
): Keys {
  if (keys.length <= depth) return keys
  const { open, closed } = partition(keys, parts, store.everyKey)
  return [...open, ...closed].flatMap((part) => selectTop(part ?? keys, scoreOf, depth, store.idOf))
}
