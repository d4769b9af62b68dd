/**
 * Type of answers that cross the boundary. Comlink keeps only name and message of a thrown error, so a `RecallError` is sent as plain
 * data in the answer. Any other error is a bug of this package and stays an exception.
 */
import { type ErrorDetails, RecallError } from '../core/model/errors.ts'

export type Reply<T> =
  | { readonly ok: true; readonly value: T; readonly tookMs: number }
  | { readonly ok: false; readonly error: ErrorDetails }

/** Returns the value of a reply, or throws its error as a `RecallError` with all its details. */
export function unwrap<T>(reply: Reply<T>): T {
  if (reply.ok) return reply.value
  throw new RecallError(reply.error)
}
