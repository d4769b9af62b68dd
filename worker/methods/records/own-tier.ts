/** Sets a record's own tier, before its sources lower it: that of its profile, else its bank, else its caller. */
import { tierOf } from '../../../src/core/ingest/authority-tier.ts'
import { type ParsedRecord, withTier } from '../../../src/core/ingest/parse-record.ts'
import type { ResolvedAuthority } from '../../../src/core/model/authority.ts'

export function withOwnTier(record: ParsedRecord, authority: ResolvedAuthority | null): ParsedRecord {
  return authority === null ? record : withTier(record, tierOf(record, authority))
}
