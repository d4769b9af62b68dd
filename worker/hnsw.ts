/**
 * The chunk with HNSW, loaded by `load-hnsw.ts` when a store wants it. Vite makes one file of it, hnsw.js beside the worker.
 */
export { openAccelerator } from './vector/hnsw/accelerator.ts'
