/**
 * The idempotency records of put and forget. A write stores its outcome under its operation id, in its own transaction. If the
 * same request is repeated, it is not run again, and the stored outcome gives the same answer. No text is stored, and
 * no ids that the request contains: the repeated request has them.
 */
import { type ErrorCode, hintOf, recallError, withAlias } from '../../../src/core/model/errors.ts'
import type { PutOutcome, PutReceipt } from '../../../src/core/model/receipts.ts'
import type { Answer, Slice } from '../../../src/protocol/engine-api.ts'
import type { DoneOperation } from '../../store/port/committed.ts'
import type { Ports } from './ports.ts'
import type { Parsed } from './resolve-vectors.ts'

/** One letter per record; a capital letter if its vectors were pending. */
const letters = {
  i: { outcome: 'inserted', bodyChanged: true },
  b: { outcome: 'updated', bodyChanged: true },
  u: { outcome: 'updated', bodyChanged: false },
  n: { outcome: 'unchanged', bodyChanged: false },
  f: { outcome: 'filtered', bodyChanged: false },
  r: { outcome: 'rejected', bodyChanged: false },
} as const satisfies Readonly<Record<string, Omit<PutOutcome, 'id'>>>

interface PutNote {
  readonly outcomes: string
  /** By index: errors that parsing the record again does not show, for example a vector of the wrong length. */
  readonly refusals?: Readonly<
    Record<number, Pick<PutOutcome, 'code' | 'field' | 'value' | 'message' | 'hint' | 'cure'>>
  >
}

export function putOperation(
  operation: string | undefined,
  at: number,
  parsed: readonly Parsed[],
  outcomes: readonly PutOutcome[],
): readonly DoneOperation[] {
  if (operation === undefined) return []
  const refusals = outcomes.flatMap(({ outcome, code, field, value, message, hint }, i) =>
    outcome === 'rejected' && !isRejected(parsed[i]) ? [[i, { code, field, value, message, hint }]] : [],
  )
  const note: PutNote = {
    outcomes: outcomes.map(letterOf).join(''),
    ...(refusals.length === 0 ? {} : { refusals: Object.fromEntries(refusals) as PutNote['refusals'] }),
  }
  return [{ operation, at, answer: JSON.stringify(note) }]
}

/** The receipt of a repeated put; null if the operation is new. `parsed`: the records of the repeated request. */
export function storedPut(
  { store, storage }: Ports,
  operation: string | undefined,
  parsed: readonly Pick<Parsed, 'id'>[],
): PutReceipt | null {
  const done = operation === undefined ? null : store.done(operation)
  if (done === null) return null
  const { outcomes, refusals = {} } = JSON.parse(done.answer) as PutNote
  if (outcomes?.length !== parsed.length) throw otherRequest(operation)
  const records = parsed.map((entry, i): PutOutcome => {
    const letter = outcomes[i] ?? ''
    const outcome = { id: entry.id, ...letters[letter.toLowerCase() as keyof typeof letters] }
    const shared = letter === letter.toLowerCase() ? outcome : { ...outcome, vectors: 'pending' as const }
    if (shared.outcome !== 'rejected') return shared
    const refusal = isRejected(entry) ? entry.rejected.toDetails() : refusals[i]
    return { ...shared, ...(refusal as { code: ErrorCode }), ...withAlias(hintOf(refusal ?? {})) }
  })
  return { records, revision: done.revision, durability: storage.durability }
}

interface ForgetNote {
  /** For a scope: the ids. For given ids: one digit per id, 1 if it was stored. */
  readonly forgotten: readonly string[] | string
  /** Set if the request had a limit. */
  readonly isLast?: boolean
}

export function forgetOperation(
  operation: string | undefined,
  at: number,
  ids: readonly string[] | null,
  forgotten: ReadonlySet<string>,
  slice: Partial<Slice>,
): readonly DoneOperation[] {
  if (operation === undefined) return []
  const note: ForgetNote = {
    forgotten: ids === null ? [...forgotten] : ids.map((id) => (forgotten.has(id) ? '1' : '0')).join(''),
    ...slice,
  }
  return [{ operation, at, answer: JSON.stringify(note) }]
}

/** The receipt of a repeated forget; null if the operation is new. `ids`: those of the repeated request; null for a scope. */
export function storedForget(
  { store, storage }: Ports,
  operation: string | undefined,
  ids: readonly string[] | null,
): Answer<'forget'> | null {
  const done = operation === undefined ? null : store.done(operation)
  if (done === null) return null
  const { forgotten, ...slice } = JSON.parse(done.answer) as ForgetNote
  const hasDigits = typeof forgotten === 'string'
  if (!hasDigits && !Array.isArray(forgotten)) throw otherRequest(operation)
  if (hasDigits !== (ids !== null) || (hasDigits && forgotten.length !== ids?.length)) throw otherRequest(operation)
  const shared = { revision: done.revision, durability: storage.durability }
  if (Array.isArray(forgotten)) return { forgotten, missing: [], ...shared, ...slice }
  const idsWith = (digit: string) => (ids ?? []).filter((_, i) => forgotten[i] === digit)
  return { forgotten: idsWith('1'), missing: idsWith('0'), ...shared }
}

function letterOf({ outcome, bodyChanged, vectors }: PutOutcome): string {
  const entry = Object.entries(letters).find(([, kind]) => kind.outcome === outcome && kind.bodyChanged === bodyChanged)
  const letter = entry?.[0] ?? 'n'
  return vectors === 'pending' ? letter.toUpperCase() : letter
}

function isRejected(entry: Pick<Parsed, 'id'> | undefined): entry is Extract<Parsed, { readonly rejected: unknown }> {
  return entry !== undefined && 'rejected' in entry
}

function otherRequest(operation: string | undefined) {
  return recallError('INVALID_ARGUMENT', 'must be new: another request used this id', {
    field: 'operation',
    value: operation,
    hint: 'Give each write a different operation id.',
  })
}
