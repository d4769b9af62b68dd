/**
 * Deletes texts from the text index so that no byte of them stays [W3], in the cheaper of two ways. Few texts are deleted with
 * `secure-delete`: FTS5 looks for each of their words in every segment and takes it out. Many are deleted without it, as marks in a new
 * segment; before the commit all segments are merged into one, which leaves out what is marked.
 */
import type { Steps } from '../../scheduling/steps.ts'
import type { Database } from '../database.ts'
import { mergeSegments, textIndexSize } from './merge-segments.ts'
import { deletedAtOnce, dropStaleIndexes } from './stale-doclist-indexes.ts'

export interface TextDeletions {
  /** To be called at the start of each transaction, because the one before may have been rolled back. */
  begin(): void
  /** To be called before the first of `texts` texts is deleted. Without it they count as few. */
  expect(texts: number): void
  /** To be called for each text that is deleted from the index. */
  deleted(): void
  /** To be called at the end of each transaction. */
  end(): Steps<void>
}

export function createTextDeletions(database: Database): TextDeletions {
  let count = 0
  let isMarking = false
  const mark = (marks: boolean) => {
    database.execute(`INSERT INTO record_fts (record_fts, rank) VALUES ('secure-delete', ?)`, [marks ? 0 : 1])
    isMarking = marks
  }
  return {
    begin() {
      count = 0
      // The transaction before was rolled back, and with it the setting.
      isMarking = false
    },
    expect(texts) {
      if (!isMarking && isMergeCheaper(database, texts)) mark(true)
    },
    deleted() {
      if (++count % deletedAtOnce === 0 && !isMarking) dropStaleIndexes(database)
    },
    *end() {
      if (isMarking) {
        yield* mergeSegments(database)
        mark(false)
      } else if (count > 0) dropStaleIndexes(database)
    },
  }
}

function isMergeCheaper(database: Database, texts: number): boolean {
  if (texts < fewestTexts) return false
  const { segments, pages } = textIndexSize(database)
  return texts * (segments + segmentsPerText) > pages * segmentsPerPage
}

const fewestTexts = 16

/**
 * Costs in look-ups of a short text's words in one segment. The rest of a deletion costs about 3. Merging a page costs about 2 in OPFS,
 * where it is also written to the journal and the file, and about 1 in memory.
 */
const segmentsPerText = 3
const segmentsPerPage = 2
