/** Types of the columns that scoring reads of many records at once. */

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
