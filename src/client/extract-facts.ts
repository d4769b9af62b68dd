/**
 * Has an extractor of the app read facts in turns that are stored, and stores what it may: an extractor that fails, answers late or
 * answers wrongly costs no turn and no error of the call [H5]. It runs in the page, because a function cannot cross to the engine.
 */
import { type ExtractedTurn, factsToRecords } from '../core/ingest/facts-to-records.ts'
import { problemOf, type RecallError } from '../core/model/errors.ts'
import type { FactSkip, FactsReceipt, PutReceipt } from '../core/model/receipts.ts'
import type { RecordInput } from '../core/model/record.ts'
import { realTimers } from '../protocol/timers.ts'
import type { Recall, RememberOptions } from './api/recall.ts'

const shippedDeadlineMs = 60_000
const mostKnown = 20
/** Of the turns, as the question for what is known. */
const mostAsked = 2_000

export async function extractFacts(
  store: Pick<Recall, 'put' | 'recall' | 'get' | 'forget'>,
  turns: readonly RecordInput[],
  { records: outcomes }: PutReceipt,
  { extract, extractMs = shippedDeadlineMs, session, record, signal }: RememberOptions,
): Promise<FactsReceipt> {
  const said = turns.flatMap((turn, i) => (outcomes[i]?.outcome === 'rejected' ? [] : [turnOf(turn)]))
  if (said.length === 0 || extract === undefined) return { stored: [], skipped: [] }
  const ending = new AbortController()
  const stops = [realTimers.after(extractMs, () => ending.abort(late))]
  const abort = () => ending.abort(aborted)
  signal?.addEventListener('abort', abort)
  stops.push(() => signal?.removeEventListener('abort', abort))
  if (signal?.aborted) abort()
  try {
    const { known, failed } = await knownBefore(store, said, record)
    const given = await within(ending.signal, async () =>
      extract(structuredClone(said), { known, signal: ending.signal }),
    )
    // Throws if a member of the answer does.
    const { records, skipped } = factsToRecords(given, said, { session, record })
    return await storeFacts(store, records, [...failed, ...skipped])
  } catch (error) {
    const reason = error instanceof Ended ? error.reason : 'failed'
    return { stored: [], skipped: [{ at: null, reason, message: safeProblem(error) }] }
  } finally {
    for (const stop of stops) stop()
  }
}

class Ended extends Error {
  readonly reason: FactSkip['reason']
  constructor(reason: FactSkip['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

const late = new Ended('late', 'the extractor did not answer in time')
const aborted = new Ended('aborted', 'the call was aborted; the turns are stored')

function within<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason as Ended)
    if (signal.aborted) return end()
    signal.addEventListener('abort', end)
    work().then(resolve, reject)
  })
}

/** What the store knows of the matter, so that nothing is extracted twice; the receipt says if that could not be read. */
async function knownBefore(
  { recall }: Pick<Recall, 'recall'>,
  turns: readonly ExtractedTurn[],
  { project, agent, bank }: Partial<RecordInput> = {},
): Promise<{
  readonly known: readonly { readonly id: string; readonly text: string }[]
  readonly failed: readonly FactSkip[]
}> {
  const own = Object.fromEntries(
    Object.entries({ project, agent, bank }).filter(([, value]) => typeof value === 'string'),
  )
  try {
    const { hits } = await recall({
      text: turns
        .map(({ text }) => text)
        .join('\n')
        .slice(0, mostAsked),
      scope: { ...own, kind: 'fact' },
      limit: mostKnown,
    })
    return { known: hits.map(({ id, record }) => ({ id, text: record.body ?? '' })), failed: [] }
  } catch (error) {
    const message = `what is known was not read, so facts may be stored twice: ${safeProblem(error)}`
    return { known: [], failed: [{ at: null, reason: 'failed', message }] }
  }
}

async function storeFacts(
  { put, get, forget }: Pick<Recall, 'put' | 'get' | 'forget'>,
  records: readonly RecordInput[],
  before: readonly FactSkip[],
): Promise<FactsReceipt> {
  if (records.length === 0) return { stored: [], skipped: before }
  const { records: outcomes } = await put(records)
  const skipped = [...before]
  for (const outcome of outcomes)
    if (outcome.outcome === 'rejected')
      skipped.push({ at: null, reason: 'refused', message: outcome.message ?? 'the store refused it' })
  const stored = outcomes.flatMap(({ id, outcome }) => (outcome === 'rejected' ? [] : [{ id, outcome }]))
  // A turn may have been forgotten while the extractor ran.
  const sources = [...new Set(records.flatMap(sourcesOf))]
  const left = await get(sources)
  const isLeft = new Set(sources.filter((_, i) => left[i] !== undefined))
  const orphans = records.flatMap((fact) => (sourcesOf(fact).some((id) => isLeft.has(id)) ? [] : [fact.id!]))
  if (orphans.length > 0) await forget(orphans)
  for (const id of orphans)
    skipped.push({ at: null, reason: 'unknown_turn', message: `${id}: its turns were forgotten` })
  return { stored: stored.filter(({ id }) => !orphans.includes(id)), skipped }
}

function sourcesOf({ relations = [] }: RecordInput): readonly string[] {
  return relations.flatMap(({ kind, target }) => (kind === 'derived_from' ? [target] : []))
}

function turnOf({ id, title, body, metadata, createdAt }: RecordInput): ExtractedTurn {
  return {
    id: id!,
    role: String(metadata?.role ?? ''),
    name: title ?? null,
    text: body ?? '',
    createdAt: createdAt ?? 0,
  }
}

/** An extractor may throw anything. */
function safeProblem(error: unknown): string {
  try {
    return problemOf(error as RecallError)
  } catch {
    return 'the extractor failed'
  }
}
