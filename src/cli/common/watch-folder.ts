/** Keeps the records of a folder as its files are: reads it at once and after each change, and tells the store which files changed. */
import { type FSWatcher, readFileSync, statSync, watch } from 'node:fs'
import { resolve } from 'node:path'
import type { Recall } from '../../client/api/recall.ts'
import type { FileCheck } from '../../core/evidence/freshness.ts'
import { sha256HexOfBytes } from '../../core/text/hash/sha256.ts'
import { filesAt } from '../../import/files/paths.ts'
import { type ImportedFiles, type ImportFilesOptions, importFiles } from './import-files.ts'

export interface WatchOptions extends Omit<ImportFilesOptions, 'known' | 'keep'> {
  /** Called after each reading that changed something, and after the first one. */
  readonly onRead: (result: ImportedFiles) => void
  readonly onError: (error: unknown) => void
}

/** An editor writes a file several times in a row. */
const settleMs = 200
/** Also read now and then: not every file system reports its changes. */
const rescanMs = 15_000
/** A larger file is compared by its time. */
const mostHashedBytes = 16 * 1_048_576

interface Seen {
  readonly size: number | null
  readonly modifiedMs: number | null
}

/** Resolves when the signal aborts. Errors of single readings are reported, and the folder is read again later. */
export async function watchFolder(
  store: Pick<Recall, 'put' | 'list' | 'forget' | 'checkFiles'>,
  folder: string,
  { onRead, onError, ...options }: WatchOptions,
): Promise<void> {
  const { signal } = options
  const known = new Map<string, string>()
  let before: ReadonlyMap<string, Seen> | null = null
  let wake: () => void = () => undefined
  let isWoken = false
  const changed = () => {
    isWoken = true
    wake()
  }
  const watcher = watchAll(folder, changed)
  signal.addEventListener('abort', changed, { once: true })
  try {
    while (!signal.aborted) {
      isWoken = false
      try {
        const now = await scan(folder)
        const states = before === null ? [] : statesOf(folder, before, now)
        if (before === null || states.length > 0) {
          const result = await importFiles(store, [folder], { ...options, known })
          if (states.length > 0) await store.checkFiles(states, { signal })
          before = now
          onRead(result)
        }
      } catch (error) {
        if (!signal.aborted) onError(error)
      }
      await wait(rescanMs)
      if (!signal.aborted) await new Promise((done) => setTimeout(done, settleMs))
    }
  } finally {
    watcher?.close()
  }

  function wait(ms: number): Promise<void> {
    if (isWoken) return Promise.resolve()
    return new Promise((done) => {
      const timer = setTimeout(done, ms)
      wake = () => {
        clearTimeout(timer)
        done()
      }
    })
  }
}

function watchAll(folder: string, changed: () => void): FSWatcher | null {
  try {
    const watcher = watch(folder, { recursive: true }, changed)
    // The folder is gone, or there are too many watches: the rescan remains.
    watcher.on('error', () => watcher.close())
    return watcher
  } catch {
    return null
  }
}

async function scan(folder: string): Promise<ReadonlyMap<string, Seen>> {
  const seen = new Map<string, Seen>()
  for await (const one of filesAt(folder))
    if ('path' in one) seen.set(one.path, { size: one.size, modifiedMs: one.modifiedMs })
  return seen
}

function statesOf(
  folder: string,
  before: ReadonlyMap<string, Seen>,
  now: ReadonlyMap<string, Seen>,
): readonly FileCheck[] {
  const states: FileCheck[] = []
  for (const [path, { size, modifiedMs }] of now) {
    const old = before.get(path)
    if (old?.size === size && old.modifiedMs === modifiedMs) continue
    states.push({ path, exists: true, mtime: modifiedMs, sha256: hashOf(resolve(folder, path)) })
  }
  for (const path of before.keys()) if (!now.has(path)) states.push({ path, exists: false })
  return states
}

function hashOf(path: string): string | null {
  try {
    return statSync(path).size > mostHashedBytes ? null : sha256HexOfBytes(readFileSync(path))
  } catch {
    // It is gone again: the next scan sees it.
    return null
  }
}
