/** Prepares SQLite and the engine before a call needs them. Both functions ignore errors, because opening reports them. */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { buildOf, noteKnownBuild, readKnownBuild } from '../sqlite/fts5/known-bridge.ts'
import { acceptBridge, bridgeRefusal } from '../sqlite/fts5/postings-probe.ts'
import type { LeadingEngine } from '../tabs/port.ts'

/** Probes the posting bridge of SQLite while the browser opens the files. `notes`: the verdict may be read and left in the browser. */
export async function probeSqlite(sqlite3: Promise<Sqlite3Static>, notes: boolean): Promise<void> {
  try {
    const known = notes ? readKnownBuild() : null
    const loaded = await sqlite3
    const build = notes ? buildOf(loaded) : ''
    if (notes && (await known) === build) return acceptBridge(loaded)
    // Other code waits for SQLite to open files; it must run first.
    await nextTask()
    if (bridgeRefusal(loaded) === null && notes) await noteKnownBuild(build)
  } catch {}
}

/**
 * Opens a store in memory once, so that the browser has loaded and compiled everything when this tab must take a store
 * over. Measured on a busy machine: opening then took 2–4 ms instead of 160–530 ms.
 */
export async function warmUp(openInMemory: () => Promise<LeadingEngine>): Promise<void> {
  try {
    const context = { now: 0 }
    const engine = await openInMemory()
    await nextTask()
    await engine.call('put', { batch: [{ body: 'text' }] }, context)
    await nextTask()
    await engine.call('recall', { query: { text: 'text' } }, context)
    await engine.call('close', {}, context)
  } catch {}
}

/** Lets waiting messages run first. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}
