/**
 * The fence of a store in a file [R10]. Before each commit, copy of commits and close, and again before each is acknowledged, it compares what the paths of the store name
 * with the files that are open, and their sizes with those known; the owner's note in the file with its own; and both ends of the journal with what it wrote there. A store of which a file was
 * exchanged, moved, cut or deleted, or that has another owner, gets no more writes from here, and nothing is acknowledged that it lacks.
 */
import type { RecallError } from '../../../src/core/model/errors.ts'
import { checkParts, nextSalt } from './check-parts.ts'
import type { Disk, DiskFile } from './disk.ts'
import { cut, moved, overwritten, taken } from './fence-errors.ts'
import { endOfFrames, framesWithin, saltIn } from './journal-head.ts'
import { encodeNote, newToken, noteAt, noteBytes, type OwnerNote } from './owner-note.ts'
import { journalAt, readParts } from './read-parts.ts'
import { openRevisionFile, revisionBytes } from './revision-file.ts'

export interface Fence {
  /** The disk as SQLite uses it: it sees zeros in place of the note, and its writes pass the fence. The given disk may reserve space of its own. */
  readonly disk: Disk
  readonly acknowledged: {
    latest(): number
    note(revision: number): void
    /** The store has this revision when it opens. */
    opened(revision: number): void
  }
  /** Names the file that is open; null before it is. */
  identity(): string | null
  /** Sentences for `degraded`. */
  problems(): readonly string[]
  /** Why writes of this owner are not, or no longer, those of the file that the path names; null if they are. */
  exchanged(): RecallError | null
  /** Why reads of this owner may mix what it wrote with what another one did; null if they do not. */
  taken(): RecallError | null
  /** Whether there are bytes in the journal. */
  holdsJournal(): boolean
  /** Throws `exchanged`. The saved revision is then that of this owner, whatever was written over it. */
  check(): void
  /**
   * Marks the file as closed. All commits must have been copied to it. Does nothing if this opening wrote nothing. Returns whether the files next to it may
   * be removed: false if they can be those of another owner. Throws as `check`.
   */
  release(): boolean
  close(): void
}

