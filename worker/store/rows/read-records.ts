/** Reads records: rows of `records` and its child tables as `StoredRecord`s, in the requested order. */

import type { RecordStatus, StoredRecord } from '../../../src/core/model/record.ts'
import { riskFlags } from '../../../src/core/model/risk-flags.ts'
import { tuning } from '../../../src/core/model/tuning.ts'
import { all, type Database, first, type Row } from '../../sqlite/database.ts'

export function hydrate(database: Database, keys: readonly number[]): StoredRecord[] {
  return keys.map((key) => readRecord(database, key)).filter((record) => record !== undefined)
}

export function readRecord(database: Database, key: number): StoredRecord | undefined {
  return first(database, select, [key], (row) => toRecord(database, key, row))
}

/**
 * Reads a record without its tags and its confidence, for use when those tables cannot be read. `hasLanguages`: whether the schema has
 * languages of records.
 */
export function readBareRecord(database: Database, key: number, hasLanguages: boolean): StoredRecord | undefined {
  return first(database, hasLanguages ? bareSelect('language') : bareSelect('NULL'), [key], (row) =>
    toRecord(database, key, row),
  )
}

const selectWith = (
  confidence: string,
  tags: string,
  language: string,
) => `SELECT id, kind, project, topic, agent, bank, session, position, status, superseded_by, valid_from, valid_until, expires_at,
  created_at, updated_at, occurred_at, importance, pressure_rate, write_score, exit_code, source, authority, authority_tier, profile,
  content_hash, metadata, title, summary, instruction, command, body, children,
  ${confidence},
  CASE WHEN children & 1 THEN ${tags} END,
  ${language}
  FROM records WHERE key = ?`

// An index gives the tags in order. Ordering inside the aggregate would cost more than the rest of the statement.
const select = selectWith(
  `(SELECT confidence FROM learned WHERE learned.key = records.key)`,
  `(SELECT json_group_array(tag) FROM (SELECT tag FROM tags WHERE tags.key = records.key ORDER BY position))`,
  'language',
)
const bareSelect = (language: string) => selectWith(`NULL`, `'[]'`, language)

function toRecord(database: Database, key: number, row: Row): StoredRecord {
  const children = row.number(31)
  const language = row.textOrNull(34)
  const has = (bit: number) => (children & bit) !== 0
  return {
    id: row.text(0),
    kind: row.text(1),
    project: row.textOrNull(2),
    topic: row.textOrNull(3),
    agent: row.textOrNull(4),
    bank: row.textOrNull(5),
    session: row.textOrNull(6),
    title: row.textOrNull(26),
    summary: row.textOrNull(27),
    body: row.textOrNull(30),
    instruction: row.textOrNull(28),
    command: row.textOrNull(29),
    exitCode: row.numberOrNull(19),
    source: row.textOrNull(20),
    authority: row.textOrNull(21),
    // In the main statement, because most records have tags.
    tags: has(childBits.tags) ? JSON.parse(row.text(33)) : [],
    files: has(childBits.files) ? readFiles(database, key) : [],
    terms: has(childBits.terms)
      ? all(database, `SELECT term, kind, declared FROM terms WHERE key = ? ORDER BY position`, [key], (r) => ({
          term: r.text(0),
          kind: r.text(1),
          declared: r.number(2) === 1,
        }))
      : [],
    anchors: has(childBits.anchors)
      ? all(database, `SELECT anchor, path, kind FROM anchors WHERE key = ? ORDER BY position`, [key], (r) => ({
          id: r.text(0),
          path: r.text(1),
          kind: r.text(2),
        }))
      : [],
    reasons: has(childBits.reasons)
      ? all(database, `SELECT code, weight FROM reasons WHERE key = ? ORDER BY position`, [key], (r) => ({
          code: r.text(0),
          weight: r.number(1),
        }))
      : [],
    risks: has(childBits.risks)
      ? all(database, `SELECT flag FROM risks WHERE key = ? ORDER BY position`, [key], (r) => toRisk(r.text(0)))
      : [],
    relations: has(childBits.relations)
      ? all(database, `SELECT kind, target FROM relations WHERE key = ? ORDER BY position`, [key], (r) => ({
          kind: r.text(0),
          target: r.text(1),
        }))
      : [],
    status: row.text(8) as RecordStatus,
    supersededBy: row.textOrNull(9),
    validFrom: row.numberOrNull(10),
    validUntil: row.numberOrNull(11),
    expiresAt: row.numberOrNull(12),
    importance: row.number(16),
    confidence: row.numberOrNull(32) ?? tuning.startConfidence,
    cycles: has(childBits.cycles) ? readCycles(database, key) : [],
    pressureRate: row.number(17),
    authorityTier: row.textOrNull(22),
    profile: row.textOrNull(23),
    writeScore: row.numberOrNull(18),
    position: row.numberOrNull(7),
    occurredAt: row.numberOrNull(15),
    ...(language === null ? {} : { language }),
    metadata: JSON.parse(row.text(25)),
    createdAt: row.number(13),
    updatedAt: row.number(14),
    contentHash: row.text(24),
  }
}

/** Bits of the child tables in which a record has rows. Most have none, and an empty look-up costs as much as a full one. */
export const childBits = {
  tags: 1,
  files: 2,
  terms: 4,
  anchors: 8,
  reasons: 16,
  risks: 32,
  relations: 64,
  cycles: 128,
} as const

function readFiles(database: Database, key: number): StoredRecord['files'] {
  return all(
    database,
    `SELECT path, sha256, mtime, existed, git, declared FROM files WHERE key = ? ORDER BY position`,
    [key],
    (r) => ({
      path: r.text(0),
      sha256: r.textOrNull(1),
      mtime: r.numberOrNull(2),
      existed: r.number(3) === 1,
      git: r.textOrNull(4),
      declared: r.number(5) === 1,
    }),
  )
}

function readCycles(database: Database, key: number): StoredRecord['cycles'] {
  return all(
    database,
    `SELECT period_seconds, amplitude, phase_seconds FROM cycles WHERE key = ? ORDER BY position`,
    [key],
    (r) => ({
      periodSeconds: r.number(0),
      amplitude: r.number(1),
      phaseSeconds: r.number(2),
    }),
  )
}

function toRisk(flag: string): StoredRecord['risks'][number] {
  const entry = (riskFlags as Readonly<Record<string, { severity: 'info' | 'warn' | 'block' }>>)[flag]
  return { flag, severity: entry?.severity ?? 'warn' }
}
