/**
 * What stands on the far side of the boundary: one function that opens, one that answers, one that gives up.
 * Nothing else is exposed, and no callback crosses; events travel one way over a port of their own.
 */
import type { RequestContext, Method } from './engine-api.ts'
import type { EngineOptions } from './engine-options.ts'
import type { Reply } from './envelope.ts'

/** One request is one message. */
export interface CallRequest {
  /** Unique on its link; `cancel` names it. */
  readonly id: string
  readonly method: Method
  /** The method's arguments: unchecked, the engine parses them. */
  readonly request: unknown
  readonly context: RequestContext
  /** ms after which nobody waits for the answer any more. */
  readonly deadlineMs: number
}

export interface EngineCalls {
  call(request: CallRequest): Promise<Reply<unknown>>
  /** The caller no longer waits: the answer becomes `ABORTED`. A write that has begun is still carried out. */
  cancel(id: string): void
}

/** Who makes vectors: another thread behind a port, this thread from a table, or nobody here. */
export type EmbeddingSource =
  | { readonly kind: 'port'; readonly port: MessagePort }
  /** `keep`: whether the table may be kept in the browser. Default true. */
  | { readonly kind: 'table'; readonly url: string | undefined; readonly keep?: boolean | undefined }
  | { readonly kind: 'none' }

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

/** What a worker exposes; `hostMethods` is all that its endpoint lets through. */
export interface EngineHost {
  open(hello: Hello): Promise<Reply<Welcome>>
  call(request: CallRequest): Promise<Reply<unknown>>
  cancel(id: string): void
  /** The page goes: replaced text is to leave the files now. */
  erase(): void
  /** Deletes a store that nobody has open; needs no `open`. */
  remove(request: { readonly version: number; readonly name: string }): Promise<Reply<{ readonly deleted: boolean }>>
}

export const hostMethods = [
  'open',
  'call',
  'cancel',
  'erase',
  'remove',
] as const satisfies readonly (keyof EngineHost)[]
