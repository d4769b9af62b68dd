/**
 * Collects an import as it arrives: checks the bytes, assembles and parses the records, and keeps them until all are complete. The store
 * is not touched before. An error names the number of the record that is wrong.
 */
import type { pendingVectors } from '../../src/core/ingest/plan-write.ts'
import { problemOf, RecallError, recallError } from '../../src/core/model/errors.ts'
import { compareCodePoints } from '../../src/core/text/hash/code-point-order.ts'
import { createContainerReader, damaged } from '../../src/protocol/export-format/container.ts'
import { createFrameReader, decodeJson, frameKinds, type Header } from '../../src/protocol/export-format/frames.ts'
import { type ParsedBlock, type PortableFile, parseBlock, parseFile, parseHeader, parseVectorBytes } from './block.ts'
import { type MarkedTombstone, parseTombstone } from './versions.ts'

export interface StagedRecord extends ParsedBlock {
  readonly chunks: readonly Float32Array[]
  /** Names of the fields that the import changed: they get a stamp of this store where they are kept. */
  readonly adapted?: readonly string[]
  /** Set if its vectors are to be made again. */
  readonly vectorsHash?: typeof pendingVectors
}

export interface StagedImport {
  readonly header: Header
  readonly records: readonly StagedRecord[]
  readonly files: readonly PortableFile[]
  /** By mark. */
  readonly tombstones: readonly MarkedTombstone[]
}

export interface Staging {
  push(bytes: Uint8Array): void
  /** Records read so far, and the number that the header announces. */
  progress(): { readonly done: number; readonly total: number }
  /** Returns the complete import. Throws if something is missing. */
  end(): StagedImport
}

export function createStaging(): Staging {
  const records: StagedRecord[] = []
  const files: PortableFile[] = []
  const tombstones: MarkedTombstone[] = []
  const ids = new Set<string>()
  let header: Header | null = null
  let waiting: ParsedBlock | null = null

  const add = (block: ParsedBlock, chunks: readonly Float32Array[]) => {
    records.push({ ...block, chunks })
    ids.add(block.record.id)
  }
  const readRecord = (payload: Uint8Array) => {
    if (files.length + tombstones.length > 0) throw damaged('a record follows the files')
    const block = namedRecord(records.length, () => parseBlock(decodeJson(payload)))
    const last = records.at(-1)?.record.id
    if (last !== undefined && compareCodePoints(last, block.record.id) >= 0)
      throw damaged(`record ${records.length} is not in order`)
    for (const { id } of block.links)
      if (!ids.has(id)) throw damaged(`record ${records.length} has a link to an unknown record`)
    for (const { id } of block.contradictions)
      if (!ids.has(id)) throw damaged(`record ${records.length} contradicts an unknown record`)
    if (block.vectors === null) add(block, [])
    else waiting = block
  }
  const readFile = (payload: Uint8Array) => {
    const file = named(`file ${files.length}`, () => parseFile(decodeJson(payload)))
    const last = files.at(-1)?.path
    if (last !== undefined && compareCodePoints(last, file.path) >= 0) throw damaged('files are not in order')
    files.push(file)
  }
  const readTombstone = (payload: Uint8Array) => {
    const tombstone = named(`tombstone ${tombstones.length}`, () => parseTombstone(decodeJson(payload)))
    const last = tombstones.at(-1)?.mark
    if (last !== undefined && last >= tombstone.mark) throw damaged('tombstones are not in order')
    tombstones.push(tombstone)
  }
  const frames = createFrameReader((kind, payload) => {
    if (header === null) {
      if (kind !== frameKinds.header) throw damaged('it has no header')
      header = parseHeader(decodeJson(payload))
    } else if (waiting !== null) {
      if (kind !== frameKinds.vectors || waiting.vectors === null) throw damaged('vectors are missing')
      add(waiting, parseVectorBytes(waiting.vectors, payload))
      waiting = null
    } else if (kind === frameKinds.record) readRecord(payload)
    else if (kind === frameKinds.file && tombstones.length === 0) readFile(payload)
    else if (kind === frameKinds.tombstone && header.format > 1) readTombstone(payload)
    else throw damaged(`a frame has the unknown kind ${kind}`)
  })
  const container = createContainerReader(frames.push)

  return {
    push: container.push,
    progress: () => ({ done: records.length, total: header?.records ?? 0 }),
    end() {
      container.end()
      frames.end()
      if (header === null || waiting !== null) throw damaged('it ends too early')
      const counts = [records.length, files.length, tombstones.length]
      if ([header.records, header.files, header.tombstones].some((count, i) => count !== counts[i]))
        throw damaged('it has another number of records, files or tombstones than its header says')
      return { header, records, files, tombstones }
    },
  }
}

/** Adds to an error of `work` the number of its record, counted from 0. */
export function namedRecord<T>(number: number, work: () => T): T {
  return named(`record ${number}`, work)
}

function named<T>(what: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof RecallError) || error.field === 'source') throw error
    const { code, field, hint } = error
    // The problem is a complete sentence; it becomes the end of this one.
    throw recallError(code, `of ${what} is wrong: ${problemOf(error)}`, {
      field: field === undefined ? 'source' : `source.${field}`,
      ...(hint === undefined ? {} : { hint: 'Correct the record and export again. Nothing was changed.' }),
    })
  }
}
