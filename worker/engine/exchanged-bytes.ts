/** Decides what errors and answers are worth after the bytes of a store were exchanged: damage is that exchange, and a read is refused. */
import { RecallError } from '../../src/core/model/errors.ts'
import type { Method } from '../../src/protocol/engine-api.ts'
import { mayWrite } from '../../src/protocol/methods.ts'
import type { OpenStorage } from '../storage/common/port.ts'

/** Any other error is of the call itself. */
export function causeOf(storage: OpenStorage, error: unknown): unknown {
  const isOwn = error instanceof RecallError && !ofBytes.has(error.code)
  return isOwn ? error : (storage.exchanged?.() ?? error)
}

const ofBytes: ReadonlySet<string> = new Set(['STORE_CORRUPT', 'STORAGE_UNAVAILABLE'])

/** Throws if the answer of a read may mix the commits of two owners. The storage answers for writes; `status` says why they fail. */
export function assertOneOwner(storage: OpenStorage, method: Method, request: unknown): void {
  if (method === 'status' || mayWrite(method, request)) return
  const taken = storage.taken?.()
  if (taken) throw taken
}
