/** Posting lists of whichever connection reads now: each has a reader of its own, opened when it is first asked. */
import type { SqliteDatabase } from '../sqlite-database.ts'
import { createPostingsReader, type PostingsReader } from './postings.ts'

export interface StepwisePostings extends PostingsReader {
  /** Frees what is held of a connection that is about to be closed. */
  closeOf(pointer: number): void
}

/** `database.pointer` says whose turn it is. */
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
    read: (phrases) => current().read(phrases),
    closeOf(pointer) {
      if (other?.pointer !== pointer) return
      other.reader.close()
      other = null
    },
    close: () => main.close(),
  }
}
