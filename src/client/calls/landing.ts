/** How far a call has come that is carried out in slices, for the error that it may end with. */
import { addHint, RecallError } from '../../core/model/errors.ts'

export interface Landing {
  /** So many records, from the first on, are durable. */
  tell(landed: number): void
  /** The error with what landed before it; of a call of one slice, the error as it is. */
  readonly explain: (error: unknown) => unknown
}

/** `total`: records in all; undefined where nobody knows. */
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
