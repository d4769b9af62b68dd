/**
 * Migration 1: the whole schema. Records and their child rows are the source of truth. Triggers update `record_fts` in the same
 * transaction. Vectors have their int8 codes in a separate table, so that opening reads no float32.
 *
 * A record's `key` identifies one version of its text and vectors. Changing either moves the record to a new key, and keys are
 * never reused. So everything derived from text (postings, vector rows) is only added or removed, never changed.
 */
import type { Migration, StoreSettings } from './migration.ts'

export const foundation: Migration = {
  version: 1,
  statements: ({ stemmer }) => [
    `CREATE TABLE settings (name TEXT PRIMARY KEY, value) WITHOUT ROWID`,
    `INSERT INTO settings VALUES ('revision', 0), ('nextKey', 1)`,

    `CREATE TABLE records (
      key INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      kind TEXT NOT NULL,
      project TEXT, topic TEXT, agent TEXT, bank TEXT, session TEXT,
      position NUMERIC,
      status TEXT NOT NULL,
      superseded_by TEXT,
      valid_from NUMERIC, valid_until NUMERIC, expires_at NUMERIC,
      created_at NUMERIC NOT NULL,
      updated_at NUMERIC NOT NULL,
      occurred_at NUMERIC,
      importance NUMERIC NOT NULL,
      pressure_rate NUMERIC NOT NULL,
      write_score NUMERIC,
      exit_code NUMERIC,
      source TEXT, authority TEXT, authority_tier TEXT, profile TEXT,
      content_hash TEXT NOT NULL,
      fields_hash TEXT NOT NULL,
      text_hash TEXT NOT NULL,
      vectors_hash TEXT,
      indexed INTEGER NOT NULL,
      children INTEGER NOT NULL,
      metadata TEXT NOT NULL,
      title TEXT, summary TEXT, instruction TEXT, command TEXT,
      paths TEXT, terms TEXT,
      body TEXT
    )`,
    `CREATE INDEX records_updated ON records (updated_at DESC, id DESC)`,
    `CREATE INDEX records_created ON records (created_at)`,
    `CREATE INDEX records_content ON records (content_hash)`,
    ...['kind', 'project', 'topic', 'agent', 'bank', 'session'].map(
      (column) => `CREATE INDEX records_${column} ON records (${column}) WHERE ${column} IS NOT NULL`,
    ),
    `CREATE INDEX records_gated ON records (key) WHERE status <> 'active' OR valid_from IS NOT NULL OR valid_until IS NOT NULL OR expires_at IS NOT NULL`,

    `CREATE TABLE tags (tag TEXT NOT NULL, key INTEGER NOT NULL REFERENCES records ON DELETE CASCADE ON UPDATE CASCADE,
      position INTEGER NOT NULL, PRIMARY KEY (tag, key)) WITHOUT ROWID`,
    `CREATE INDEX tags_key ON tags (key, position)`,

    `CREATE TABLE files (key INTEGER NOT NULL REFERENCES records ON DELETE CASCADE ON UPDATE CASCADE, position INTEGER NOT NULL,
      path TEXT NOT NULL, name TEXT NOT NULL, sha256 TEXT, mtime NUMERIC, existed INTEGER NOT NULL, git TEXT, declared INTEGER NOT NULL,
      PRIMARY KEY (key, position)) WITHOUT ROWID`,
    `CREATE INDEX files_name ON files (name, key)`,

    `CREATE TABLE terms (key INTEGER NOT NULL REFERENCES records ON DELETE CASCADE ON UPDATE CASCADE, position INTEGER NOT NULL,
      term TEXT NOT NULL, folded TEXT NOT NULL, kind TEXT NOT NULL, declared INTEGER NOT NULL, PRIMARY KEY (key, position)) WITHOUT ROWID`,
    `CREATE INDEX terms_folded ON terms (folded, key)`,

    `CREATE TABLE anchors (key INTEGER NOT NULL REFERENCES records ON DELETE CASCADE ON UPDATE CASCADE, position INTEGER NOT NULL,
      anchor TEXT NOT NULL, path TEXT NOT NULL, kind TEXT NOT NULL, PRIMARY KEY (key, position)) WITHOUT ROWID`,
    `CREATE INDEX anchors_path ON anchors (path, key)`,

    `CREATE TABLE reasons (key INTEGER NOT NULL REFERENCES records ON DELETE CASCADE ON UPDATE CASCADE, position INTEGER NOT NULL,
      code TEXT NOT NULL, weight NUMERIC NOT NULL, PRIMARY KEY (key, code)) WITHOUT ROWID`,
    `CREATE INDEX reasons_code ON reasons (code, key)`,

    `CREATE TABLE risks (key INTEGER NOT NULL REFERENCES records ON DELETE CASCADE ON UPDATE CASCADE, position INTEGER NOT NULL,
      flag TEXT NOT NULL, PRIMARY KEY (key, flag)) WITHOUT ROWID`,
    `CREATE INDEX risks_flag ON risks (flag, key)`,

    `CREATE TABLE relations (key INTEGER NOT NULL REFERENCES records ON DELETE CASCADE ON UPDATE CASCADE, position INTEGER NOT NULL,
      kind TEXT NOT NULL, target TEXT NOT NULL, PRIMARY KEY (key, position)) WITHOUT ROWID`,
    `CREATE INDEX relations_target ON relations (target, key)`,

    `CREATE TABLE metadata_values (key INTEGER NOT NULL REFERENCES records ON DELETE CASCADE ON UPDATE CASCADE,
      name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (name, value, key)) WITHOUT ROWID`,
    `CREATE INDEX metadata_values_key ON metadata_values (key)`,

    `CREATE TABLE spaces (space INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, dimensions INTEGER NOT NULL)`,
    // slot = key × 4096 + chunk: the vectors of a record are adjacent, and one rowid finds each.
    `CREATE TABLE vectors (slot INTEGER PRIMARY KEY, space INTEGER NOT NULL REFERENCES spaces, text_from INTEGER, text_to INTEGER, vector BLOB NOT NULL)`,
    `CREATE TABLE vector_codes (slot INTEGER PRIMARY KEY, space INTEGER NOT NULL REFERENCES spaces, code BLOB NOT NULL)`,

    `CREATE TABLE learned (key INTEGER PRIMARY KEY REFERENCES records ON DELETE CASCADE ON UPDATE CASCADE,
      confidence NUMERIC NOT NULL, evidence INTEGER NOT NULL, corroborations INTEGER NOT NULL, contradictions INTEGER NOT NULL,
      touched_at NUMERIC, resolved_at NUMERIC, access_count INTEGER NOT NULL DEFAULT 0)`,
    `CREATE TABLE cycles (key INTEGER NOT NULL REFERENCES records ON DELETE CASCADE ON UPDATE CASCADE, position INTEGER NOT NULL,
      period_seconds NUMERIC NOT NULL, phase_seconds NUMERIC NOT NULL, amplitude_given NUMERIC NOT NULL, amplitude NUMERIC NOT NULL,
      PRIMARY KEY (key, position)) WITHOUT ROWID`,
    `CREATE TABLE accesses (key INTEGER NOT NULL REFERENCES records ON DELETE CASCADE ON UPDATE CASCADE, at NUMERIC NOT NULL,
      occurrence INTEGER NOT NULL, PRIMARY KEY (key, at, occurrence)) WITHOUT ROWID`,
    // An undirected link is two rows, so that all links of a record are adjacent and a key can change.
    `CREATE TABLE links (key INTEGER NOT NULL REFERENCES records ON DELETE CASCADE ON UPDATE CASCADE,
      other INTEGER NOT NULL REFERENCES records ON DELETE CASCADE ON UPDATE CASCADE, weight NUMERIC NOT NULL, PRIMARY KEY (key, other)) WITHOUT ROWID`,
    `CREATE INDEX links_other ON links (other, key)`,
    `CREATE TABLE predictions (key INTEGER NOT NULL REFERENCES records ON DELETE CASCADE ON UPDATE CASCADE, created_at NUMERIC NOT NULL,
      expected TEXT NOT NULL, actual TEXT, error NUMERIC, resolved_at NUMERIC, PRIMARY KEY (key, created_at)) WITHOUT ROWID`,
    `CREATE TABLE proposals (scope TEXT NOT NULL, key INTEGER NOT NULL REFERENCES records ON DELETE CASCADE ON UPDATE CASCADE,
      created_at NUMERIC NOT NULL, reason TEXT NOT NULL, PRIMARY KEY (scope, key)) WITHOUT ROWID`,
    `CREATE INDEX proposals_key ON proposals (key)`,

    `CREATE TABLE operations (operation TEXT PRIMARY KEY, revision INTEGER NOT NULL, at NUMERIC NOT NULL, answer TEXT NOT NULL) WITHOUT ROWID`,
    `CREATE INDEX operations_at ON operations (at)`,
    `CREATE TABLE events (sequence INTEGER PRIMARY KEY AUTOINCREMENT, revision INTEGER NOT NULL, at NUMERIC NOT NULL,
      kind TEXT NOT NULL, id TEXT NOT NULL, key INTEGER, detail TEXT)`,
    `CREATE INDEX events_id ON events (id)`,
    `CREATE TABLE file_states (path TEXT PRIMARY KEY, present INTEGER NOT NULL, sha256 TEXT, mtime NUMERIC, git TEXT, seen_at NUMERIC NOT NULL) WITHOUT ROWID`,

    // The text that FTS5 indexes: the text itself, or its bigram form if a record contains Chinese, Japanese, Korean or Thai.
    `CREATE VIEW record_text AS SELECT key, ${indexed('records')} FROM records`,
    ...textIndex(stemmer),
    `CREATE TRIGGER records_inserted AFTER INSERT ON records BEGIN
      INSERT INTO record_fts (rowid, ${columns.join(', ')}) VALUES (new.key, ${values('new')}); END`,
    textDeletedTrigger(),
    `CREATE TRIGGER records_moved AFTER UPDATE OF key, ${columns.join(', ')} ON records BEGIN
      INSERT INTO record_fts (record_fts, rowid, ${columns.join(', ')}) VALUES ('delete', old.key, ${values('old')});
      INSERT INTO record_fts (rowid, ${columns.join(', ')}) VALUES (new.key, ${values('new')}); END`,
  ],
}

