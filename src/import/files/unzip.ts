/**
 * The files of a zip archive in their order, each readable until the next one is asked for. Nothing is written; an archive that expands far
 * beyond its size, an encrypted or a cut one ends in a part that is left out; what comes before it is read.
 */
import type { UnzipFile } from 'fflate'
import { joinBytes } from '../../core/collections/join-bytes.ts'
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
  const { strFromU8, Unzip, UnzipInflate } = await import('fflate')
  const headers = openHeaders(strFromU8)
  const source = archive.bytes()[Symbol.asyncIterator]()
  const events: Event[] = []
  const stopped = new Set<UnzipFile>()
  let pushed = 0
  let entries = 0
  let problem: string | null = null
  let isEncrypted = false
  const unzipper = new Unzip((entry) => {
    if (isEncrypted || entry.name.endsWith('/')) return
    // Its bytes would be read as if they were text.
    isEncrypted = headers.isEncrypted(entry.name)
    if (isEncrypted) return
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
    while (events.length === 0 && !isDone && !isEncrypted && problem === null) {
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
      headers.add(piece)
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
    if (isEncrypted) yield left('encrypted', null, 'has a password; unpack it, then import the folder')
    else if (problem !== null) yield left('archive', null, `cannot be read to its end: ${problem}`)
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

/** Bytes of the pieces before: a header may begin in one piece and end in the next. */
const keptBytes = 4_096

/** The headers of the entries, of which the library does not show whether an entry is encrypted. */
function openHeaders(decode: (bytes: Uint8Array, isLatin: boolean) => string) {
  let bytes: Uint8Array = new Uint8Array(0)
  let at = 0
  return {
    add(piece: Uint8Array) {
      const kept = bytes.subarray(Math.max(0, bytes.length - keptBytes))
      at = Math.max(0, at - (bytes.length - kept.length))
      bytes = joinBytes([kept, piece], kept.length + piece.length)
    },
    /** Entries are asked for in their order. */
    isEncrypted(name: string): boolean {
      const { length } = bytes
      for (let i = at; i + 30 <= length; i++) {
        if (bytes[i] !== 0x50 || bytes[i + 1] !== 0x4b || bytes[i + 2] !== 3 || bytes[i + 3] !== 4) continue
        const flags = bytes[i + 6]! | (bytes[i + 7]! << 8)
        const end = i + 30 + (bytes[i + 26]! | (bytes[i + 27]! << 8))
        if (end > length || decode(bytes.subarray(i + 30, end), (flags & 2_048) === 0) !== name) continue
        at = end
        return (flags & 1) === 1
      }
      return false
    },
  }
}
