/** Type of the client's link to an engine, in a worker or in this process. */

import type { RecallError } from '../../core/model/errors.ts'
import type { CallRequest, EngineCalls } from '../../protocol/engine-host.ts'
import type { Reply } from '../../protocol/envelope.ts'
import type { EventListener } from '../../protocol/events.ts'

export interface EngineLink extends EngineCalls {
  /** Sends a request. `transfer` lists buffers of the request that are transferred instead of copied. */
  call(request: CallRequest, transfer?: readonly ArrayBuffer[]): Promise<Reply<unknown>>
  subscribe(listener: EventListener): () => void
  /** Adds a listener that is called once when the engine's thread fails. Later calls get no answer. */
  onFailure(listener: (error: RecallError) => void): void
  /** Ends the engine's thread. Close the engine first. */
  end(): void
}
