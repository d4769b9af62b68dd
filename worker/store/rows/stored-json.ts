/** Reads JSON of the table `settings`. In a damaged tree a row may be found under another name. */
import { recallError } from '../../../src/core/model/errors.ts'

/** Throws STORE_CORRUPT if the text is not a JSON array of `type`. */
export function parseStoredList<T extends 'string' | 'number'>(
  name: string,
  text: string,
  type: T,
): readonly (T extends 'string' ? string : number)[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = null
  }
  if (Array.isArray(value) && value.every((part) => typeof part === type)) return value
  throw recallError('STORE_CORRUPT', `The setting ${name} of the store is damaged`, {
    hint: 'Restore a backup, or read what is left with salvage.',
  })
}
