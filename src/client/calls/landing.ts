/** Tracks how many records of a call in slices are durable, and adds this number to its error. */
import { addHint, RecallError } from '../../core/model/errors.ts'

export interface Landing {
  /** Sets the number of durable records, counted from the first. */
  tell(landed: number): void
  /** Returns the error with the number of durable records; unchanged if there are none. */
  readonly explain: (error: unknown) => unknown
}

/** `total`: number of all records; undefined if it is unknown. */
export function createLanding(what: 'stored' | 'forgotten', total?: number): Landing {
  let landed = 0
  return {
    tell(records) {
      landed = records
    },
    explain(error) {
      if (!(error instanceof RecallError) || landed === 0) return error
      const of = total === undefined ? '' : ` of ${total}`
      const hint = `Make the same call again to go on after the first ${landed}${of} records, which are ${what}.`
      return Object.assign(addHint(error, hint, { landed }), { stack: error.stack })
    },
  }
}
