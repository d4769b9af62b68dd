/** An engine in this process, as the client and the server see it. */
import type { KeptStore } from '../../src/protocol/blocks.ts'
import type { EngineCalls } from '../../src/protocol/engine-host.ts'
import type { EventListener } from '../../src/protocol/events.ts'
import type { Replica } from '../replica/replica.ts'

export interface InlineEngine extends EngineCalls {
  subscribe(listener: EventListener): () => void
}

export interface InlineReplica extends InlineEngine, Pick<Replica, 'catchUp' | 'isOutdated'> {
  closeAndKeep(): Promise<KeptStore | null>
}
