/** Types of the columns that scoring reads of many records at once. */
import type { KeySet } from '../../../src/core/collections/key-set.ts'
import type { GateFacts } from '../../../src/core/model/facts.ts'

export type TimeColumn = 'createdAt' | 'updatedAt'

/**
 * Arrays by key: the number of the session from 1 (0: none), the record's place in it from 0, and its received length in tokens (see
 * `receivedLengths`).
 */
export interface SessionPlaces {
  readonly groups: Int32Array
  readonly places: Int32Array
  readonly lengths: Float64Array
  /** The key of the record at a place of a session; undefined for none. */
  at(group: number, place: number): number | undefined
}

export interface TimeOrder {
  /** Keys, newest first. */
  readonly keys: Uint32Array
  /** Index in `keys`, by key; entries of unused keys are undefined. */
  readonly places: Uint32Array
}

/** A rule that excludes records at a moment. */
export interface GateRule {
  /** Equal for rules that differ at most in `at`. */
  readonly name: string
  /** ms. Records are excluded until or from a time of theirs, this one included. */
  readonly at: number
  excludes(facts: GateFacts): boolean
}

export interface ExcludedKeys {
  readonly members: ReadonlySet<number>
  readonly keys: KeySet
}
