/**
 * The port under the page log: bytes by key, written in steps that land whole or not at all. What a resolved `write`
 * wrote outlives the process; nothing is promised about what an unresolved one left, except that it is all or nothing.
 */

export type Bytes = Uint8Array<ArrayBuffer>

export interface ByteStore {
  keys(): Promise<readonly string[]>
  /** undefined where there is no such key, or no bytes under it. */
  read(keys: readonly string[]): Promise<readonly (Bytes | undefined)[]>
  /** One atomic, durable step. Rejects with a `RecallError`; then nothing of it was written. */
  write(puts: readonly (readonly [key: string, value: Bytes])[], removes: readonly string[]): Promise<void>
}
