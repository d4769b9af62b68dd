/** What is done before it is needed, so that nobody waits for it: both fail in silence, for opening says what is wrong. */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { bridgeRefusal } from '../sqlite/fts5/postings-probe.ts'
import type { LeadingEngine } from '../tabs/port.ts'

/** Tests what every store needs of SQLite in the time that the browser takes to hand out files. */
export async function tryOut(sqlite3: Promise<Sqlite3Static>): Promise<void> {
  try {
    const loaded = await sqlite3
    // Behind those who wait for it to ask for their files.
    await nextTask()
    bridgeRefusal(loaded)
  } catch {}
}

/**
 * What opening a store does, once over in memory: the browser has loaded and compiled by then what a tab needs to take a
 * store over. Seen: what took 160–530 ms on a busy machine took 2–4 ms.
 */
export async function rehearse(openInMemory: () => Promise<LeadingEngine>): Promise<void> {
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

/** Lets messages in between. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}
