/**
 * What an import is changed to before it lands: texts redacted as those of a put, tiers held to the highest one allowed. A
 * changed record is parsed anew, so that nothing derived from it knows what it was; vectors of a text that is another go.
 */
import { combineTiers } from '../../src/core/ingest/authority-tier.ts'
import type { ResolvedAuthority } from '../../src/core/model/authority.ts'
import { contentFields, type RecordInput } from '../../src/core/model/record.ts'
import { parseBlock } from './block.ts'
import { namedRecord, type StagedImport, type StagedRecord } from './staging.ts'

export interface ImportRules {
  /** Identity where nothing is to be hidden. */
  redactRecord(record: RecordInput): RecordInput
  /** Undefined: as exported. Null: none brings any. */
  readonly authorityTier: string | null | undefined
  readonly authority: ResolvedAuthority | null
}

/** Throws as `parseRecord` does where a redacted record is none any more, and what the app's function throws. */
export function adaptImport(staged: StagedImport, rules: ImportRules): StagedImport {
  const records = staged.records.map((record, i) => namedRecord(i, () => adapt(record, rules)))
  return { ...staged, records }
}

function adapt(staged: StagedRecord, { redactRecord, authorityTier, authority }: ImportRules): StagedRecord {
  const { given, record } = staged
  const redacted = redactRecord(given.record)
  const isRedacted = contentFields.some((field) => redacted[field] !== given.record[field])
  const own = record.authorityTier
  const tier = authorityTier === undefined ? own : combineTiers([own, authorityTier], authority ?? {})
  if (!isRedacted && tier === own) return staged
  const { contentHash: _old, authorityTier: _own, ...fields } = redacted
  const { vectors: _vectors, ...rest } = given
  const block = isRedacted ? rest : given
  const changed = { ...fields, ...(tier === null ? {} : { authorityTier: tier }) }
  // Twice: as an export has it, a record names its hash.
  const { contentHash } = parseBlock({ ...block, record: changed }).record
  const parsed = parseBlock({ ...block, record: { ...changed, contentHash } })
  return { ...parsed, pieces: isRedacted ? [] : staged.pieces }
}
