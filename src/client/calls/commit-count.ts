/** Tracks how many records of a call in slices are durable, and adds this number to its error. */
import { addHint, RecallError } from '../../core/model/errors.ts'

export interface CommitCount {
  /** Sets the number of durable records, counted from the first. */
  set(committed: number): void
  /** Returns the error with the number of durable records; unchanged if there are none. */
  readonly addTo: (error: unknown) => unknown
}

/** `total`: number of all records; undefined if it is unknown. */
export function createCommitCount(what: 'stored' | 'forgotten', total?: number): CommitCount {
  let committed = 0
  return {
    set(records) {
      committed = records
    },
    addTo(error) {
      if (!(error instanceof RecallError) || committed === 0) return error
      const of = total === undefined ? '' : ` of ${total}`
      const hint = `Make the same call again to go on after the first ${committed}${of} records, which are ${what}.`
      return Object.assign(addHint(error, hint, { committed }), { stack: error.stack })
    },
  }
}
