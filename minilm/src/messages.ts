/** Messages between page and worker: plain data, with the vectors of one call in one buffer. */
import { type ErrorDetails, type RecallError, recallError } from '../../src/core/model/errors.ts'

export interface Progress {
  readonly loaded: number
  readonly total: number | null
}

export type Role = 'query' | 'document'

export type ToWorker =
  | { readonly type: 'load'; readonly url: string; readonly sha256: string; readonly dimensions: number }
  | { readonly type: 'embed'; readonly id: number; readonly texts: readonly string[]; readonly role: Role }
  | { readonly type: 'cancel'; readonly id: number }

export type FromWorker =
  | { readonly type: 'progress'; readonly progress: Progress }
  /** `packed` has all vectors one after the other. */
  | { readonly type: 'made'; readonly id: number; readonly packed: Float32Array<ArrayBuffer> }
  | { readonly type: 'failed'; readonly id: number; readonly error: ErrorDetails }

export function aborted(): RecallError {
  return recallError('ABORTED', 'The call was aborted while its texts were embedded')
}
