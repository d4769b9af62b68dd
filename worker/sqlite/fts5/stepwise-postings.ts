/** Reads posting lists from the current connection. Each connection has its own reader, opened at its first use. */
import type { SqliteDatabase } from '../sqlite-database.ts'
import { createPostingsReader, type PostingsReader } from './postings.ts'

export interface StepwisePostings extends PostingsReader {
  /** Frees the reader of a connection that is about to close. */
  closeOf(pointer: number): void
}

/** `database.pointer` is the current connection. */
export function createStepwisePostings(
  database: Pick<SqliteDatabase, 'sqlite3' | 'pointer'>,
  table: string,
): StepwisePostings {
  const { pointer: own, sqlite3 } = database
  const main = createPostingsReader(sqlite3, own, table)
  let other: { readonly pointer: number; readonly reader: PostingsReader } | null = null
  const current = () => {
    const { pointer } = database
    if (pointer === own) return main
    if (other?.pointer !== pointer) other = { pointer, reader: createPostingsReader(sqlite3, pointer, table) }
    return other.reader
  }
  return {
    mode: main.mode,
    fallbackReason: main.fallbackReason,
    read: (phrases, long) => current().read(phrases, long),
    closeOf(pointer) {
      if (other?.pointer !== pointer) return
      other.reader.close()
      other = null
    },
    close: () => main.close(),
  }
}
