/** Adds this page's policy to a query that names none: the leader's default may differ. */
import { isPlainObject } from '../../src/core/model/plain-object.ts'
import { usesPolicy } from '../../src/protocol/methods.ts'
import type { Call } from './messages.ts'
import type { TabOptions } from './port.ts'

export function withPolicy(call: Call, { policy }: Pick<TabOptions, 'policy'>): Call {
  if (!usesPolicy(call.method)) return call
  const { query } = call.request as { readonly query?: unknown }
  return isPlainObject(query) && query['policy'] === undefined
    ? { ...call, request: { ...(call.request as object), query: { ...query, policy } } }
    : call
}
