/** An engine that several clients of one page have open. */
import type { RecallError } from '../core/model/errors.ts'
import type { EngineOptions } from '../protocol/engine-options.ts'
import type { Send } from './calls/run-calls.ts'
import type { EngineLink } from './link/engine-link.ts'

export interface SharedEngine {
  readonly options: EngineOptions
  readonly link: EngineLink
  /** Told when the engine ended otherwise than by the last leave. */
  onEnd(listener: (error: RecallError) => void): void
  /** Gives one share back; the last one closes the engine and resolves when it is closed. */
  leave(): Promise<void>
  /** Removes the store, whoever has it open. */
  destroy(error: RecallError): Promise<void>
}

export interface JoinableEngine extends SharedEngine {
  /** Takes a share; false when the engine has ended. */
  join(): boolean
  readonly send: Send
}
