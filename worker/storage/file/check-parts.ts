/**
 * Decides before opening whether a file, its journal and its revision belong together [R11]. A mixture of several times or stores is refused, and
 * nothing is changed. Pure.
 */
import { recallError } from '../../../src/core/model/errors.ts'
import type { JournalHead } from './journal-head.ts'
import type { OwnerNote } from './owner-note.ts'

export interface Parts {
  /** Whether the file itself exists. */
  readonly isThere: boolean
  /** Whether the file has tables. */
  readonly isBegun: boolean
  /** Whether a rollback journal is there, which SQLite would play back. Only creating the first page writes one. */
  readonly hasRollback: boolean
  /** Null: closed, or of an older release, which wrote none; undefined: damaged. */
  readonly note: OwnerNote | null | undefined
  /** Undefined: there is no file; null: it holds no commit. */
  readonly journal: JournalHead | null | undefined
  readonly revision: SavedRevision | null
}

export interface SavedRevision {
  readonly latest: number
  /** Tokens of the openings that wrote it: the last one and the one before. Null: it is empty, or of an older release. */
  readonly tokens: readonly bigint[] | null
}

export interface PartsVerdict {
  /** The last owner was killed: its journal must be read, and it may still run. */
  readonly isUnclean: boolean
  /** The saved revision is that of this state of the file. */
  readonly isRevisionOwn: boolean
  /** A sentence for `degraded`; null without one. */
  readonly warning: string | null
}

/**
 * Throws STORE_CORRUPT, or DATA_MISSING where only the file is missing; both name the way out. `hasSealedRevision`: of a locked store, whose keys
 * were in the file, which is missing or empty.
 */
export function checkParts(parts: Parts, path: string, hasSealedRevision = false): PartsVerdict {
  const { isThere, note, journal, revision } = parts
  if (hasSealedRevision || (!isThere && (journal != null || revision?.tokens != null))) throw missing(path)
  if (parts.hasRollback && (parts.isBegun || note !== null))
    throw corrupt(
      path,
      `The file ${path}-journal would be played back, but it belongs to another file or another time`,
      `Remove ${path}-journal to open the file as it is. Nothing was changed.`,
    )
  if (note === undefined) throw corrupt(path, 'The first page of the file is damaged', restore(path))
  if (note === null) return checkClosed(journal ?? null, revision, path)
  if (journal === undefined) throw corrupt(path, openElsewhere, restore(path))
  const isNext = journal !== null && journal.salt === nextSalt(note.salt)
  const isSame = journal !== null && journal.salt === note.salt && journal.frames >= note.frames
  if (!(note.isComplete ? journal === null || isNext || isSame : isSame))
    throw corrupt(path, 'The journal next to the file belongs to another time or another store', restore(path))
  if (journal !== null && (revision === null || (revision.tokens === null && revision.latest === 0))) {
    const warning =
      'the file with the last acknowledged revision is missing, so it is unknown whether the last changes are complete'
    return { isUnclean: true, isRevisionOwn: false, warning }
  }
  if (revision?.tokens?.includes(note.token) !== true)
    throw corrupt(
      path,
      'The saved revision next to the file is missing, or belongs to another time or another store',
      restore(path),
    )
  return { isUnclean: true, isRevisionOwn: true, warning: null }
}

/** The file is complete alone. Older releases wrote no note, and their revision has no token. */
function checkClosed(journal: JournalHead | null, revision: SavedRevision | null, path: string): PartsVerdict {
  const isOld = revision !== null && revision.tokens === null
  if (journal !== null && !isOld) {
    throw corrupt(
      path,
      'The file was closed, but the journal next to it has changes of another time or another store',
      `Remove ${path}-wal and ${path}-revision to open the file as it is, for example as a restored backup. To keep the changes in the journal, put its own file back. Nothing was changed.`,
    )
  }
  return { isUnclean: journal !== null, isRevisionOwn: isOld, warning: null }
}

export function nextSalt(salt: number): number {
  return (salt + 1) >>> 0
}

const openElsewhere =
  'The file is not complete: it was copied or moved alone while a process had it open, or a process has it open under another path, or its journal was removed'

function restore(path: string): string {
  return `Put the file back together with its ${path}-wal and ${path}-revision, or restore a copy that was made while the store was closed. salvage({ path }) of scrubjay/salvage exports what can be read. Nothing was changed.`
}

function missing(path: string) {
  return recallError('DATA_MISSING', 'The file was deleted or moved, but its journal or revision is still there', {
    value: path,
    hint: `Put the file back. To begin an empty store, remove ${path}-wal and ${path}-revision. Nothing was changed.`,
  })
}

function corrupt(path: string, problem: string, hint: string) {
  return recallError('STORE_CORRUPT', problem, { value: path, hint })
}
