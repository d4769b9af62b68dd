/**
 * Splits the scope into parts with separate depth limits, so that none takes the places of another [Q4]: eligible records,
 * records outside the `files` filter (deciding may relax it), and filtered records (gates, `exclude`, `without`). The best filtered
 * records become candidates, too, so that the ledger can name them.
 */

import { holdsKey, keySetOf } from '../../../src/core/collections/key-set.ts'
import { selectTop } from '../../../src/core/collections/select-top.ts'
import type { QueryPlan } from '../../../src/core/model/query-plan.ts'
import { gateReason } from '../../../src/core/select/gate.ts'
import type { GateRule } from '../../store/port/columns.ts'
import type { KeySet, Store } from '../../store/port/store.ts'
import { keysWithExcluded } from '../words/word-forms.ts'

export interface KeyParts {
  /** Keys that a gate, `exclude` or `without` removes. */
  readonly filtered: ReadonlySet<number>
  /** The same keys. */
  readonly filteredKeys: KeySet
  /** The filtered keys that contain an entry of `plan.without`, with the number of that entry, from 1. */
  readonly excluded: ReadonlyMap<number, number>
  /** Keys that pass the `files` filter; null without one. */
  readonly files: ReadonlySet<number> | null
}

export function keyParts(plan: QueryPlan, store: Store): KeyParts {
  const gated = store.excluded(gateRule(plan))
  const named = (plan.query.exclude ?? []).flatMap((id) => store.keyOf(id) ?? [])
  const excluded = keysWithExcluded(plan, store)
  const files = plan.files.length === 0 ? null : store.keysOfFiles(plan.files)
  if (named.length + excluded.size === 0) return { filtered: gated.members, filteredKeys: gated.keys, excluded, files }
  const filtered = new Set([...gated.members, ...named, ...excluded.keys()])
  return { filtered, filteredKeys: keysOf(filtered), excluded, files }
}

function gateRule(plan: QueryPlan): GateRule {
  const { gateStatus, gateCodes, riskGate } = plan.policy
  return {
    name: JSON.stringify([gateStatus, gateCodes, riskGate, plan.scope.status ?? null]),
    at: plan.query.asOf ?? plan.now,
    excludes: (facts) => gateReason(plan, facts) !== null,
  }
}

function keysOf(members: ReadonlySet<number>): KeySet {
  const sorted = Uint32Array.from(members).sort()
  return keySetOf(sorted, (sorted.at(-1) ?? 0) + 1)
}

export interface Parts<Keys> {
  readonly eligible: readonly Keys[]
  readonly filtered: readonly Uint32Array[]
}

/** The parts of the scope; null: every record. A null part means every record but the filtered ones. */
export function scopeParts(scope: KeySet | null, parts: KeyParts, everyKey: () => KeySet): Parts<Uint32Array | null> {
  const { filteredKeys, files } = parts
  if (scope !== null || files !== null) return partition((scope ?? everyKey()).keys, parts)
  return { eligible: [null], filtered: filteredKeys.keys.length === 0 ? [] : [filteredKeys.keys] }
}

/** Splits the keys into parts without empty ones. */
export function partition(keys: Uint32Array, { filteredKeys, files }: KeyParts): Parts<Uint32Array> {
  if (filteredKeys.keys.length === 0 && files === null) return { eligible: [keys], filtered: [] }
  const [inside, others] = split(keys, filteredKeys)
  const eligible = files === null ? [others] : split(others, keysOf(files))
  const hasKeys = (part: Uint32Array) => part.length > 0
  return {
    eligible: eligible.some(hasKeys) ? eligible.filter(hasKeys) : eligible.slice(0, 1),
    filtered: [inside].filter(hasKeys),
  }
}

/** The keys in the set and the other keys, both in their order. The loop reads bits, because most lists have every key of the store. */
function split(keys: Uint32Array, set: KeySet): [inside: Uint32Array, outside: Uint32Array] {
  if (set.keys.length === 0) return [keys.subarray(0, 0), keys]
  const inside = new Uint32Array(keys.length)
  const outside = new Uint32Array(keys.length)
  let count = 0
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!
    // Writes both, and counts one: this needs no branch.
    inside[count] = key
    outside[i - count] = key
    count += Number(holdsKey(set, key))
  }
  return [inside.subarray(0, count), outside.subarray(0, keys.length - count)]
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
  const { eligible, filtered } = partition(keys, parts)
  return [...eligible, ...filtered].flatMap((part) => selectTop(part, scoreOf, depth, store.idOf))
}
