/**
 * How an answer crosses the boundary: Comlink keeps only name and message of a thrown error, so typed errors travel as
 * plain data inside an answer. What is not a `RecallError` is a fault of ours and stays an exception.
 */
import { type ErrorDetails, RecallError } from '../core/model/errors.ts'

export type Reply<T> =
  | { readonly ok: true; readonly value: T; readonly tookMs: number }
  | { readonly ok: false; readonly error: ErrorDetails }

/** The value of a reply; throws its error as a `RecallError` with every detail it left with. */
export function unwrap<T>(reply: Reply<T>): T {
  if (reply.ok) return reply.value
  throw new RecallError(reply.error)
}
