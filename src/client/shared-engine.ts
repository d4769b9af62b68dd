/** Types of an engine that several clients of one page share. */
import type { RecallError } from '../core/model/errors.ts'
import type { EngineOptions } from '../protocol/engine-options.ts'
import type { Send } from './calls/run-calls.ts'
import type { EngineLink } from './link/engine-link.ts'

export interface SharedEngine {
  readonly options: EngineOptions
  readonly link: EngineLink
  /** Adds a listener that is called when the engine ends for another reason than the last `leave`. */
  onEnd(listener: (error: RecallError) => void): void
  /** Releases one share. The last one closes the engine and resolves when it is closed. */
  leave(): Promise<void>
  /** Deletes or locks the store, and ends all its clients with this error. */
  endAll(method: 'destroy' | 'lockNow', error: RecallError): Promise<void>
}

export interface JoinableEngine extends SharedEngine {
  /** Takes a share. Returns false if the engine has ended. */
  join(): boolean
  readonly send: Send
}
