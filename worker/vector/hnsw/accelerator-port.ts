/** The interface between the engine and the HNSW chunk, which is loaded on demand. */
import type { VectorIndex } from '../port.ts'

export interface AcceleratorHost {
  /** Has every vector. The accelerator forwards all writes to it. */
  readonly exact: VectorIndex
  /** Name of the embedding space. */
  readonly space: string
  revision(): number
  /** Keys of all records in the order of their ids, so that the same records always give the same graph. */
  keysById(): Uint32Array
  vectorsOf(key: number, visit: (vector: Float32Array) => void): void
  /** Whether a saved graph outlives the engine. */
  readonly isKept: boolean
  readGraph(): Uint8Array | null
  writeGraph(envelope: Uint8Array): void
  /** Runs a job between two writes. */
  inTurn(job: () => void): Promise<void>
  tell(done: number, total: number): void
}

export interface Accelerator {
  readonly index: VectorIndex
  state(): 'building' | 'ready' | 'failed'
  /** Why the graph failed; null when it works. */
  failure(): string | null
  /** Drops the graph and rebuilds it from the store. */
  rebuild(): void
  /** Ends; `saving`: saves the graph for the next open. Nothing is written afterwards. */
  stop(how: 'saving' | 'discarding'): void
}

/** The exports of the chunk. */
export interface AcceleratorChunk {
  openAccelerator(host: AcceleratorHost): Accelerator
}
