/**
 * What a write leaves behind under its operation id, in its own transaction, so that the same request asked again is not
 * carried out twice and answers what it answered first. No text and, where the request names them, no ids are kept: the
 * request comes again with the retry.
 */
import { type ErrorCode, hintOf, recallError, withAlias } from '../../../src/core/model/errors.ts'
import type { PutOutcome, PutReceipt } from '../../../src/core/model/result.ts'
import type { Answer, Slice } from '../../../src/protocol/engine-api.ts'
import type { DoneOperation } from '../../store/port/committed.ts'
import type { Ports } from './ports.ts'
import type { Parsed } from './resolve-vectors.ts'

/** One letter a record; a capital one where its vectors were pending. */
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
  /** By index, for what the record's own text does not show: a vector of the wrong length. */
  readonly refusals?: Readonly<
    Record<number, Pick<PutOutcome, 'code' | 'field' | 'value' | 'message' | 'hint' | 'cure'>>
  >
}

export function notePut(
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

/** The receipt of a put that was carried out before; null when it was not. `parsed`: the same records, come again. */
export function rememberedPut(
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
    const known = { id: entry.id, ...letters[letter.toLowerCase() as keyof typeof letters] }
    const shared = letter === letter.toLowerCase() ? known : { ...known, vectors: 'pending' as const }
    if (shared.outcome !== 'rejected') return shared
    const refusal = isRejected(entry) ? entry.rejected.toDetails() : refusals[i]
    return { ...shared, ...(refusal as { code: ErrorCode }), ...withAlias(hintOf(refusal ?? {})) }
  })
  return { records, revision: done.revision, durability: storage.durability }
}

interface ForgetNote {
  /** The ids, where only the scope was asked for; else one digit for each id asked for: 1 where it was stored. */
  readonly forgotten: readonly string[] | string
  /** Where there was a limit. */
  readonly isLast?: boolean
}

export function noteForget(
  operation: string | undefined,
  at: number,
  asked: readonly string[] | null,
  forgotten: ReadonlySet<string>,
  slice: Partial<Slice>,
): readonly DoneOperation[] {
  if (operation === undefined) return []
  const note: ForgetNote = {
    forgotten: asked === null ? [...forgotten] : asked.map((id) => (forgotten.has(id) ? '1' : '0')).join(''),
    ...slice,
  }
  return [{ operation, at, answer: JSON.stringify(note) }]
}

/** `asked`: the same ids, come again; null when a scope was asked for. */
export function rememberedForget(
  { store, storage }: Ports,
  operation: string | undefined,
  asked: readonly string[] | null,
): Answer<'forget'> | null {
  const done = operation === undefined ? null : store.done(operation)
  if (done === null) return null
  const { forgotten, ...slice } = JSON.parse(done.answer) as ForgetNote
  const wereStored = typeof forgotten === 'string'
  if (!wereStored && !Array.isArray(forgotten)) throw otherRequest(operation)
  if (wereStored !== (asked !== null) || (wereStored && forgotten.length !== asked?.length))
    throw otherRequest(operation)
  const shared = { revision: done.revision, durability: storage.durability }
  if (Array.isArray(forgotten)) return { forgotten, missing: [], ...shared, ...slice }
  const those = (digit: string) => (asked ?? []).filter((_, i) => forgotten[i] === digit)
  return { forgotten: those('1'), missing: those('0'), ...shared }
}

function letterOf({ outcome, bodyChanged, vectors }: PutOutcome): string {
  const found = Object.entries(letters).find(([, kind]) => kind.outcome === outcome && kind.bodyChanged === bodyChanged)
  const letter = found?.[0] ?? 'n'
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
