/** What the engine and the chunk with HNSW, which is loaded when it is wanted, know of each other. */
import type { VectorIndex } from '../port.ts'

export interface AcceleratorHost {
  /** Holds every vector; the accelerator passes on to it what it is told. */
  readonly exact: VectorIndex
  /** Name of the embedding space. */
  readonly space: string
  revision(): number
  /** Keys of all records, by id: so the graph of the same records is the same, whatever their history. */
  keysById(): Uint32Array
  vectorsOf(key: number, visit: (vector: Float32Array) => void): void
  /** Whether what is saved outlives the engine. */
  readonly isKept: boolean
  readGraph(): Uint8Array | null
  writeGraph(sealed: Uint8Array): void
  /** Runs a job between two writes. */
  inTurn(job: () => void): Promise<void>
  tell(done: number, total: number): void
}

export interface Accelerator {
  readonly index: VectorIndex
  state(): 'building' | 'ready' | 'failed'
  /** Why it failed, in words. */
  failure(): string | null
  /** Makes the graph anew from what the store holds. */
  rebuild(): void
  /** Ends; `saving`: keeps the graph for the next time. Nothing is written afterwards. */
  stop(how: 'saving' | 'discarding'): void
}

/** The chunk as a module. */
export interface AcceleratorChunk {
  openAccelerator(host: AcceleratorHost): Accelerator
}
