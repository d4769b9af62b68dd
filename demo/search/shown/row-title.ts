/** Gives a record its name on this page. */
import type { StoredRecord } from 'scrubjay'
import { titleOf } from '../../shared/title-of.ts'

/** Messages have no title of their own: they are named by their speaker and their chat. */
export function rowTitle(record: StoredRecord): string {
  const { kind, topic, metadata } = record
  if (kind === 'message' && typeof metadata['from'] === 'string') return `${metadata['from']} in “${topic ?? 'a chat'}”`
  return titleOf(record)
}
