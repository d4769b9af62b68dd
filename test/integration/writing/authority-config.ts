/** An authority configuration, and the parts of its contexts. */
import { parseAuthorityConfig } from '../../../src/core/ingest/parse-authority.ts'
import { contentFields, type StoredRecord } from '../../../src/core/model/record.ts'

export const config = {
  rules: 'R',
  tiers: [
    { id: 'notes', priority: 2, label: 'Notes' },
    { id: 'canonical', priority: 1, label: 'Canonical' },
  ],
  tierByBank: { wiki: 'canonical', chat: 'notes' },
  tierByProfile: { handbook: 'canonical', draft: 'notes' },
}
export const authority = parseAuthorityConfig(config)

export function blockHit({ record }: { readonly record: StoredRecord }) {
  return {
    text: contentFields.flatMap((field) => record[field] ?? []).join('\n'),
    authorityTier: record.authorityTier,
  }
}
