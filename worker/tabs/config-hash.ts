/** Tells whether two tabs go by the same configuration of one kind: authority, retention. */
import { canonicalJson } from '../../src/core/text/hash/canonical.ts'
import { sha256Hex } from '../../src/core/text/hash/sha256.ts'

export function configHash(config: object | null | undefined): string {
  return sha256Hex(canonicalJson(config ?? null))
}
