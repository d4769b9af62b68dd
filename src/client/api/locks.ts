/** The part of `Recall` that concerns locked stores. */
import type { LockInput, PasskeyOptions, StoreLock } from '../../core/model/lock.ts'
import type { CallOptions } from './call-options.ts'

export interface RecallLocks {
  /** The locks of a locked store: each opens it alone. Rejects with `INVALID_CONFIG` if the store is not locked; `encryptStore` locks one. */
  readonly keys: StoreKeys
  /**
   * Locks the store now, in every tab and process: its keys are wiped from memory, and every later call rejects with `LOCKED` until it is
   * opened again. Rejects with `INVALID_CONFIG` if the store is not locked.
   */
  lockNow(options?: CallOptions): Promise<void>
}

export interface StoreKeys {
  /** Adds a lock with a new recovery code, which only this answer holds: show it once, for someone to write down. */
  add(
    lock: { readonly recoveryCode: true },
    options?: CallOptions,
  ): Promise<StoreLock & { readonly recoveryCode: string }>
  /**
   * Adds a passkey of this site: a new one, or the one with `credentialId`, which the answer has for `openRecall({ lock: { passkey: { credentialId } } })`.
   * Call it when the person clicks. Rejects with `ABORTED` if they cancel, and with `INVALID_CONFIG` if the browser has no PRF.
   */
  add(
    lock: { readonly passkey: PasskeyOptions },
    options?: CallOptions,
  ): Promise<StoreLock & { readonly credentialId: string }>
  /** Adds a lock; the store then opens with any of its locks. Resolves when it is durable. A kill leaves the old locks or the new ones. */
  add(lock: LockInput, options?: CallOptions): Promise<StoreLock>
  /**
   * Removes a lock. It still opens copies that were made before. Open tabs stay open. Rejects with `INVALID_ARGUMENT` for an unknown id and
   * for the last lock.
   */
  remove(id: string, options?: CallOptions): Promise<void>
  /** The locks in the order in which they were added, without keys. */
  list(options?: CallOptions): Promise<readonly StoreLock[]>
}
