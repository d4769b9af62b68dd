/**
 * The HNSW chunk. `load-hnsw.ts` loads it when a store uses a graph. Vite builds it into hnsw.js, in the worker's folder.
 */
export { openAccelerator } from './vector/hnsw/accelerator.ts'
