/** Salvages the store in a file. Its bytes and its journal are read and stay as they are. */
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import { recallError } from '../../src/core/model/errors.ts'
import { type OpenSalvage, salvageOf } from '../salvage/salvage-of.ts'
import { initSqlite } from '../sqlite/init-sqlite.ts'
import type { DamagedStore } from '../storage/common/port.ts'
import { readKeyArea } from '../storage/file/key-area.ts'
import { noteAt, noteBytes } from '../storage/file/owner-note.ts'
import { readRevision } from '../storage/file/revision-file.ts'
import { mounted } from '../storage/recovery/mount-proven.ts'
import { pagesOf, type StoredFile } from '../storage/recovery/proven-database.ts'
import { locateFile } from './locate-file.ts'
import { nodeDisk } from './node-disk.ts'
import { ownFile } from './own-file.ts'

/** Rejects as `salvage` of scrubjay/salvage does, and as `locateFile` does. */
export async function salvageFile(given: string, sqliteWasm: string | undefined): Promise<OpenSalvage> {
  const path = locateFile(given)
  const area = readKeyArea(nodeDisk, path)
  if (area !== null && area !== 'empty') throw locked(path)
  const sqlite3 = await initSqlite({ wasmUrl: sqliteWasm })
  return salvageOf(() => openDamagedFile(sqlite3, path))
}

async function openDamagedFile(sqlite3: Awaited<ReturnType<typeof initSqlite>>, path: string): Promise<DamagedStore> {
  const names = [path, `${path}-wal`]
  if (!names.some((name) => existsSync(name))) throw missing(path)
  const owned = await ownFile(path, 'path')
  const descriptors: number[] = []
  const close = () => {
    for (const descriptor of descriptors.splice(0)) closeSync(descriptor)
    void owned.release()
  }
  try {
    const [database, journal] = names.map((name) => {
      if (!existsSync(name)) return undefined
      const descriptor = openSync(name, 'r')
      descriptors.push(descriptor)
      return storedFile(descriptor)
    })
    const noted = readRevision(nodeDisk, `${path}-revision`)?.latest ?? 0
    return {
      kind: 'file',
      ...mounted(sqlite3, path, pagesOf(database && withoutNote(database), journal), close),
      missingChanges: (revision) => (noted === 0 || revision === null ? null : Math.max(0, noted - revision)),
    }
  } catch (error) {
    close()
    throw error
  }
}

function storedFile(descriptor: number): StoredFile {
  return {
    size: fstatSync(descriptor).size,
    read(target, offset) {
      let done = 0
      while (done < target.length) {
        const bytes = readSync(descriptor, target, done, target.length - done, offset + done)
        if (bytes === 0) break
        done += bytes
      }
      return done
    },
  }
}

/** The database as SQLite wrote it: its checksum does not know the note of the owner. */
function withoutNote({ size, read }: StoredFile): StoredFile {
  return {
    size,
    read(target, offset) {
      const bytes = read(target, offset)
      if (offset < noteAt + noteBytes) target.fill(0, Math.max(0, noteAt - offset), noteAt + noteBytes - offset)
      return bytes
    },
  }
}

function locked(path: string) {
  return recallError('LOCKED', 'The store in this file is locked, and a locked store cannot be salvaged yet', {
    value: path,
    hint: 'Restore the file from a copy or an export. Nothing was changed.',
  })
}

function missing(path: string) {
  return recallError('DATA_MISSING', 'must be the file of a store', {
    field: 'path',
    value: path,
    hint: 'Check the path. Nothing was changed.',
  })
}
