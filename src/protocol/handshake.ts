/**
 * Checks that page, worker and the workers of other tabs use the same protocol version. They differ if an old tab or a stale cache has
 * another release. Increase the number with every change of a message's shape.
 */
import { recallError } from '../core/model/errors.ts'

export const protocolVersion = 7

/** Throws `VERSION_SKEW` when the other side does not speak this side's version. */
export function checkVersion(theirs: unknown): void {
  if (theirs === protocolVersion) return
  throw recallError(
    'VERSION_SKEW',
    `must be ${protocolVersion}, because page and engine need the same protocol version`,
    {
      field: 'version',
      value: theirs,
      hint: 'Reload the page. If that does not help, serve page and worker from one release of scrubjay.',
    },
  )
}
