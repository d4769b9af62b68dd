/**
 * Types of the messages between page and engine worker. The worker exposes only the functions of `EngineHost`. No callback crosses
 * the boundary; events use a separate one-way port.
 */
import type { GivenLock } from '../core/model/lock.ts'
import type { Method, RequestContext } from './engine-api.ts'
import type { EngineOptions } from './engine-options.ts'
import type { Reply } from './envelope.ts'

/** One request, which is one message. */
export interface CallRequest {
  /** Unique on its link; `cancel` takes it. */
  readonly id: string
  readonly method: Method
  /** The method's arguments, unchecked: the engine parses them. */
  readonly request: unknown
  readonly context: RequestContext
  /** ms after which the caller no longer waits for the answer. */
  readonly deadlineMs: number
}

export interface EngineCalls {
  call(request: CallRequest): Promise<Reply<unknown>>
  /**
   * Aborts a call. A call that only reads is answered with `ABORTED` at once. A write (`mayWrite`) is answered when its outcome is known: with
   * `ABORTED` if it changed nothing, else with its answer. Unknown ids are ignored.
   */
  cancel(id: string): void
}

/** What makes vectors: another thread behind a port, the engine's thread with a table, or neither. */
export type EmbeddingSource =
  | { readonly kind: 'port'; readonly port: MessagePort }
  /** `languages`: URL of the table of other languages. `keep`: whether tables may be stored in the browser's cache. Default true. */
  | {
      readonly kind: 'table'
      readonly url: string | undefined
      readonly languages?: string | undefined
      readonly keep?: boolean | undefined
    }
  | { readonly kind: 'none' }

/** Sent by the page when the embedding worker cannot be loaded or fails. It gets no answer. */
export interface EmbedderEnded {
  readonly embedderEnded: string
}

/** The first message. */
export interface Hello {
  readonly version: number
  readonly options: EngineOptions
  readonly embedding: EmbeddingSource
  /** Receives each `EngineEvent`. */
  readonly events: MessagePort
}

export interface Welcome {
  readonly version: number
}

/** Asks to encrypt or decrypt a closed store. */
export interface Conversion {
  readonly name: string
  /** The first lock of the store; of one that is decrypted: a lock that it has. */
  readonly lock: GivenLock
  /** False: it is decrypted. */
  readonly encrypts: boolean
  readonly sqliteWasm?: string | undefined
}

/** Functions that a worker exposes. Its endpoint allows only those in `hostMethods`. */
export interface EngineHost {
  open(hello: Hello): Promise<Reply<Welcome>>
  call(request: CallRequest): Promise<Reply<unknown>>
  cancel(id: string): void
  /** Erases replaced text from the files now, because the page is about to end. */
  erase(): void
  /** Deletes a store that is not open anywhere. Needs no `open` before. */
  remove(request: { readonly version: number; readonly name: string }): Promise<Reply<{ readonly deleted: boolean }>>
  /** Encrypts or decrypts a store that is not open anywhere. Needs no `open` before. */
  convert(request: Conversion & { readonly version: number }): Promise<Reply<{ readonly changed: boolean }>>
}

export const hostMethods = [
  'open',
  'call',
  'cancel',
  'erase',
  'remove',
  'convert',
] as const satisfies readonly (keyof EngineHost)[]
