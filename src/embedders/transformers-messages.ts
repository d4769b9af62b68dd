/** Messages between page and transformers worker: plain data, with the vectors of one call in one buffer. */
import type { ErrorDetails } from '../core/model/errors.ts'
import type { LoadProgress, ModelSettings } from './transformers-model.ts'

export type ToWorker =
  | { readonly type: 'load'; readonly settings: ModelSettings }
  | {
      readonly type: 'embed'
      readonly id: number
      readonly texts: readonly string[]
      readonly role: 'query' | 'document'
    }
  | { readonly type: 'cancel'; readonly id: number }

export type FromWorker =
  | { readonly type: 'progress'; readonly progress: LoadProgress }
  /** `packed` has all vectors one after the other. */
  | { readonly type: 'made'; readonly id: number; readonly packed: Float32Array<ArrayBuffer> }
  | { readonly type: 'failed'; readonly id: number; readonly error: ErrorDetails }
