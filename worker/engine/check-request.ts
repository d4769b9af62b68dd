/** Checks the options of an engine, and the time and operation id of its requests. */

import { parseAuthorityConfig } from '../../src/core/ingest/parse-authority.ts'
import { parseRetention } from '../../src/core/learning/retention.ts'
import { recallError } from '../../src/core/model/errors.ts'
import { tuning } from '../../src/core/model/tuning.ts'
import { findPolicy } from '../../src/core/policies/find-policy.ts'
import type { EngineOptions } from '../../src/protocol/engine-options.ts'

/** Throws if policy, authority or retention is invalid, before anything is opened. */
export function checkOptions({ policy, authority, retention }: EngineOptions) {
  if (retention) parseRetention(retention)
  return {
    policy: findPolicy(policy, 'policy'),
    authority: authority === null ? null : parseAuthorityConfig(authority),
  }
}

/** Throws unless `now` is a valid time: it is stored with every record. */
export function checkNow(now: number): void {
  if (Number.isFinite(now) && Math.abs(now) <= tuning.maxTimestampMs) return
  throw recallError('INVALID_ARGUMENT', 'must be a time', {
    field: 'now',
    value: now,
    hint: 'Let the option now return milliseconds since the epoch.',
  })
}

/** Throws unless the operation id is valid. It identifies a retry: if two writes shared an id, the second would be ignored. */
export function checkOperation(operation: unknown): void {
  const { maxOperationLength } = tuning
  if (operation === undefined) return
  if (typeof operation === 'string' && operation !== '' && operation.length <= maxOperationLength) return
  throw recallError('INVALID_ARGUMENT', `must be a string of 1 to ${maxOperationLength} characters`, {
    field: 'operation',
    value: operation,
    hint: 'Give each write a different id, or leave it out.',
  })
}
