/**
 * The languages that a store can name, and the check of language tags: BCP 47 primary tags in lower case. A record may name any
 * language; a store only those of which word forms or meanings are known, or whose writing is read without forms.
 */
import { type ErrorCode, recallError } from './errors.ts'
import { nearest } from './nearest.ts'

/** In code point order. */
export const knownLanguages: readonly string[] =
  'ar bg cs da de el en es fi fr ga hi hu hy id it ja ko lt nb ne nl nn no pl pt ro ru sa sl sr sv ta th tr uk vi zh'.split(
    ' ',
  )

/** Of a store whose opener names none. */
export const defaultLanguages: readonly string[] = ['en']

/** The tag. Throws an error of the given code that names the field. */
export function parseLanguage(value: unknown, field: string, code: ErrorCode): string {
  if (typeof value === 'string' && /^[a-z]{2,3}$/.test(value)) return value
  throw recallError(code, 'must be the BCP 47 primary tag of a language, two or three letters in lower case', {
    field,
    value,
    hint: hintOf(value),
  })
}

function hintOf(value: unknown): string {
  const primary = typeof value === 'string' ? /^[a-z]{2,3}(?=[-_]|$)/i.exec(value)?.[0].toLowerCase() : undefined
  return primary === undefined ? 'Give a tag such as "de".' : `Give "${primary}".`
}

/** The languages of a store as they were given. Throws INVALID_CONFIG. */
export function parseLanguages(value: unknown): readonly string[] {
  const code = 'INVALID_CONFIG'
  if (!Array.isArray(value))
    throw recallError(code, 'must be an array', {
      field: 'languages',
      value,
      hint: 'Give an array, for example ["de"].',
    })
  if (value.length === 0)
    throw recallError(code, 'must name at least one language', {
      field: 'languages',
      value,
      hint: 'Leave it out, or give a tag such as "en".',
    })
  // Array.from turns a hole into an entry, which is rejected.
  return Array.from(value, (given: unknown, i) => {
    const field = `languages[${i}]`
    const tag = parseLanguage(given, field, code)
    if (!knownLanguages.includes(tag)) {
      const near = nearest(tag, knownLanguages)
      throw recallError(code, 'must be a known language', {
        field,
        value: tag,
        hint: `${near === null ? '' : `Did you mean "${near}"? `}Use one of ${knownLanguages.join(', ')}.`,
      })
    }
    if (value.indexOf(tag) !== i)
      throw recallError(code, 'must be distinct', { field, value: tag, hint: 'Name each language once.' })
    return tag
  })
}
