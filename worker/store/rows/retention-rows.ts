/** Reads the columns that retention needs, of every record. */
import type { RetentionRow } from '../../../src/core/learning/retention.ts'
import type { ResolvedRetention } from '../../../src/core/model/retention.ts'
import { tuning } from '../../../src/core/model/tuning.ts'
import { all, type Database } from '../../sqlite/database.ts'

export function readRetentionRows(database: Database, { per, exemptTags }: ResolvedRetention): RetentionRow[] {
  // `per` is one of a closed list of column names, so it is safe in SQL.
  const scope = per === 'store' ? 'NULL' : `r.${per}`
  return all(
    database,
    `SELECT r.id, ${scope}, r.created_at, r.updated_at,
      max(r.updated_at, ifnull(l.touched_at, r.updated_at),
        ifnull((SELECT max(at) FROM accesses a WHERE a.key = r.key), r.updated_at)),
      ifnull(l.confidence, ${tuning.startConfidence}), ifnull(l.evidence, 0),
      EXISTS (SELECT 1 FROM tags t WHERE t.key = r.key AND t.tag IN (SELECT value FROM json_each(?)))
      FROM records r LEFT JOIN learned l ON l.key = r.key`,
    [JSON.stringify(exemptTags)],
    (row) => ({
      id: row.text(0),
      scope: row.textOrNull(1),
      createdAt: row.number(2),
      updatedAt: row.number(3),
      usedAt: row.number(4),
      confidence: row.number(5),
      evidence: row.number(6),
      isExempt: row.number(7) === 1,
    }),
  )
}
