/**
 * Opens an instance of hnswlib-wasm as patched by `patch-hnswlib.mjs`: own memory, no console output, files in memory.
 * Use one instance per graph and discard both together: its memory cannot shrink, and a failed read corrupts it.
 */
// @ts-expect-error The package has no types for this file. The types below cover the part used here.
import factory from 'hnswlib-wasm/dist/hnswlib-317962d7.js'

export interface Hnswlib {
  readonly HierarchicalNSW: new (space: 'ip', dimensions: number, autoSave: string) => NativeGraph
  /** Views of the memory; replaced when it grows. */
  readonly HEAPF32: Float32Array
  readonly HEAPU32: Uint32Array
  readonly files: {
    readFile(path: string): Uint8Array
    /** `canOwn`: the library takes the bytes without a copy; the caller must not use them again. */
    writeFile(path: string, bytes: Uint8Array, options: { readonly canOwn: true }): void
    unlink(path: string): void
  }
}

/** The methods of hnswlib's class that are used here. The caller chooses labels. Every method may throw. */
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

/** The folder of its in-memory files. */
export const hnswlibFolder = '/hnswlib-index'

export async function openHnswlib(): Promise<Hnswlib> {
  const module = await (factory as Factory)({ print: nothing, printErr: nothing })
  // The library accepts only this name; the patch removed IndexedDB.
  module.EmscriptenFileSystemManager.initializeFileSystem('IDBFS')
  return module
}

/** The text of an error of hnswlib: a WebAssembly exception, whose message is a [type, text] pair, or a plain error. */
export function hnswlibReason(error: unknown): string {
  const message: unknown = (error as { readonly message?: unknown } | null)?.message
  return Array.isArray(message) ? message.join(': ') : String(message ?? error)
}

function nothing(): void {}
