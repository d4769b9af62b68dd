/** Limits of what a transport reads. */
import { recallError } from '../../core/model/errors.ts'
import type { RequestLimits } from './transport.ts'

/** Largest blob (bytes) unless `replicate` gives another limit: 64 blobs of this size are a store of 8 GiB. */
export const maxBlobBytes = 128 * 1024 * 1024
/** Largest answer (bytes) that lists blobs: some ten thousand names. */
export const maxListBytes = 16 * 1024 * 1024
/** Most files of a folder. */
export const maxNames = 10_000

/** The limits of a call outside `replicate`. */
export const noLimits: RequestLimits = { signal: new AbortController().signal, maxBytes: maxBlobBytes }

/** Throws `STORAGE_UNAVAILABLE` if a blob is larger than the limit. `bytes`: its size, or as much as was read of it. */
export function checkSize(what: string, bytes: number, maxBytes: number): void {
  if (bytes <= maxBytes) return
  throw recallError('STORAGE_UNAVAILABLE', `${what} has more than ${maxBytes} bytes, so it was not read`, {
    hint: 'Give a place that only this store uses. If the store is as large as this, set maxBlobBytes on every device.',
  })
}

export function tooManyNames(what: string) {
  return recallError('STORAGE_UNAVAILABLE', `${what} has more than ${maxNames} files, so it was not read`, {
    hint: 'Give a place that only this store uses.',
  })
}
