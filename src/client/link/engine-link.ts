/** The engine as the client reaches it: over a worker's port, or in this process. */

import type { RecallError } from '../../core/model/errors.ts'
import type { CallRequest, EngineCalls } from '../../protocol/engine-host.ts'
import type { Reply } from '../../protocol/envelope.ts'
import type { EventListener } from '../../protocol/events.ts'

export interface EngineLink extends EngineCalls {
  /** `transfer` lists buffers of the request that are handed over instead of copied. */
  call(request: CallRequest, transfer?: readonly ArrayBuffer[]): Promise<Reply<unknown>>
  subscribe(listener: EventListener): () => void
  /** Told once, when the far side died; nothing is answered afterwards. */
  onFailure(listener: (error: RecallError) => void): void
  /** Frees the thread. The engine must be closed before. */
  end(): void
}
