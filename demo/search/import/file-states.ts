/** Reads the states of files that stored records mention, from a folder that the user chose. Does not write to the store. */
import type { FileState, Recall, StoredRecord } from 'scrubjay'
import { type FoundFile, hashOf } from '../../shared/files/read-folder.ts'
import { matchPaths } from './match-paths.ts'

export interface CheckedFolder {
  readonly states: readonly FileState[]
  /** Number of paths that may belong to another folder. */
  readonly unknown: number
  /** Number of files that exist but could not be read. */
  readonly unreadable: number
}

/** Stored paths, each with whether a record has a hash of the file. */
export type StoredPaths = ReadonlyMap<string, boolean>

export async function storedPaths(recall: Recall, signal: AbortSignal): Promise<StoredPaths> {
  const paths = new Map<string, boolean>()
  let cursor: string | null = null
  do {
    const { items, nextCursor }: Awaited<ReturnType<Recall['list']>> = await recall.list(
      { limit: 1000, cursor },
      { signal },
    )
    for (const { path, sha256 } of items.flatMap(({ files }: StoredRecord) => files))
      paths.set(path, (paths.get(path) ?? false) || sha256 !== null)
    cursor = nextCursor
  } while (cursor !== null)
  return paths
}

/** Reads `atOnce` files at a time, and hashes a file only if a record has a hash. Rejects when aborted. */
export async function statesOf(
  stored: StoredPaths,
  folderName: string,
  files: readonly FoundFile[],
  onProgress: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<CheckedFolder> {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const { present, missing, unknown } = matchPaths([...stored.keys()], folderName, [...byPath.keys()])
  const states: FileState[] = missing.map((path) => ({ path, exists: false }))
  const entries = [...present]
  let unreadable = 0
  for (let from = 0; from < entries.length; from += atOnce) {
    signal.throwIfAborted()
    const slice = entries.slice(from, from + atOnce)
    const read = await Promise.all(slice.map(([path, at]) => stateOf(path, byPath.get(at), stored.get(path) ?? false)))
    states.push(...read.filter((state) => state !== null))
    unreadable += read.filter((state) => state === null).length
    onProgress(Math.min(entries.length, from + atOnce), entries.length)
  }
  return { states, unknown: unknown.length, unreadable }
}

const atOnce = 16

/** Null for a file that cannot be read. */
async function stateOf(path: string, found: FoundFile | undefined, isHashKnown: boolean): Promise<FileState | null> {
  try {
    const file = await found?.handle.getFile()
    if (file === undefined) return null
    const state = { path, exists: true, mtime: file.lastModified }
    return isHashKnown ? { ...state, sha256: await hashOf(file) } : state
  } catch {
    return null
  }
}
