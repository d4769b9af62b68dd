/**
 * hnswlib-wasm as patched by `patch-hnswlib.mjs`: an instance with a memory of its own, silent, its files in memory alone.
 * An instance serves one graph and is thrown away with it: its memory cannot shrink, and a failed read spoils it.
 */
// @ts-expect-error The package types another file; what is used of this one stands below.
import factory from 'hnswlib-wasm/dist/hnswlib-317962d7.js'

export interface Hnswlib {
  readonly HierarchicalNSW: new (space: 'ip', dimensions: number, autoSave: string) => NativeGraph
  /** Views of the memory; others after it grew. */
  readonly HEAPF32: Float32Array
  readonly HEAPU32: Uint32Array
  readonly files: {
    readFile(path: string): Uint8Array
    /** `canOwn`: the bytes are not copied, and nobody else's any more. */
    writeFile(path: string, bytes: Uint8Array, options: { readonly canOwn: true }): void
    unlink(path: string): void
  }
}

/** What is used of hnswlib's own class. Labels are given by the caller. Each may throw. */
export interface NativeGraph {
  initIndex(capacity: number, m: number, efConstruction: number, seed: number): void
  addPoint(point: Float32Array, label: number, replaceDeleted: false): void
  markDelete(label: number): void
  getPoint(label: number): ArrayLike<number>
  setEfSearch(ef: number): void
  searchKnn(query: Float32Array, count: number, filter: undefined): { readonly neighbors: readonly number[] }
  writeIndex(name: string): void
  readIndex(name: string, capacity: number): void
  getCurrentCount(): number
  delete(): void
}

type Factory = (
  overrides: object,
) => Promise<Hnswlib & { readonly EmscriptenFileSystemManager: { initializeFileSystem(kind: 'IDBFS'): void } }>

/** Where its files stand, by name. */
export const hnswlibFolder = '/hnswlib-index'

export async function openHnswlib(): Promise<Hnswlib> {
  const module = await (factory as Factory)({ print: nothing, printErr: nothing })
  // The name is the only one it knows; the patch leaves no IndexedDB behind it.
  module.EmscriptenFileSystemManager.initializeFileSystem('IDBFS')
  return module
}

/** It throws exceptions of WebAssembly, whose message is a pair of type and text, and plain errors. */
export function hnswlibReason(error: unknown): string {
  const message: unknown = (error as { readonly message?: unknown } | null)?.message
  return Array.isArray(message) ? message.join(': ') : String(message ?? error)
}

function nothing(): void {}
