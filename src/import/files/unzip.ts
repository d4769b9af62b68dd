/**
 * The files of a zip archive in their order, each readable until the next one is asked for. Nothing is written; an archive that expands far
 * beyond its size, an encrypted or a cut one ends in a part that is left out.
 */
import type { UnzipFile } from 'fflate'
import { type Left, left, type SourceFile } from '../reading/reader.ts'
import { safePath } from './safe-path.ts'

/** A compressed piece this small expands to 16 MiB at most. */
const pieceBytes = 16_384
/** An entry may expand this far whatever its ratio, and this many times beyond that. Texts reach 20 times. */
const mostExpanded = 32 * 1_048_576
const mostRatio = 150
const mostEntries = 1_000_000

interface Event {
  readonly entry: UnzipFile
  readonly bytes?: Uint8Array
  readonly isLast?: boolean
  readonly problem?: string
}

/** Yields files, and parts for what cannot be read. `wants` decides by the path; files that it refuses are yielded without bytes. */
export async function* unzip(archive: SourceFile, wants: (path: string) => boolean): AsyncIterable<SourceFile | Left> {
  const { Unzip, UnzipInflate } = await import('fflate')
  const source = archive.bytes()[Symbol.asyncIterator]()
  const events: Event[] = []
  const stopped = new Set<UnzipFile>()
  let pushed = 0
  let entries = 0
  let problem: string | null = null
  const unzipper = new Unzip((entry) => {
    if (entry.name.endsWith('/')) return
    entries++
    events.push({ entry })
    const path = safePath(entry.name)
    // The library keeps the bytes of an entry that is not started.
    if (path === null || !wants(path)) stopped.add(entry)
    const first = pushed
    let expanded = 0
    entry.ondata = (error, bytes, isLast) => {
      expanded += bytes?.length ?? 0
      const read = entry.size ?? Math.max(1, pushed - first + pieceBytes)
      const isBomb = expanded > mostExpanded && expanded > mostRatio * read
      if (isBomb) problem = `${entry.name} expands to more than ${mostRatio} times its size`
      if (stopped.has(entry)) return
      if (error === null && !isBomb) events.push({ entry, bytes, isLast })
      else {
        stopped.add(entry)
        events.push({ entry, problem: isBomb ? 'expands far beyond its size' : error!.message })
      }
    }
    try {
      entry.start()
    } catch (error) {
      stopped.add(entry)
      events.push({ entry, problem: error instanceof Error ? error.message : 'cannot be read' })
    }
  })
  unzipper.register(UnzipInflate)
  let waiting: Uint8Array = new Uint8Array(0)
  let isDone = false

  /** Reads on until an event comes; false at the end. */
  const pump = async (): Promise<boolean> => {
    while (events.length === 0 && !isDone && problem === null) {
      if (waiting.length === 0) {
        const { value, done } = await source.next()
        if (done === true) {
          isDone = true
          if (pushed === 0) problem = 'is empty'
          break
        }
        waiting = value
      }
      const piece = waiting.subarray(0, pieceBytes)
      waiting = waiting.subarray(piece.length)
      pushed += piece.length
      try {
        unzipper.push(piece, false)
      } catch (error) {
        problem = error instanceof Error ? error.message : 'is damaged'
      }
      if (entries > mostEntries) problem = `has more than ${mostEntries} files`
    }
    return events.length > 0
  }

  try {
    while (await pump()) {
      const { entry } = events.shift()!
      const isNew = !seen(entry)
      if (!isNew) continue
      const path = safePath(entry.name)
      if (path === null) {
        yield left('unsafe-path', entry.name, 'has a path that leaves the archive')
        continue
      }
      const file: SourceFile = {
        path,
        root: archive.root,
        size: entry.originalSize ?? null,
        modifiedMs: null,
        bytes: () => read(entry),
      }
      yield file
    }
    if (problem !== null) yield left('archive', null, `cannot be read to its end: ${problem}`)
    else if (entries === 0) yield left('archive', null, 'holds no file that can be found')
  } finally {
    await source.return?.()
  }

  async function* read(entry: UnzipFile): AsyncIterable<Uint8Array> {
    for (;;) {
      if (!(await pump())) throw new Error('the archive ends inside of this file')
      const next = events[0]!
      if (next.entry !== entry) throw new Error('the archive ends inside of this file')
      events.shift()
      if (next.problem !== undefined) throw new Error(next.problem)
      if (next.bytes !== undefined && next.bytes.length > 0) yield next.bytes
      if (next.isLast === true) return
    }
  }
}

/** Whether this entry was met before: what is left of its data is passed over. */
const met = new WeakSet<UnzipFile>()
function seen(entry: UnzipFile): boolean {
  if (met.has(entry)) return true
  met.add(entry)
  return false
}
