/**
 * What cannot be copied to another thread (a function, a proxy), by name. Loaded when it is needed: most pages never
 * send such a thing.
 */
import { type RecallError, recallError } from '../core/model/errors.ts'
import type { RecordInput } from '../core/model/record.ts'
import type { PutOutcome } from '../core/model/result.ts'

/** The error for an argument that could not be sent. */
export function refuseUncloneable(given: object): RecallError {
  const field = uncloneableField(given) ?? ''
  return recallError('INVALID_ARGUMENT', 'cannot be copied to the engine', {
    field,
    value: (given as Readonly<Record<string, unknown>>)[field],
    cure: 'Give plain data: no functions, no proxies.',
  })
}

/** The outcome of a record that cannot be sent; null for one that can. */
export function refuseUncloneableRecord(record: RecordInput): PutOutcome | null {
  const field = uncloneableField({ ...record })
  if (field === undefined) return null
  const { code, message } = recallError('INVALID_RECORD', 'cannot be copied to the engine', {
    field,
    value: record[field as keyof RecordInput],
    cure: 'Give plain data: no functions, no proxies.',
  })
  return {
    id: typeof record.id === 'string' ? record.id : '',
    outcome: 'rejected',
    code,
    field,
    message,
    bodyChanged: false,
  }
}

/** The first field that cannot be copied, by name. */
function uncloneableField(given: object): string | undefined {
  return Object.keys(given).find((key) => {
    try {
      structuredClone((given as Readonly<Record<string, unknown>>)[key])
      return false
    } catch {
      return true
    }
  })
}
