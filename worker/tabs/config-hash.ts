/** Hashes a configuration (authority, retention), so that tabs can compare theirs. */
import { canonicalJson } from '../../src/core/text/hash/canonical.ts'
import { sha256Hex } from '../../src/core/text/hash/sha256.ts'

export function configHash(config: object | null | undefined): string {
  return sha256Hex(canonicalJson(config ?? null))
}
