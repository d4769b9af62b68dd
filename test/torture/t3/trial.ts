/**
 * One trial: a random script of transactions over one to three sessions, a power loss at a random I/O call, perhaps
 * another one during recovery; then every acknowledged transaction must be there, complete, and the file sound.
 */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { renewKey } from '../../../worker/engine/renew-key.ts'
import { type Database, first } from '../../../worker/sqlite/database.ts'
import { reclaimPages } from '../../../worker/storage/common/incremental-vacuum.ts'
import { createKeyring } from '../../../worker/storage/common/keyring.ts'
import type { OpenKeys } from '../../../worker/lock/port.ts'
import type { Ports } from '../../../worker/methods/common/ports.ts'
import type { OpenStorage } from '../../../worker/storage/common/port.ts'
import { openFile } from '../../../worker/storage/file/file.ts'
import { lockedDisk } from '../../../worker/storage/file/locked-disk.ts'
import { createUnlocker } from '../../../worker/storage/file/unlock-file.ts'
import { openKeyFile } from '../../../worker/storage/opfs/key-file.ts'
import { unlockBytes } from '../../../worker/storage/indexeddb/encrypted-bytes.ts'
import { openOpfs } from '../../../worker/storage/opfs/opfs.ts'
import { createFakeOpfs, type FakeOpfs, type LossModel } from './fake-opfs.ts'
import { judge, makeSchema, type Progress, runTransaction, type TrialResult } from './judge-trial.ts'
import { createRandom, type Random } from './random.ts'
import { withoutJournal } from './without-journal.ts'

/** `shipped`, or a control that must fail: no journal on disk, or no syncing. */
export type Mode = 'shipped' | 'journal_mode=MEMORY' | 'synchronous=OFF'

/** What the store is kept in: OPFS, a file of a server, or one of them locked. */
export type Place = 'opfs' | 'locked-opfs' | 'file' | 'locked'

const path = 'store.sqlite'
const lock = { key: Uint8Array.from({ length: 32 }, (_, i) => i), addedMs: 0 }

/** The range of I/O calls for the loss: many scripts make more, so it hits opening, writing and closing alike. */
const longestScriptCalls = 300
const longestRecoveryCalls = 40

export async function runTrial(
  sqlite3: Sqlite3Static,
  seed: number,
  model: LossModel,
  mode: Mode,
  place: Place = 'opfs',
): Promise<TrialResult> {
  const random = createRandom(Math.imul(seed, 2_654_435_761))
  const disk = createFakeOpfs()
  if (place === 'opfs' || place === 'locked-opfs')
    Object.defineProperty(navigator.storage, 'getDirectory', { configurable: true, value: () => disk.getDirectory() })
  const openIn = {
    opfs: () => openOpfs(sqlite3, `trial ${seed}`),
    'locked-opfs': () =>
      openOpfs(sqlite3, `trial ${seed}`, {
        lock: { keyring: createKeyring(lock, 'trial'), ciphers: { openKeyFile, unlockBytes } },
      }),
    file: () => openFile(sqlite3, disk.files(), path),
    locked: async () => {
      const files = disk.files()
      const keys = await createUnlocker(files, path, createKeyring(lock, path)).open()
      if (keys === null) throw new Error('the file is not locked')
      return openFile(sqlite3, lockedDisk(files, path, keys.seal), path, { keys })
    },
  }
  const open = () => openInMode(openIn[place], mode)
  const progress: Progress = { acknowledged: new Map(), inFlight: null, isMade: false, count: 0, returnedPages: 0 }

  disk.armCrash(random.between(1, longestScriptCalls), random.chance(0.4) ? 'flush' : 'any')
  try {
    await runScript(open, disk, random, progress)
  } catch (error) {
    // Without syncing, a kill between two sessions already loses buffered commits. `judge` finds that loss.
    if (!disk.hasCrashed() && mode !== 'synchronous=OFF') throw error
  }
  const isCutShort = disk.hasCrashed()
  disk.losePower(model, random)

  let recoveryLosses = 0
  while (recoveryLosses < 3 && random.chance(0.3)) {
    recoveryLosses += 1
    disk.armCrash(random.between(1, longestRecoveryCalls), random.chance(0.4) ? 'flush' : 'any')
    await attempt(disk, open)
    disk.losePower(model, random)
  }

  const { verdict, reason, isInFlightKept } = await judge(open, random, progress)
  const { count: acknowledged, returnedPages } = progress
  return { seed, verdict, reason, isCutShort, recoveryLosses, acknowledged, returnedPages, isInFlightKept }
}

async function openInMode(open: () => Promise<OpenStorage>, mode: Mode): Promise<OpenStorage> {
  const storage = await open()
  if (mode === 'shipped') return storage
  try {
    if (mode === 'journal_mode=MEMORY') return withoutJournal(storage)
    storage.database.execute(`PRAGMA ${mode}`)
    return storage
  } catch (error) {
    await storage.close()
    throw error
  }
}

async function runScript(
  open: () => Promise<OpenStorage>,
  disk: FakeOpfs,
  random: Random,
  progress: Progress,
): Promise<void> {
  for (let session = random.between(1, 3); session > 0; session--) {
    const storage = await open()
    try {
      // Small journals make automatic checkpoints happen within a short script.
      if (random.chance(0.5)) storage.database.execute(`PRAGMA wal_autocheckpoint=${random.between(4, 60)}`)
      if (!progress.isMade) makeSchema(storage.database, progress)
      const isLocked = storage.keys !== undefined
      for (let left = random.between(1, 10); left > 0; left--) {
        runTransaction(storage.database, random, progress)
        if (random.chance(0.3)) reclaimSome(storage.database, random, progress)
        if (random.chance(0.1)) storage.checkpoint()
        if (isLocked && random.chance(0.1)) await renew(storage)
      }
      if (random.chance(0.4)) disk.kill()
    } finally {
      // After a kill or a crash this only frees memory: the handles are dead.
      await storage.close()
    }
  }
}

/** The keys of a store since it was opened. */
const latest = new WeakMap<OpenStorage, OpenKeys>()

/** Gives a locked store a new key, or completes what a power loss interrupted. */
async function renew(storage: OpenStorage): Promise<void> {
  const save = async (_storage: OpenStorage, next: OpenKeys) => {
    await storage.keys!.save(next.record())
    latest.set(storage, next)
  }
  const inTurn = async (work: (ports: Ports, store: never) => unknown) =>
    (await work({ storage, emit: () => undefined } as never, undefined as never)) as never
  await renewKey({ inTurn, keys: () => latest.get(storage) ?? storage.keys!, save }, undefined)
}

/**
 * Reclaims all free pages, since stores are small here; this acknowledges nothing. A slice that fails is undone
 * silently.
 */
function reclaimSome(database: Database, random: Random, progress: Progress): void {
  const pages = () => first(database, 'PRAGMA page_count', [], (row) => row.number(0)) ?? 0
  const before = pages()
  reclaimPages(database, { freeShare: 0, freePages: 0, slicePages: random.between(1, 8) })
  progress.returnedPages += before - pages()
}

/** Opens, and drops the connection at once when the power fails meanwhile. */
async function attempt(disk: FakeOpfs, open: () => Promise<OpenStorage>): Promise<void> {
  try {
    const storage = await open()
    disk.disarmCrash()
    disk.kill()
    await storage.close()
  } catch {
    // Without a power loss the error is the store's own; `judge` will get it again and report it.
    if (disk.hasCrashed()) return
  }
}
