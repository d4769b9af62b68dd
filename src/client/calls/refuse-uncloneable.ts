/**
 * Finds the field of an argument that cannot be copied to another thread: a function, a proxy, a getter that throws. Loaded only after
 * such an error.
 */
import { type RecallError, recallError } from '../../core/model/errors.ts'
import type { PutOutcome } from '../../core/model/receipts.ts'
import type { RecordInput } from '../../core/model/record.ts'

/** Returns the error for an argument that cannot be sent; null for one that can. */
export function refuseUncloneable(given: unknown): RecallError | null {
  const blamed = blame(given, 'argument')
  return blamed && recallError('INVALID_ARGUMENT', problem, blamed)
}

/** Returns the outcome of a record that cannot be sent; null for one that can. */
export function refuseUncloneableRecord(record: RecordInput): PutOutcome | null {
  const blamed = blame(record, 'record')
  if (blamed === null) return null
  const id = valueOf(record, 'id')
  const refused = recallError('INVALID_RECORD', problem, blamed).toDetails()
  return { id: typeof id === 'string' ? id : '', outcome: 'rejected', ...refused, bodyChanged: false }
}

const problem = 'must be plain data that can be copied to the engine'
const hint = 'Give plain data without functions, proxies and endless nesting.'

/** Returns the first field that cannot be copied, or else the whole argument; null if all can be copied. */
function blame(given: unknown, whole: string) {
  if (isCloneable(() => given)) return null
  const field = fieldsOf(given).find((name) => !isCloneable(() => (given as Given)[name]))
  return field === undefined ? { field: whole, value: given, hint } : { field, value: valueOf(given, field), hint }
}

type Given = Readonly<Record<string, unknown>>

function isCloneable(read: () => unknown): boolean {
  try {
    structuredClone(read())
    return true
  } catch {
    return false
  }
}

/** Reads in a `try`, because a getter or a proxy of the caller may throw. */
function fieldsOf(given: unknown): readonly string[] {
  try {
    return Object.keys(given as object)
  } catch {
    return []
  }
}

function valueOf(given: unknown, field: string): unknown {
  try {
    return (given as Given | null)?.[field]
  } catch (thrown) {
    return thrown
  }
}
