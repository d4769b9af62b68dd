/**
 * forget: removes records by id, by ids, or by scope. One transaction removes rows, text index entries, vectors and links.
 * Before the call resolves, index and caches follow and the journal is emptied [W3].
 */
import { recallError } from '../../../src/core/model/errors.ts'
import type { Scope } from '../../../src/core/model/query.ts'
import type { ForgottenProof } from '../../../src/core/model/receipts.ts'
import { parseIds } from '../../../src/core/query/parse-query.ts'
import { restrictsNothing } from '../../../src/core/query/restricts-nothing.ts'
import type { Answer, ForgetRequest, RequestContext } from '../../../src/protocol/engine-api.ts'
import { afterCommit } from '../common/after-commit.ts'
import { forgetOperation, storedForget } from '../common/idempotency.ts'
import { inSteps } from '../common/in-steps.ts'
import { contradictory } from '../../scheduling/stored-order.ts'
import type { Ports } from '../common/ports.ts'
import { scopeOf } from '../common/scope.ts'

export async function forget(
  ports: Ports,
  request: ForgetRequest,
  { now, operation, signal }: RequestContext,
): Promise<Answer<'forget'>> {
  const { store, storage } = ports
  const named = 'ids' in request ? [...new Set(parseIds(request.ids))] : null
  const repeated = storedForget(ports, operation, named)
  if (repeated) {
    // The transaction is done, but its journal may not be emptied yet.
    await storage.checkpoint()
    return repeated
  }
  const inScope = 'scope' in request ? idsOfScope(ports, request.scope) : []
  const limit = 'scope' in request ? request.limit : undefined
  const slice = limit === undefined ? {} : { isLast: inScope.length <= limit }
  const ids = named ?? inScope.slice(0, limit)
  const stored = store.existing(ids)
  const note = forgetOperation(operation, now, named, new Set(stored.keys()), slice)
  const tell = (done: number) => ports.emit({ type: 'progress', operation: 'forget', done, total: stored.size })
  const committed = await inSteps(ports, store.forget(ids, now, note), { signal, tell })
  await afterCommit(ports, committed, { erases: true })
  if (slice.isLast === false) mustProceed(committed.changed)
  return {
    forgotten: committed.changed,
    missing: ids.filter((id) => !stored.has(id)),
    revision: committed.revision,
    durability: storage.durability,
    ...slice,
  }
}

/** Throws STORE_CORRUPT if a slice that is not the last forgot nothing: the same records would be due for ever, because an index lacks them. */
export function mustProceed(forgotten: readonly string[]): void {
  if (forgotten.length === 0) throw contradictory()
}

export function verifyForgotten({ store, index }: Ports, id: string): ForgottenProof {
  parseIds([id])
  const left = store.proof(id)
  const key = store.keyOf(id)
  const bytes = left.bytes + (key !== undefined && index?.has(key) === true ? index.dimensions : 0)
  const clean = left.rows + left.fts + left.vectors + left.edges + left.events + bytes === 0
  return { ...left, bytes, clean }
}

function idsOfScope({ store }: Ports, input: Scope): readonly string[] {
  const scope = scopeOf(store, input)
  if (restrictsNothing(scope)) {
    throw recallError('INVALID_ARGUMENT', 'must have a condition that a record can fail', {
      field: 'scope',
      hint: 'Give at least one condition. To remove the whole store, call destroy().',
    })
  }
  return store.ids(scope)
}
