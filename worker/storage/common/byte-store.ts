/**
 * The port below the page log: bytes by key, written in atomic steps. After `write` resolves, its bytes survive the end of the process.
 * A write that did not resolve happened completely or not at all.
 */

export type Bytes = Uint8Array<ArrayBuffer>

export interface ByteStore {
  keys(): Promise<readonly string[]>
  /** Undefined for an unknown key, or one without bytes. */
  read(keys: readonly string[]): Promise<readonly (Bytes | undefined)[]>
  /** One atomic, durable step. Rejects with a `RecallError`; then nothing was written. */
  write(puts: readonly (readonly [key: string, value: Bytes])[], removes: readonly string[]): Promise<void>
}
