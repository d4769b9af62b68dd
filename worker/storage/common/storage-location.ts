/**
 * Saves the storage kind of each store in Cache Storage, which is lost independently of OPFS and IndexedDB. So a store that vanished can
 * be distinguished from one that never existed, and a moved store is found.
 */
import { directoryName } from './store-directory.ts'

/** The kinds that persist. */
export type Home = 'opfs' | 'indexeddb'

export interface LocationNote {
  /** Null: no location is saved. */
  readonly home: Home | null
  /** A kind in which moving may have left a copy. The copy must be removed, never opened. */
  readonly leftover?: Home | null
}

/** Returns nulls where Cache Storage is missing, as outside secure contexts. */
export async function readLocation(name: string): Promise<LocationNote> {
  try {
    const notes = await caches.open(cacheName)
    const [home, leftover] = ((await (await notes.match(urlOf(name)))?.text()) ?? '').split(' ')
    return { home: kindOf(home), leftover: kindOf(leftover) }
  } catch {
    return { home: null }
  }
}

/** Resolves to whether it was saved. A `home` of null removes the entry. */
export async function writeLocation(name: string, { home, leftover }: LocationNote): Promise<boolean> {
  try {
    const notes = await caches.open(cacheName)
    if (home === null) await notes.delete(urlOf(name))
    else await notes.put(urlOf(name), new Response(leftover ? `${home} ${leftover}` : home))
    return true
  } catch {
    return false
  }
}

function kindOf(word: string | undefined): Home | null {
  return word !== undefined && isHome(word) ? word : null
}

export function isHome(kind: string): kind is Home {
  return kind === 'opfs' || kind === 'indexeddb'
}

const cacheName = 'scrubjay-homes'

/** A key only, never fetched: the top-level domain `.invalid` is reserved. */
function urlOf(name: string): string {
  return `https://scrubjay.invalid/${directoryName(name)}`
}
