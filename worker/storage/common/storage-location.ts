/**
 * Notes in which kind of storage a store lives, in a place that shares its fate with neither of them: Cache Storage. So a
 * store that vanished whole is told from one that never was, and one that moved is found where it went.
 */
import { directoryName } from './store-directory.ts'

/** The kinds that keep something. */
export type Home = 'opfs' | 'indexeddb'

export interface HomeNote {
  /** Null: nothing is noted. */
  readonly home: Home | null
  /** Where a copy may be left over from moving: it is to be removed, never to be opened. */
  readonly leftover?: Home | null
}

/** Nothing where nothing can be noted, as outside secure contexts. */
export async function readHome(name: string): Promise<HomeNote> {
  try {
    const notes = await caches.open(cacheName)
    const [home, leftover] = ((await (await notes.match(urlOf(name)))?.text()) ?? '').split(' ')
    return { home: kindOf(home), leftover: kindOf(leftover) }
  } catch {
    return { home: null }
  }
}

/** Resolves to whether it was noted. No home removes the note. */
export async function writeHome(name: string, { home, leftover }: HomeNote): Promise<boolean> {
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
  return word === 'opfs' || word === 'indexeddb' ? word : null
}

const cacheName = 'scrubjay-homes'

/** Never fetched: the top-level domain is reserved for names that lead nowhere. */
function urlOf(name: string): string {
  return `https://scrubjay.invalid/${directoryName(name)}`
}