/** `path`: the file of the database. Throws STORE_CORRUPT if it and the files next to it do not belong together. */
export function fenceOn(disk: Disk, path: string): Fence {
  const [journalPath, revisionPath] = [`${path}-wal`, `${path}-revision`]
  const parts = readParts(disk, path)
  const [verdict, saved] = [checkParts(parts, path), parts.revision]
  const revision = openRevisionFile(disk, revisionPath)
  const warnings: string[] = verdict.warning === null ? [] : [verdict.warning]
  /** The note in the file, as far as this opening knows. */
  let note: OwnerNote | null = parts.note ?? null
  let ownNote = encodeNote(note)
  const storedNote = new Uint8Array(noteBytes)
  let isOwner = false
  /** Whether all was compared in this job. */
  let isChecked = false
  let failure: RecallError | null = null
  /** The note is not durable yet. */
  let isUnsynced = false
  let main: DiskFile | undefined
  const journal = { file: undefined as DiskFile | undefined, salt: null as number | null, end: 0, frames: 0 }
  /** What this opening wrote at both ends of the journal, by the offset. Another journal may be written over the bytes in place. */
  const written = new Map<'head' | 'tail', { readonly at: number; readonly bytes: Uint8Array }>()

  const fail = (error: RecallError): never => {
    failure ??= error
    throw error
  }
  const writeNote = (next: OwnerNote | null) => {
    const encoded = encodeNote(next)
    if (main !== undefined && main.size() >= noteAt + noteBytes) main.write(encoded, noteAt)
    note = next
    ownNote = encoded
    isUnsynced = true
  }
  const syncNote = () => {
    if (isUnsynced) main?.sync()
    isUnsynced = false
  }
  /** `least`: bytes that it must have. */
  const displaced = (at: string, file: DiskFile | undefined, least: number): RecallError | null => {
    if (file === undefined) return null
    const found = disk.findAt(at)
    if (found?.identity !== file.identity) return moved(at)
    return found.bytes < least ? cut(at) : null
  }
  const foreign = (): RecallError | null => {
    if (main === undefined || main.size() < noteAt + noteBytes) return null
    return main.read(storedNote, noteAt) && isEqual(storedNote, ownNote) ? null : taken(path)
  }
  const exchanged = (): RecallError | null =>
    failure ??
    displaced(path, main, main?.size() ?? 0) ??
    (isOwner ? displaced(journalPath, journal.file, journal.end) : null) ??
    (isOwner ? displaced(revisionPath, revision.file(), revisionBytes) : null) ??
    foreign()
  const check = () => {
    const error = exchanged()
    if (error !== null) fail(error)
  }
  /** Before a write, once in each job. */
  const checkWrite = () => {
    if (isChecked) return
    check()
    isChecked = true
    queueMicrotask(() => {
      isChecked = false
    })
  }
  const checkJournal = () => {
    const { file } = journal
    if (!isOwner || file === undefined) return
    for (const { at, bytes } of written.values()) {
      const stored = new Uint8Array(bytes.length)
      if (file.read(stored, at) < stored.length || !isEqual(stored, bytes)) fail(overwritten(journalPath))
    }
  }
  /** Before the first commit: this opening becomes the owner. The journal exists, because a file with a note is complete only with it. */
  const own = () => {
    checkWrite()
    if (isOwner) return
    const before = note
    const token = newToken()
    revision.take(token, before?.token ?? null, verdict.isRevisionOwn ? (saved?.latest ?? 0) : 0)
    disk.syncFolder(path)
    // A journal of an older release, whose number the note names from now on.
    const { salt } = before ?? { salt: ((journalAt(disk, journalPath)?.salt ?? 1) - 1) >>> 0 }
    writeNote({ token, salt, frames: before?.frames ?? 0, isComplete: before?.isComplete ?? true })
    isOwner = true
  }

  const guardedMain = (file: DiskFile): DiskFile => ({
    ...file,
    read(target, offset) {
      const length = file.read(target, offset)
      const from = Math.max(0, noteAt - offset)
      if (offset < noteAt + noteBytes) target.fill(0, from, Math.min(length, noteAt + noteBytes - offset))
      return length
    },
    write(source, offset) {
      checkWrite()
      // A process may be stopped at any page, and another one may own the file when it wakes.
      const error = foreign()
      if (error !== null) fail(error)
      const { salt, frames } = journal
      // Until all are copied, the file is complete only with this journal.
      if (isOwner && salt !== null && (note!.salt !== salt || note!.isComplete || note!.frames < frames)) {
        checkJournal()
        writeNote({ ...note!, salt, frames, isComplete: false })
      }
      if (offset >= noteAt + noteBytes || offset + source.length <= noteAt) return file.write(source, offset)
      // SQLite keeps zeros there.
      const page = source.slice()
      page.set(ownNote.subarray(Math.max(0, offset - noteAt)), Math.max(0, noteAt - offset))
      file.write(page, offset)
    },
    truncate(size) {
      check()
      file.truncate(size)
    },
    sync() {
      // SQLite syncs the file when all commits are copied.
      if (isOwner && note !== null && !note.isComplete) writeNote({ ...note, isComplete: true })
      file.sync()
      isUnsynced = false
      if (isOwner) check()
    },
    close() {
      if (file === main) main = undefined
      file.close()
    },
  })

  const guardedJournal = (file: DiskFile): DiskFile => ({
    ...file,
    write(source, offset) {
      own()
      const salt = offset === 0 ? saltIn(source) : null
      if (salt !== null && salt !== journal.salt) {
        Object.assign(journal, { salt, end: 0, frames: 0 })
        written.clear()
        // The first journal of this opening has a random number. The note must name it before it holds a commit.
        if (salt !== note!.salt && salt !== nextSalt(note!.salt))
          writeNote({ ...note!, salt: (salt - 1) >>> 0, frames: 0, isComplete: true })
      }
      syncNote()
      file.write(source, offset)
      if (offset === 0) written.set('head', { at: 0, bytes: source.slice(0, endBytes) })
      if (offset + source.length >= journal.end) {
        const length = Math.min(endBytes, source.length)
        written.set('tail', { at: offset + source.length - length, bytes: source.slice(-length) })
      }
      journal.end = Math.max(journal.end, offset + source.length)
      journal.frames = Math.max(journal.frames, framesWithin(journal.end, journalPageBytes))
    },
    truncate(size) {
      if (isOwner) check()
      // The journal of another owner, to an opening that wrote nothing.
      else if (exchanged() !== null) return
      file.truncate(size)
      if (size >= journal.end) return
      journal.end = size
      written.clear()
    },
    sync() {
      file.sync()
      if (isOwner) check()
      checkJournal()
    },
    close() {
      if (file === journal.file) journal.file = undefined
      file.close()
    },
  })

  const openMain = () => {
    main ??= disk.open(path, false)
    return main
  }
  const start = () => {
    if (!verdict.isUnclean) return
    // The last owner was killed, or is stopped and may wake: the note tells it that it owns nothing, and it keeps a journal that no one reads.
    openMain()
    own()
    syncNote()
    if (disk.exists(journalPath)) disk.renew(journalPath)
    const head = journalAt(disk, journalPath)
    if (head) {
      const { salt, frames } = head
      Object.assign(journal, { salt, frames, end: frames === 0 ? 0 : endOfFrames(frames, journalPageBytes) })
    }
    main?.close()
    main = undefined
  }
  try {
    start()
  } catch (error) {
    main?.close()
    revision.close()
    throw error
  }

  return {
    disk: {
      ...disk,
      open(opened, create) {
        const file = disk.open(opened, create)
        if (opened === path) {
          main ??= file
          return guardedMain(file)
        }
        if (opened !== journalPath) return file
        journal.file = file
        return guardedJournal(file)
      },
    },
    acknowledged: {
      latest: () => (verdict.isRevisionOwn ? (saved?.latest ?? 0) : 0),
      note: (latest) => revision.note(latest),
      opened(stored) {
        if (verdict.isRevisionOwn || saved === null || saved.latest <= stored) return
        warnings.push(
          `the file is of an earlier time than the last one that was open here: it has revision ${stored}, and revision ${saved.latest} was acknowledged`,
        )
      },
    },
    identity: () => main?.identity ?? null,
    problems: () => (failure === null ? warnings : [...warnings, failure.message]),
    exchanged: () => (failure ??= exchanged()),
    taken: () => foreign(),
    holdsJournal: () => journal.file !== undefined && journal.file.size() > 0,
    check() {
      check()
      if (isOwner) revision.write()
    },
    release() {
      if (failure !== null) throw failure
      if (!isOwner) return exchanged() === null || !disk.exists(path)
      check()
      // An emptied journal comes back after a power loss unless it is synced, and a closed file must have none.
      journal.file?.sync()
      writeNote(null)
      syncNote()
      isOwner = false
      check()
      return true
    },
    close: () => revision.close(),
  }
}

/** Enough for the head of a journal, and for the checksum of its last page. */
const endBytes = 32
/** Of every journal here (`pageSizePragma`). */
const journalPageBytes = 8192

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.every((byte, i) => byte === b[i])
}
