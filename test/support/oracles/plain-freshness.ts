/**
 * A second implementation of docs/spec/recall.md#freshness, with CtxSift's choice among several files: the first stale one in
 * stored order decides.
 */

import type { FileState } from '../../../src/core/evidence/freshness.ts'
import type { Freshness } from '../../../src/core/model/result.ts'
import type { OracleRecord } from './oracle-record.ts'

export function plainFreshness(record: OracleRecord, states: readonly FileState[]): Freshness {
  if (record.files.length === 0) return 'unverifiable'
  const found = record.files.map((file) =>
    freshnessOfFile(
      file,
      states.find(({ path }) => path === file.path),
      record.createdAt,
    ),
  )
  const stale = found.find((freshness) => freshness.startsWith('stale'))
  if (stale !== undefined) return stale
  return found.includes('unknown') ? 'unknown' : 'fresh'
}

function freshnessOfFile(
  file: OracleRecord['files'][number],
  state: FileState | undefined,
  capturedAt: number,
): Freshness {
  if (state === undefined) return 'unknown'
  if (file.existed && !state.exists) return 'stale_deleted'
  if (!file.existed && state.exists) return 'stale_changed'
  if (!file.existed) return 'unknown'
  if (state.git === 'D') return 'stale_deleted'
  if (state.git) return 'stale_changed'
  if (file.sha256 && state.sha256) return file.sha256 === state.sha256 ? 'fresh' : 'stale_changed'
  if (typeof state.mtime === 'number' && state.mtime > capturedAt + 1000) return 'stale_changed'
  return 'fresh'
}
