/**
 * The content hash of a record: records with equal hashes have the same content. Covers the five text fields only.
 */

import type { RecordInput } from '../../model/record.ts'
import { sha256Hex } from './sha256.ts'

/** SHA-256 hex of the UTF-8 JSON of `[title, summary, body, instruction, command]`, null for an absent field. */
export function contentHash(
  record: Pick<RecordInput, 'title' | 'summary' | 'body' | 'instruction' | 'command'>,
): string {
  const { title = null, summary = null, body = null, instruction = null, command = null } = record
  return sha256Hex(JSON.stringify([title, summary, body, instruction, command]))
}
