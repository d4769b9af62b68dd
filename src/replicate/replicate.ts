/**
 * Keeps a store equal on several devices, through a blob store that sees only encrypted bytes. Each blob is a bucket: an export of
 * some records, encrypted. A round pulls blobs that others have written, merges them (law R), and pushes the buckets in which this device has
 * more. A write that another device overtook is repeated from the pull on.
 */

import { RecallError, recallError } from '../core/model/errors.ts'
import { guardTransport, type GuardedTransport } from './guard-transport.ts'
import { checkOptions } from './check-options.ts'
import { compose } from './compose.ts'
import type { ExportedBytes, ReplicatedStore, ReplicateOptions, Replication, RoundReport } from './options.ts'
import { createSchedule } from './schedule.ts'
import { createSeal, type Seal } from './seal.ts'
import { intoBuckets, readSnapshot, type Snapshot, summaryOf, writeSnapshot } from './snapshot.ts'
import type { Etag } from './transports/transport.ts'

/** Number of buckets. Part of the names of blobs, so that another number would never be mixed with this one. */
const bucketCount = 64
const namePattern = /^s1-64-[0-9a-f]{2}$/
/** A round gives up after so many blobs that others have overtaken. */
const maxTries = 16
const atOnce = 4

/** The known state of a blob: its etag, and the summary of its content. */
interface SeenBlob {
  readonly etag: Etag
  readonly summary: string
}

/** Starts rounds: one at once and then every minute, or only on request. Throws `INVALID_CONFIG`, which names the option. */
export function replicate(store: ReplicatedStore, options: ReplicateOptions): Replication {
  const { transport: given, key, everyMs, onError, onRound, onConflict, ...limits } = checkOptions(store, options)
  const transport = guardTransport(given, limits)
  const sealing = createSeal(key)
  const state: State = { seen: new Map(), revision: null }
  const round = async (signal: AbortSignal) =>
    syncOnce({ store, transport, onConflict, seal: await sealing, state, signal })
  return createSchedule({ round, everyMs, onError, onRound })
}

/** The state that earlier rounds have read. Without it a round reads and compares everything. */
interface State {
  readonly seen: Map<string, SeenBlob>
  /** The revision of the store at which all its changes were in the blobs. */
  revision: number | null
}

interface Round {
  readonly store: ReplicatedStore
  readonly transport: GuardedTransport
  readonly onConflict: ReplicateOptions['onConflict']
  readonly seal: Seal
  readonly state: State
  readonly signal: AbortSignal
}

async function syncOnce(round: Round): Promise<RoundReport> {
  const { store, state, onConflict, signal } = round
  const report = { pulled: 0, pushed: 0, inserted: 0, updated: 0, forgotten: 0, conflicts: 0 }
  for (let tries = 0; tries < maxTries; tries++) {
    const pulled = await pull(round)
    let { revision } = await store.status({ signal })
    if (pulled.length === 0 && revision === state.revision) return report
    let own = await snapshotOf(round)
    const news = compose(
      own,
      pulled.map(({ snapshot }) => snapshot),
    )
    if (news !== null) {
      const merged = await store.importFrom([writeSnapshot(news)], { mode: 'merge', onConflict }, { signal })
      report.inserted += merged.inserted
      report.updated += merged.updated
      report.forgotten += merged.removed
      report.conflicts += merged.conflicts
      revision = merged.revision
      own = await snapshotOf(round)
    }
    // Only now: a blob that was not merged must be read again, and never be written over.
    for (const { name, etag, snapshot } of pulled) state.seen.set(name, { etag, summary: summaryOf(snapshot) })
    report.pulled += pulled.length
    const { pushed, isOvertaken } = await push(own, round)
    report.pushed += pushed
    if (isOvertaken) continue
    state.revision = revision
    return report
  }
  throw recallError('STORAGE_UNAVAILABLE', `Other devices wrote the same blobs ${maxTries} times during this round`, {
    hint: 'Call sync again later. What was merged so far is stored.',
  })
}

interface Pulled {
  readonly name: string
  readonly etag: Etag
  readonly snapshot: Snapshot
}

/** The content of blobs that others have written since they were seen. */
async function pull({ transport, seal, state, signal }: Round): Promise<readonly Pulled[]> {
  const { seen } = state
  const listed = await transport.list(signal)
  for (const name of seen.keys()) {
    if (listed.has(name)) continue
    // Somebody deleted the blob, so its records must be pushed again.
    seen.delete(name)
    state.revision = null
  }
  const changed = [...listed].filter(([name, etag]) => namePattern.test(name) && seen.get(name)?.etag !== etag)
  const pulled = await inParallel(changed, signal, async ([name], own) => {
    const blob = await transport.get(name, own)
    if (blob === null) return null
    return { name, etag: blob.etag, snapshot: await snapshotIn(name, await seal.open(name, blob.bytes)) }
  })
  return pulled.filter((one) => one !== null)
}

/** Writes the buckets whose blobs have another content. */
async function push(mine: Snapshot, { transport, seal, state: { seen }, signal }: Round) {
  const buckets = await intoBuckets(mine, async (text) => (await seal.place(text)) % bucketCount)
  let pushed = 0
  let isOvertaken = false
  await inParallel([...buckets], signal, async ([bucket, content], own) => {
    const name = `s1-${bucketCount}-${bucket.toString(16).padStart(2, '0')}`
    const summary = summaryOf(content)
    const known = seen.get(name)
    if (known?.summary === summary) return
    const encrypted = await seal.seal(name, writeSnapshot(content))
    const etag = await transport.put(name, encrypted, known?.etag, own)
    if (etag === null) isOvertaken = true
    else {
      seen.set(name, { etag, summary })
      pushed++
    }
  })
  return { pushed, isOvertaken }
}

async function snapshotOf({ store, signal }: Round): Promise<Snapshot> {
  // Blobs are encrypted with the key of `replicate`.
  const bytes: ExportedBytes = store.exportTo({ signal, encrypted: false })
  return readSnapshot(bytes)
}

/** The content of a blob. Another program with the key may have written something else. */
async function snapshotIn(name: string, bytes: Uint8Array): Promise<Snapshot> {
  try {
    return await readSnapshot([bytes])
  } catch (error) {
    if (error instanceof RecallError && error.code === 'STORE_NEWER') throw error
    throw recallError('INVALID_CONFIG', `must hold blobs of replicate only, got something else in the blob ${name}`, {
      field: 'options.transport',
      hint: 'Delete the blob: the next round of a device that has its records writes it again. Nothing was changed.',
    })
  }
}

/** Like `map`, a few at a time. A failure aborts the signal of the others; rejects when all have ended. */
async function inParallel<T, U>(
  values: readonly T[],
  signal: AbortSignal,
  work: (value: T, signal: AbortSignal) => Promise<U>,
): Promise<readonly U[]> {
  const results: U[] = []
  const own = new AbortController()
  const onAbort = () => own.abort(signal.reason)
  signal.throwIfAborted()
  signal.addEventListener('abort', onAbort)
  let next = 0
  const workers = Array.from({ length: Math.min(atOnce, values.length) }, async () => {
    try {
      while (next < values.length) {
        own.signal.throwIfAborted()
        const at = next++
        results[at] = await work(values[at]!, own.signal)
      }
    } catch (error) {
      // Only the first reason is kept.
      own.abort(error)
    }
  })
  await Promise.all(workers)
  signal.removeEventListener('abort', onAbort)
  own.signal.throwIfAborted()
  return results
}
