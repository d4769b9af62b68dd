/** Decides what happens to tests whose program is not installed: on a desktop they are left out, under CI they fail. */

/** Returns the reason why the tests are left out; null if nothing is missing. Throws where CI is set. */
export function missing(isMissing: boolean, reason: string): string | null {
  if (!isMissing) return null
  const ci = process.env['CI']
  if (ci !== undefined && ci !== '' && ci !== 'false') throw new Error(reason)
  return reason
}
