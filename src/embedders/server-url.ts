/** The URL of a server that an app names. Errors do not quote it, because a URL may contain a key. */
import { recallError } from '../core/model/errors.ts'

/** `field`: its path in errors. Throws `INVALID_CONFIG`. */
export function serverUrl(input: string | URL, field: string): URL {
  const url = URL.canParse(String(input)) ? new URL(input) : null
  const invalid = (problem: string, hint: string) => recallError('INVALID_CONFIG', problem, { field, hint })
  if (url === null || !/^https?:$/.test(url.protocol))
    throw invalid('must be an absolute http or https URL', 'Give the whole URL of the endpoint.')
  if (url.username !== '' || url.password !== '')
    throw invalid('must be a URL without a user name and a password', 'Give them as key or headers.')
  return url
}
