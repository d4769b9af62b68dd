/** Reads records, exact cosines and languages into the facts, for the rows that deciding requests. */
import { recallError } from '../../../src/core/model/errors.ts'
import type { CandidateTable, Need } from '../../../src/core/model/facts.ts'
import type { StoredRecord } from '../../../src/core/model/record.ts'
import type { CandidateRows } from '../question/key-rows.ts'
import type { VectorIndex } from '../../vector/port.ts'
import type { Question } from '../question/question.ts'
import { exactCosine, nearestSpan } from './exact-cosine.ts'

export interface ReadRows {
  readonly records: ReadonlyMap<number, StoredRecord>
  readonly duplicates: ReadonlyMap<number, readonly number[]>
  readonly languages: ReadonlyMap<number, readonly string[]>
  readonly nearest: ReadonlyMap<number, readonly [from: number, to: number]>
  read(need: Need['need']): void
  /** The copies of read records for which `isLacking` holds. */
  lackingCopies(): readonly number[]
  /** Records of the scope that replace a read record by name or as a put noticed, and are not candidates. */
  lackingSuccessors(): readonly number[]
}

export function createReadRows(
  { store, plan: { vector } }: Pick<Question, 'store' | 'plan'>,
  index: VectorIndex | null,
  { keys, rowOf }: CandidateRows,
  candidates: CandidateTable,
  /** Whether a record with the content of a candidate must be one, too, or needs an exact score. */
  isLacking: (key: number) => boolean,
  /** Whether a record may be in the answer, if it is not gated. */
  isOpen: (key: number) => boolean,
): ReadRows {
  const records = new Map<number, StoredRecord>()
  const duplicates = new Map<number, readonly number[]>()
  const languages = new Map<number, readonly string[]>()
  const nearest = new Map<number, readonly [from: number, to: number]>()
  const rowsByContent = new Map<string, readonly number[]>()
  const lacking: number[] = []
  const successors: number[] = []
  const noticed = store.learning.contradictions()
  const comparison = vector === null || index === null ? null : { query: vector, index, store }

  return {
    records,
    duplicates,
    languages,
    nearest,
    read({ records: rowsToRead, cosines, languages: rowsToGuess = [] }) {
      for (const row of [...rowsToRead, ...rowsToGuess]) if (!records.has(row)) readRecord(row, keys[row]!)
      for (const row of cosines)
        if (candidates.cosineLow[row] !== candidates.cosineHigh[row]) readCosine(row, keys[row]!)
      for (const row of rowsToGuess) languages.set(row, languagesOf(records.get(row)!))
    },
    lackingCopies: () => lacking,
    lackingSuccessors: () => successors,
  }

  function readRecord(row: number, key: number): void {
    const record = store.cached.hydrate(key)
    // Without this error, deciding would request the record in an endless loop.
    if (record === undefined) {
      throw recallError('STORE_CORRUPT', 'The store lacks a record that its index names', {
        hint: 'Import the latest export into a new store.',
      })
    }
    records.set(row, record)
    const span = candidates.passages?.has(row) && comparison !== null ? nearestSpan(comparison, key) : null
    if (span !== null) nearest.set(row, span)
    duplicates.set(row, duplicatesOf(record.contentHash))
    if (record.supersededBy !== null) addSuccessor(record.supersededBy)
    for (const { id, contradicts } of noticed) if (contradicts === record.id) addSuccessor(id)
  }

  function addSuccessor(id: string): void {
    const later = store.keyOf(id)
    if (later !== undefined && rowOf(later) === -1 && isOpen(later)) successors.push(later)
  }

  function languagesOf({ title, body, language }: StoredRecord): readonly string[] {
    const guessed = store.forms.languagesOf(`${title ?? ''} ${body}`)
    return guessed.length > 0 || language === undefined ? guessed : [language]
  }

  /** Rows with the same content, looked up once per content: a text may have thousands of copies. */
  function duplicatesOf(contentHash: string): readonly number[] {
    const cached = rowsByContent.get(contentHash)
    if (cached !== undefined) return cached
    const keysOfCopies = store.keysByContent(contentHash)
    const copies = keysOfCopies.map(rowOf).filter((row) => row !== -1)
    if (keysOfCopies.length > 1) for (const key of keysOfCopies) if (isLacking(key)) lacking.push(key)
    rowsByContent.set(contentHash, copies)
    return copies
  }

  /** Rows without a vector have NaN bounds, which are unequal to themselves; they must stay NaN. */
  function readCosine(row: number, key: number): void {
    if (comparison === null || Number.isNaN(candidates.cosineLow[row])) return
    const best = exactCosine(comparison, key)
    candidates.cosineLow[row] = best
    candidates.cosineHigh[row] = best
  }
}
