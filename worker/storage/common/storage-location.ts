/**
 * Saves the storage kind and the name of each store in Cache Storage, which is lost independently of OPFS and IndexedDB. So a store that
 * vanished can be distinguished from one that never existed, a moved store is found, and a page can list its stores.
 */
import { formatNote, type LocationNote, noteKey, notesCache, parseNote } from '../../../src/protocol/location-note.ts'

/** Returns nulls where Cache Storage is missing, as outside secure contexts. */
export async function readLocation(name: string): Promise<LocationNote> {
  try {
    const notes = await caches.open(notesCache)
    return parseNote((await (await notes.match(noteKey(name)))?.text()) ?? '')
  } catch {
    return { kind: null }
  }
}

/** Resolves to whether it was saved. A `kind` of null removes the entry. */
export async function writeLocation(
  name: string,
  { kind, leftover }: Pick<LocationNote, 'kind' | 'leftover'>,
): Promise<boolean> {
  try {
    const notes = await caches.open(notesCache)
    if (kind === null) await notes.delete(noteKey(name))
    else await notes.put(noteKey(name), new Response(formatNote({ kind, leftover: leftover ?? null, name })))
    return true
  } catch {
    return false
  }
}

/** Adds the name to a note of a release that saved none. */
export async function nameLocation(name: string): Promise<void> {
  const note = await readLocation(name)
  if (note.kind !== null && note.name === undefined) await writeLocation(name, note)
}
