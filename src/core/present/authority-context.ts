/** Formats the authority block of an answer: its hits in their order, each with its whole text. */
import type { ResolvedAuthority } from '../model/authority.ts'
import { contentFields } from '../model/record.ts'
import type { Hit } from '../model/result.ts'
import { formatAuthorityBlock } from './authority-block.ts'

/** Null if authority is not configured, or disabled. */
export function authorityContextOf(
  hits: readonly Pick<Hit, 'record'>[],
  authority: ResolvedAuthority | null,
): string | null {
  if (authority === null || !authority.enabled) return null
  return formatAuthorityBlock(
    hits.map(({ record }) => ({
      text: contentFields.flatMap((field) => record[field] ?? []).join('\n'),
      authorityTier: record.authorityTier,
    })),
    authority,
  )
}
