/**
 * What an import is changed to before it lands: texts redacted as those of a put; tiers given by profile and bank as to a
 * put, then held to the highest one allowed. A changed record is parsed anew, so that nothing derived from it knows what it
 * was; vectors of a text that is another go.
 */
import { combineTiers, tierOf } from '../../src/core/ingest/authority-tier.ts'
import type { ParsedRecord } from '../../src/core/ingest/parse-record.ts'
import type { ResolvedAuthority } from '../../src/core/model/authority.ts'
import { contentFields, type RecordInput } from '../../src/core/model/record.ts'
import { costOfText, costs, createPace, type Steps } from '../scheduling/steps.ts'
import { type PortableBlock, parseBlock } from './block.ts'
import type { Header } from './frames.ts'
import { namedRecord, type StagedImport, type StagedRecord } from './staging.ts'

export interface ImportRules {
  /** Identity where nothing is to be hidden. */
  redactRecord(record: RecordInput): RecordInput
  /** Undefined: as exported. Null: none brings any. */
  readonly authorityTier: string | null | undefined
  readonly authority: ResolvedAuthority | null
  /** `drop`: records come in as if they were put for the first time. */
  readonly learned: 'keep' | 'drop'
}

/** Throws as `parseRecord` does where a redacted record is none any more, and what the app's function throws. */
export function* adaptImport(staged: StagedImport, rules: ImportRules): Steps<StagedImport> {
  const records: StagedRecord[] = []
  const pace = createPace()
  for (const [i, record] of staged.records.entries()) {
    const adapted = namedRecord(i, () => adapt(record, rules, staged.header))
    records.push(adapted)
    if (pace.isDue(costOfText(adapted === record ? costs.read : costs.insert, record.record.body?.length ?? 0))) yield i
  }
  const { header } = staged
  return { ...staged, records, header: rules.authorityTier === undefined ? header : { ...header, tiersAreHeld: true } }
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
  // Twice: as an export has it, a record names its hash.
  const { contentHash } = parseBlock({ ...block, record: changed }).record
  const parsed = parseBlock({ ...block, record: { ...changed, contentHash } })
  return { ...parsed, pieces: isRedacted ? [] : staged.pieces }
}

/** What a file says of use and weight, anyone can write: with it a record would surface unasked, or rank before all others. */
function withoutLearned({ record, vectors }: PortableBlock): PortableBlock {
  const { importance: _importance, pressureRate: _pressureRate, cycles: _cycles, ...kept } = record
  return { record: kept, ...(vectors === undefined ? {} : { vectors }) } as PortableBlock
}

/**
 * As a put gives it, then bounded: by what the caller allows, and by what the file says, where an earlier import was bounded
 * already. Without that a backup would raise what was held down.
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
