/**
 * Keeps a store equal on several devices, through a store of blobs that understands nothing of them. Each blob is a bucket: an export of
 * some records, sealed. A round pulls blobs that others have written, merges them (law R), and pushes the buckets in which this device has
 * more. A write that another device overtook is repeated from the pull on.
 */

import { recallError } from '../core/model/errors.ts'
import { checkOptions } from './check-options.ts'
import { compose, shared } from './compose.ts'
import type { ExportedBytes, ReplicatedStore, ReplicateOptions, Replication, RoundReport } from './options.ts'
import { createSchedule } from './schedule.ts'
import { createSeal, type Seal } from './seal.ts'
import { intoBuckets, readSnapshot, type Snapshot, summaryOf, writeSnapshot } from './snapshot.ts'
import type { Transport } from './transport.ts'

/** Number of buckets. Part of the names of blobs, so that another number would never be mixed with this one. */
const bucketCount = 64
const namePattern = /^s1-64-[0-9a-f]{2}$/
/** A round gives up after so many blobs that others have overtaken. */
const maxTries = 16
const atOnce = 4

/** What is known of a blob: its etag, and the summary of its content. */
interface SeenBlob {
  readonly etag: string
  readonly summary: string
}

/** Starts rounds: one at once and then every minute, or only on request. Throws `INVALID_CONFIG`, which names the option. */
export function replicate(store: ReplicatedStore, options: ReplicateOptions): Replication {
  const { transport, key, everyMs, onError, onRound } = checkOptions(store, options)
  const sealing = createSeal(key)
  const seen = new Map<string, SeenBlob>()
  const round = async (signal: AbortSignal) => syncOnce({ store, transport, seal: await sealing, seen, signal })
  return createSchedule({ round, everyMs, onError, onRound })
}

interface Round {
  readonly store: ReplicatedStore
  readonly transport: Transport
  readonly seal: Seal
  readonly seen: Map<string, SeenBlob>
  readonly signal: AbortSignal
}

async function syncOnce(round: Round): Promise<RoundReport> {
  const report = { pulled: 0, pushed: 0, inserted: 0, updated: 0, forgotten: 0 }
  for (let tries = 0; tries < maxTries; tries++) {
    const pulled = await pull(round)
    report.pulled += pulled.length
    let own = await snapshotOf(round)
    const news = compose(own, pulled)
    if (news !== null) {
      const { inserted, updated, removed } = await round.store.importFrom(
        [writeSnapshot(news)],
        { mode: 'merge' },
        round,
      )
      report.inserted += inserted
      report.updated += updated
      report.forgotten += removed
      own = await snapshotOf(round)
    }
    const { pushed, isOvertaken } = await push(own, round)
    report.pushed += pushed
    if (!isOvertaken) return report
  }
  throw recallError('STORAGE_UNAVAILABLE', `Other devices wrote the same blobs ${maxTries} times during this round`, {
    hint: 'Call sync again later. What was merged so far is stored.',
  })
}

/** The content of blobs that others have written since they were seen. */
async function pull({ transport, seal, seen, signal }: Round): Promise<readonly Snapshot[]> {
  const listed = await transport.list()
  for (const name of seen.keys()) if (!listed.has(name)) seen.delete(name)
  const changed = [...listed].filter(([name, etag]) => namePattern.test(name) && seen.get(name)?.etag !== etag)
  const pulled = await inParallel(changed, async ([name]) => {
    signal.throwIfAborted()
    const blob = await transport.get(name)
    if (blob === null) return null
    const snapshot = await readSnapshot([await seal.open(name, blob.bytes)])
    return { name, etag: blob.etag, snapshot }
  })
  const found = pulled.filter((one) => one !== null)
  for (const { name, etag, snapshot } of found) seen.set(name, { etag, summary: summaryOf(snapshot) })
  return found.map(({ snapshot }) => snapshot)
}

/** Writes the buckets whose blobs have another content. */
async function push(own: Snapshot, { transport, seal, seen, signal }: Round) {
  const buckets = await intoBuckets(own, async (text) => (await seal.place(text)) % bucketCount)
  let pushed = 0
  let isOvertaken = false
  await inParallel([...buckets], async ([bucket, content]) => {
    const name = `s1-${bucketCount}-${bucket.toString(16).padStart(2, '0')}`
    const summary = summaryOf(content)
    const known = seen.get(name)
    if (known?.summary === summary) return
    signal.throwIfAborted()
    const records = new Map([...content.records].map(([id, frames]) => [id, shared(frames)]))
    const sealed = await seal.seal(name, writeSnapshot({ ...content, records }))
    const etag = await transport.put(name, sealed, known?.etag ?? null)
    if (etag === null) isOvertaken = true
    else {
      seen.set(name, { etag, summary })
      pushed++
    }
  })
  return { pushed, isOvertaken }
}

async function snapshotOf({ store, signal }: Round): Promise<Snapshot> {
  const bytes: ExportedBytes = store.exportTo({ signal })
  return readSnapshot(bytes)
}

/** Like `map`, a few at a time. */
async function inParallel<T, U>(values: readonly T[], work: (value: T) => Promise<U>): Promise<readonly U[]> {
  const results: U[] = []
  let next = 0
  const workers = Array.from({ length: Math.min(atOnce, values.length) }, async () => {
    while (next < values.length) {
      const at = next++
      results[at] = await work(values[at]!)
    }
  })
  await Promise.all(workers)
  return results
}
