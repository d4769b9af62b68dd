/** The errors of the fence: why a file gets no more writes from an opening [R10]. */
import { recallError } from '../../../src/core/model/errors.ts'

export function moved(path: string) {
  return recallError('STORAGE_UNAVAILABLE', 'The file was moved, deleted or replaced while it was open', {
    value: path,
    hint: 'Close the store and open it again. Changes since then are not stored.',
  })
}

export function cut(path: string) {
  return recallError('STORAGE_UNAVAILABLE', 'The file was cut or emptied while it was open', {
    value: path,
    hint: 'Close the store and open it again. Changes since then are not stored.',
  })
}

export function overwritten(path: string) {
  return recallError('STORAGE_UNAVAILABLE', 'Another journal was written over that of the store while it was open', {
    value: path,
    hint: 'Close the store and open it again. Changes since then are not stored.',
  })
}

export function taken(path: string) {
  return recallError('STORE_BUSY', 'The file has another owner, or an older copy was written over it', {
    value: path,
    hint: 'Close the store and open it again. Changes since then are not stored.',
  })
}