/** Removes a deleted record's text from the text index. SQLite stores this statement verbatim in the schema. */
export function textDeletedTrigger(): string {
  return `CREATE TRIGGER records_deleted BEFORE DELETE ON records BEGIN
      INSERT INTO record_fts (record_fts, rowid, ${columns.join(', ')}) VALUES ('delete', old.key, ${values('old')}); END`
}

/** Creates an empty text index. */
export function textIndex(stemmer: StoreSettings['stemmer']): readonly string[] {
  return [
    `CREATE VIRTUAL TABLE record_fts USING fts5(${columns.join(', ')}, content='record_text', content_rowid='key',
      tokenize='${stemmer === 'porter' ? 'porter ' : ''}unicode61 remove_diacritics 2')`,
    `INSERT INTO record_fts (record_fts, rank) VALUES ('secure-delete', 1)`,
  ]
}

/** The FTS5 columns in order. The first is the title, which has a higher weight in ranking. */
const columns = ['title', 'summary', 'body', 'instruction', 'command', 'paths', 'terms'] as const

/** Indexes the records between two keys, the first exclusive. */
export const fillTextIndex = `INSERT INTO record_fts (rowid, ${columns.join(', ')})
  SELECT key, ${columns.join(', ')} FROM record_text WHERE key > ?1 AND key <= ?2 ORDER BY key`

/** `indexed` is 1 if a column needs the bigram form; for other records the function is never called. */
function values(row: string): string {
  return columns
    .map((column) => `CASE WHEN ${row}.indexed THEN index_form(${row}.${column}) ELSE ${row}.${column} END`)
    .join(', ')
}

function indexed(row: string): string {
  return columns
    .map(
      (column) => `CASE WHEN ${row}.indexed THEN index_form(${row}.${column}) ELSE ${row}.${column} END AS ${column}`,
    )
    .join(', ')
}
