/** Reads the rows of changed keys from a node's own database, and parses rows that other nodes wrote. */
import { recallError } from '../../src/core/model/errors.ts'
import { canonicalJson } from '../../src/core/text/hash/canonical.ts'
import { compareCodePoints } from '../../src/core/text/hash/code-point-order.ts'
import { type BlockKey, type BlockRow, blockKinds, type Pulled } from '../../src/protocol/blocks.ts'
import { decodeJson, encodeJsonFrame, frameKinds } from '../../src/protocol/export-format/frames.ts'
import { type PortableFile, parseFile } from '../export-format/block.ts'
import { eachFrame, parseRecordFrames } from '../export-format/parse-frames.ts'
import type { StagedRecord } from '../export-format/staging.ts'
import { parseTombstone } from '../export-format/versions.ts'
import { type Database, first } from '../sqlite/database.ts'
import type { SharedOperation, SharedRows } from '../store/port/shared-rows.ts'
import { readFileStates } from '../store/rows/file-states.ts'
import { readFrames } from '../store/rows/read-block.ts'
import { readTombstone } from '../store/rows/tombstone-rows.ts'

export function readRows(database: Database, keys: readonly BlockKey[]): BlockRow[] {
  return keys.map(({ kind, id }) => ({ kind, id, frames: read[kind](database, id) }))
}

const read: Readonly<Record<BlockKey['kind'], (database: Database, id: string) => Uint8Array | null>> = {
  [blockKinds.record](database, id) {
    const key = first(database, `SELECT key FROM records WHERE id = ?`, [id], (row) => row.number(0))
    return key === undefined ? null : readFrames(database, key)
  },
  [blockKinds.file](database, path) {
    const file = readFileStates(database, path)[0]
    return file === undefined ? null : encodeJsonFrame(frameKinds.file, file)
  },
  [blockKinds.tombstone](database, mark) {
    const found = readTombstone(database, mark)
    if (found === undefined) return null
    const { at, count, device } = found.stamp
    return encodeJsonFrame(frameKinds.tombstone, { mark, life: found.life, stamp: [at, count, device] })
  },
  [blockKinds.operation](database, operation) {
    const sql = `SELECT revision, at, answer FROM operations WHERE operation = ?`
    const stored = first(database, sql, [operation], (row) => [row.number(0), row.number(1), row.text(2)])
    return stored === undefined ? null : encoder.encode(canonicalJson(stored))
  },
}

const encoder = new TextEncoder()

/** Parses pulled rows. Keys in `asked` that the answer lacks were removed. Throws STORE_CORRUPT for a row that no node can have written. */
export function parseRows({ revision, rows }: Pulled, asked: readonly BlockKey[]): SharedRows {
  const removed = new Map(asked.map((key) => [`${key.kind} ${key.id}`, key]))
  const records: StagedRecord[] = []
  const files: PortableFile[] = []
  const tombstones: SharedRows['tombstones'][number][] = []
  const operations: SharedOperation[] = []
  for (const row of rows) {
    const name = `${row.kind} ${row.id}`
    if (row.frames === null) {
      removed.set(name, row)
      continue
    }
    removed.delete(name)
    try {
      if (row.kind === blockKinds.record) records.push(parseRecordFrames(row.frames))
      else if (row.kind === blockKinds.operation) operations.push(parseOperation(row.id, row.frames))
      else if (row.kind === blockKinds.file) files.push(parseFile(onlyFrame(row.frames)))
      else tombstones.push(parseTombstone(onlyFrame(row.frames)))
    } catch (error) {
      throw damagedRow(row, error)
    }
  }
  records.sort((a, b) => compareCodePoints(a.record.id, b.record.id))
  const gone = (kind: BlockKey['kind']) => [...removed.values()].filter((key) => key.kind === kind).map(({ id }) => id)
  return {
    revision,
    records,
    files,
    tombstones,
    operations,
    removed: {
      records: gone(blockKinds.record),
      files: gone(blockKinds.file),
      tombstones: gone(blockKinds.tombstone),
      operations: gone(blockKinds.operation),
    },
  }
}

function onlyFrame(frames: Uint8Array): unknown {
  let content: unknown
  eachFrame(frames, (_kind, payload) => void (content = decodeJson(payload)))
  return content
}

function parseOperation(operation: string, bytes: Uint8Array): SharedOperation {
  const [revision, at, answer] = JSON.parse(new TextDecoder().decode(bytes)) as [number, number, string]
  return { operation, revision, at, answer }
}

function damagedRow({ kind, id }: BlockKey, error: unknown) {
  const reason = error instanceof Error ? error.message : String(error)
  return recallError(
    'STORE_CORRUPT',
    `The row ${kind} ${JSON.stringify(id)} of the shared store is damaged: ${reason}`,
    {
      hint: 'Restore this row from a backup of the shared database.',
    },
  )
}
