/** Reads, writes and erases the rows of earlier versions. All are of one store, so the order of `seq` is that of the writes. */
import type { RecordInput } from '../../../../src/core/model/record.ts'
import { joinBytes } from '../../../../src/core/collections/join-bytes.ts'
import { decodeJson, encodeFrame, encodeJsonFrame, frameKinds } from '../../../../src/protocol/export-format/frames.ts'
import type { PortableBlock } from '../../../export-format/block.ts'
import { eachFrame } from '../../../export-format/parse-frames.ts'
import { all, type Database, first } from '../../../sqlite/database.ts'

/** The state of a record before a write; null: it did not exist. */
export interface VersionRow {
  readonly id: string
  readonly untilAt: number
  readonly untilRevision: number
  readonly content: Uint8Array<ArrayBuffer> | null
}

export function writeVersion(database: Database, { id, untilAt, untilRevision, content }: VersionRow): void {
  const sql = `INSERT INTO versions (id, until_at, until_revision, content) VALUES (?, ?, ?, ?)`
  database.execute(sql, [id, untilAt, untilRevision, content])
  if (content === null) return
  for (const other of mentionsOf(blockOf(content)))
    database.execute(`INSERT OR IGNORE INTO version_mentions VALUES (?, (SELECT max(seq) FROM versions))`, [other])
}

/** The versions of a record, the last one first. */
export function readVersions(database: Database, id: string): readonly VersionRow[] {
  const sql = `SELECT until_at, until_revision, ifnull(content, x'') FROM versions WHERE id = ? ORDER BY seq DESC`
  return all(database, sql, [id], (row) => ({
    id,
    untilAt: row.number(0),
    untilRevision: row.number(1),
    content: contentOf(row.bytes(2)),
  }))
}

function contentOf(bytes: Uint8Array<ArrayBuffer>): VersionRow['content'] {
  return bytes.length === 0 ? null : bytes
}

/** The first write after a time; null if there is none. */
export function firstAfter(database: Database, at: number): { readonly seq: number; readonly revision: number } | null {
  const sql = `SELECT seq, until_revision FROM versions WHERE until_at > ? ORDER BY until_at, seq LIMIT 1`
  return first(database, sql, [at], (row) => ({ seq: row.number(0), revision: row.number(1) })) ?? null
}

/** Each record that was written in or after this row, as it was before. */
export function statesBefore(database: Database, seq: number): readonly Pick<VersionRow, 'id' | 'content'>[] {
  const sql = `SELECT id, ifnull(content, x'') FROM versions WHERE seq IN (SELECT min(seq) FROM versions WHERE seq >= ? GROUP BY id) ORDER BY id`
  return all(database, sql, [seq], (row) => ({ id: row.text(0), content: contentOf(row.bytes(1)) }))
}

export function lastUntil(database: Database): number {
  return first(database, `SELECT max(until_at) FROM versions`, [], (row) => row.numberOrNull(0)) ?? 0
}

export function countVersions(database: Database): { readonly versions: number; readonly bytes: number } {
  const sql = `SELECT count(content), coalesce(sum(length(content)), 0) FROM versions`
  return first(database, sql, [], (row) => ({ versions: row.number(0), bytes: row.number(1) }))!
}

/** Erases the versions of forgotten records, and what versions of others say of them. */
export function eraseVersions(database: Database, ids: readonly string[]): void {
  if (first(database, `SELECT 1 FROM versions LIMIT 1`, [], () => true) === undefined) return
  const list = JSON.stringify(ids)
  database.execute(`DELETE FROM versions WHERE id IN (SELECT value FROM json_each(?))`, [list])
  const gone = new Set(ids)
  const mentioning = all(
    database,
    `SELECT seq, content FROM versions WHERE seq IN (SELECT seq FROM version_mentions WHERE id IN (SELECT value FROM json_each(?)))`,
    [list],
    (row) => [row.number(0), row.bytes(1)] as const,
  )
  for (const [seq, content] of mentioning)
    database.execute(`UPDATE versions SET content = ? WHERE seq = ?`, [
      withoutPairs(content, (id) => gone.has(id)),
      seq,
    ])
  database.execute(`DELETE FROM version_mentions WHERE id IN (SELECT value FROM json_each(?))`, [list])
}

/** The frames of a record without its links and contradictions with some records. */
export function withoutPairs(content: Uint8Array<ArrayBuffer>, isGone: (id: string) => boolean) {
  const frames: Uint8Array<ArrayBuffer>[] = []
  eachFrame(content, (kind, payload) => {
    const isRecord = kind === frameKinds.record
    const block = isRecord ? (decodeJson(payload) as PortableBlock) : null
    if (block === null) frames.push(encodeFrame(frameKinds.vectors, payload))
    else frames.push(encodeJsonFrame(frameKinds.record, { ...block, ...pairsOf(block, isGone) }))
  })
  return joinBytes(
    frames,
    frames.reduce((sum, frame) => sum + frame.length, 0),
  )
}

/** As `readFrames` writes them: absent if there are none. */
function pairsOf({ links, contradictions }: PortableBlock, isGone: (id: string) => boolean) {
  const left = <T extends { readonly id: string }>(pairs: readonly T[] | undefined) => {
    const kept = pairs?.filter(({ id }) => !isGone(id)) ?? []
    return kept.length === 0 ? undefined : kept
  }
  return { links: left(links), contradictions: left(contradictions) }
}

export function recordOf(content: Uint8Array<ArrayBuffer>): RecordInput {
  return blockOf(content).record
}

function blockOf(content: Uint8Array<ArrayBuffer>): PortableBlock {
  let block: PortableBlock | undefined
  eachFrame(content, (kind, payload) => {
    if (kind === frameKinds.record) block = decodeJson(payload) as PortableBlock
  })
  return block!
}

function mentionsOf({ links = [], contradictions = [] }: PortableBlock): readonly string[] {
  return [...links, ...contradictions].map(({ id }) => id)
}
