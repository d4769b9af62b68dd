/**
 * Reads the header of a file before SQLite opens it, without writing: opening the database of another program would change its journal
 * mode. Layout: SQLite's "Database File Format", §1.3.
 */
import { recallError } from '../../../src/core/model/errors.ts'
import { applicationId } from '../../sqlite/application-id.ts'
import type { Disk } from './disk.ts'

/** Throws STORE_CORRUPT if the file exists, is not empty, and is not a store. */
export function checkHeader(disk: Disk, path: string): void {
  if (!disk.exists(path)) return
  const file = disk.open(path, false)
  const head = new Uint8Array(headBytes)
  try {
    if (file.size() === 0) return
    file.read(head, 0)
  } finally {
    file.close()
  }
  if (new TextDecoder('latin1').decode(head.subarray(0, magic.length)) !== magic) {
    throw recallError('STORE_CORRUPT', 'The file is not a Scrubjay store, or its first page is damaged', {
      value: path,
      hint: 'Give the path of a store, or of a file that does not exist. Restore a damaged store from a copy or an export. Nothing was changed.',
    })
  }
  const view = new DataView(head.buffer)
  // A store that was killed while it was created has no id and no tables yet.
  if (view.getUint32(applicationAt) === applicationId || view.getUint16(cellsAt) === 0) return
  throw recallError('STORE_CORRUPT', 'The file is a SQLite database, but not a Scrubjay store', {
    value: path,
    hint: 'Give another path. Nothing was changed.',
  })
}

const magic = 'SQLite format 3\0'
/** The header of the file (100 bytes) and of the first page, the root of the schema. */
const headBytes = 108
const applicationAt = 68
const cellsAt = 103
