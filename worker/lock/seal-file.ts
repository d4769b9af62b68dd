/**
 * The reads and writes of a database file and of its journal, encrypted. SQLite and the buffer of combined-writes.ts above it know only plain pages; the
 * VFS below gets only encrypted ones, at the same offsets. A page that does not open is SQLITE_IOERR_DATA.
 */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { pageBytes } from '../sqlite/pages/page-file.ts'
import { clearHeader, type Place, type RawFile, type Seal, type SealedFiles } from '../sqlite/pages/seal.ts'
import { sealJournal } from './seal-journal.ts'

export function sealedFiles(sqlite3: Sqlite3Static, seal: Seal): SealedFiles {
  return {
    main: (file) => sealMain(sqlite3, seal, file),
    journal: (file) => sealJournal(sqlite3, seal, file),
  }
}

function sealMain({ capi, wasm }: Sqlite3Static, seal: Seal, file: RawFile): RawFile {
  const scratch = wasm.alloc(pageBytes) as number
  const bytes = (address: number, length: number) => wasm.heap8u().subarray(address, address + length)
  const sealPages = (address: number, length: number, offset: bigint) => {
    for (let at = 0; at < length; at += pageBytes) {
      const number = (Number(offset) + at) / pageBytes
      seal.seal(bytes(address + at, pageBytes), placeOf(number), clearIn(number))
    }
  }
  const isWhole = (length: number, offset: bigint) => length % pageBytes === 0 && Number(offset) % pageBytes === 0

  return {
    read(target, length, offset) {
      // SQLite reads parts of the header alone.
      if (Number(offset) + length <= clearHeader) return file.read(target, length, offset)
      if (length !== pageBytes || !isWhole(length, offset)) return capi.SQLITE_IOERR_READ
      const code = file.read(target, length, offset)
      if (code !== 0) return code
      const number = Number(offset) / pageBytes
      return seal.open(bytes(target, length), placeOf(number), clearIn(number)) ? 0 : capi.SQLITE_IOERR_DATA
    },
    write(source, length, offset) {
      if (length !== pageBytes || !isWhole(length, offset)) return capi.SQLITE_IOERR_WRITE
      wasm.heap8u().copyWithin(scratch, source, source + length)
      sealPages(scratch, length, offset)
      return file.write(scratch, length, offset)
    },
    writeOwn(source, length, offset) {
      if (!isWhole(length, offset)) return capi.SQLITE_IOERR_WRITE
      sealPages(source, length, offset)
      return file.write(source, length, offset)
    },
    free: () => wasm.dealloc(scratch as never),
  }
}

function placeOf(number: number): Place {
  return { kind: 'page', number }
}

function clearIn(number: number): number {
  return number === 0 ? clearHeader : 0
}
