/** Checks the synonyms of a policy literal. */
import { isPlainObject } from '../model/plain-object.ts'
import { tuning } from '../model/tuning.ts'
import { invalidPolicy as invalid } from './invalid-policy.ts'

export function checkSynonyms({ synonyms, lexical }: Readonly<Record<string, unknown>>): void {
  if (synonyms === undefined) return
  const path = 'policy.synonyms'
  if (!isPlainObject(synonyms))
    throw invalid(path, synonyms, 'must be a plain object', 'Give an object such as { car: ["automobile"] }.')
  if (isPlainObject(lexical) && lexical.units !== 'words')
    throw invalid(
      path,
      undefined,
      'must be left out where lexical.units is runs',
      'Leave it out, or use words as units.',
    )
  const names = Object.keys(synonyms)
  if (names.length > tuning.maxSynonyms)
    throw invalid(path, names.length, `must have at most ${tuning.maxSynonyms} words`, 'Give fewer words.')
  for (const name of names) {
    checkPhrase(name, `${path}.${name}`)
    const values = synonyms[name]
    if (!Array.isArray(values) || values.length === 0 || values.length > tuning.maxSynonymsOfWord)
      throw invalid(
        `${path}.${name}`,
        values,
        `must be an array of 1 to ${tuning.maxSynonymsOfWord} strings`,
        'Give its synonyms, such as ["automobile"].',
      )
    for (const [i, value] of values.entries()) checkPhrase(value, `${path}.${name}[${i}]`)
  }
}

function checkPhrase(value: unknown, path: string): void {
  if (typeof value === 'string' && value.length <= mostCharacters && /[\p{L}\p{N}]/u.test(value)) return
  const problem = `must be a word or a phrase of at most ${mostCharacters} characters`
  throw invalid(path, value, problem, 'Give a text with a letter or a number.')
}

const mostCharacters = 200
