/**
 * Changes the records of an import before it is applied: redacts texts as a put does, assigns authority tiers by profile and bank, and
 * limits them to the highest tier allowed. A changed record is parsed again, so that nothing derived from it contains the old text.
 * Vectors of a changed text are dropped.
 */
import { combineTiers, tierOf } from '../../src/core/ingest/authority-tier.ts'
import type { ParsedRecord } from '../../src/core/ingest/parse-record.ts'
import { contentOf } from '../../src/core/merge/content.ts'
import { touchedBy } from '../../src/core/merge/field-stamps.ts'
import type { ResolvedAuthority } from '../../src/core/model/authority.ts'
import { contentFields, type RecordInput } from '../../src/core/model/record.ts'
import type { Header } from '../../src/protocol/export-format/frames.ts'
import { costOfText, costs, createPace, type Steps } from '../scheduling/steps.ts'
import { type PortableBlock, parseBlock } from './block.ts'
import { namedRecord, type StagedImport, type StagedRecord } from './staging.ts'

export interface ImportRules {
  /** Returns the record unchanged if nothing is redacted. */
  redactRecord(record: RecordInput): RecordInput
  /** The highest tier allowed; undefined: as exported; null: records get no tier. */
  readonly authorityTier: string | null | undefined
  readonly authority: ResolvedAuthority | null
  /** `drop`: records are imported as if they were put for the first time. */
  readonly learned: 'keep' | 'drop'
}

/** Throws as `parseRecord` does if a redacted record is invalid, and whatever the app's function throws. */
export function* adaptImport(staged: StagedImport, rules: ImportRules): Steps<StagedImport> {
  const records: StagedRecord[] = []
  const pace = createPace()
  for (const [i, record] of staged.records.entries()) {
    const adapted = namedRecord(i, () => adapt(record, rules, staged.header))
    records.push(adapted)
    if (pace.isDue(costOfText(adapted === record ? costs.read : costs.insert, record.record.body?.length ?? 0))) yield i
  }
  const { header } = staged
  // A stranger's file must not forget records of this store.
  const tombstones = rules.learned === 'drop' ? [] : staged.tombstones
  return {
    ...staged,
    records,
    tombstones,
    header: rules.authorityTier === undefined ? header : { ...header, tiersAreHeld: true },
  }
}

function adapt(staged: StagedRecord, rules: ImportRules, header: Header): StagedRecord {
  const { redactRecord } = rules
  const { record } = staged
  const given = rules.learned === 'drop' ? withoutLearned(staged.given) : staged.given
  const redacted = redactRecord(given.record)
  const isRedacted = contentFields.some((field) => redacted[field] !== given.record[field])
  const own = record.authorityTier
  const tier = tierOfImported(record, rules, header)
  if (!isRedacted && tier === own && given === staged.given) return staged
  const { contentHash: _old, authorityTier: _own, ...fields } = redacted
  const { vectors: _vectors, ...rest } = given
  const block = isRedacted ? rest : given
  const changed = { ...fields, ...(tier === null ? {} : { authorityTier: tier }) }
  // Parsed a second time with the new content hash, as in an export.
  const { contentHash } = parseBlock({ ...block, record: changed }).record
  const parsed = parseBlock({ ...block, record: { ...changed, contentHash } })
  const adapted = { ...parsed, chunks: isRedacted ? [] : staged.chunks }
  if (!isRedacted && tier === own) return adapted
  return { ...adapted, adapted: touchedBy(contentOf(record), contentOf(parsed.record)) }
}

/** Drops life and stamp, learned state, importance, pressure and cycles: a hostile file could use them to push a record or rank it first. */
function withoutLearned({ record, vectors }: PortableBlock): PortableBlock {
  const { importance: _importance, pressureRate: _pressureRate, cycles: _cycles, ...fields } = record
  return { record: fields, ...(vectors === undefined ? {} : { vectors }) }
}

/**
 * The tier as for a put, then limited twice: by what the caller allows, and by the exported tier if an earlier import limited tiers.
 * Otherwise restoring a backup would raise them.
 */
function tierOfImported(
  record: ParsedRecord,
  { authorityTier, authority }: ImportRules,
  { tiersAreHeld }: Header,
): string | null {
  const given = authority === null ? record.authorityTier : tierOf(record, authority)
  const bounds = [
    ...(tiersAreHeld ? [record.authorityTier] : []),
    ...(authorityTier === undefined ? [] : [authorityTier]),
  ]
  return bounds.length === 0 ? given : combineTiers([given, ...bounds], authority ?? {})
}
