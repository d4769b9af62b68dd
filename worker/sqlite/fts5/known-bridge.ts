/**
 * Remembers in Cache Storage that the posting bridge passed its feature test with this build of SQLite in this browser. The test gives
 * the same verdict until one of them changes, and compiles a thousand functions of SQLite. A refusal is never remembered.
 */
import { bridgeBase64 } from '../../kernel/bridge.generated.ts'
import type { SqliteModule } from '../types.ts'

/** To be raised with each change of the bridge or of its test: test/unit/store/known-bridge.test.ts compares their sources. */
const bridgeVersion = 3

/** What the verdict depends on. */
export function buildOf({ capi, wasm }: SqliteModule): string {
  const options: string[] = []
  for (let i = 0, option = ''; (option = capi.sqlite3_compileoption_get(i)); i++) options.push(option)
  const { userAgent = '' } = globalThis.navigator ?? {}
  const functions = Object.keys(wasm.exports).length
  return JSON.stringify([bridgeVersion, bridgeBase64, capi.sqlite3_sourceid(), functions, options, userAgent])
}

/** The build whose bridge passed last; null if none is noted, or nothing can be. */
export async function readKnownBuild(): Promise<string | null> {
  try {
    // Opening a cache would create it.
    if (!(await caches.has(cacheName))) return null
    return (await (await (await caches.open(cacheName)).match(key))?.text()) ?? null
  } catch {
    return null
  }
}

export async function noteKnownBuild(build: string): Promise<void> {
  try {
    await (await caches.open(cacheName)).put(key, new Response(build))
  } catch {
    // The next opening tests again.
  }
}

const cacheName = 'scrubjay-sqlite'
/** A key only, never fetched. */
const key = 'https://scrubjay.invalid/bridge'
