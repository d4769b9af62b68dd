/** Tells whether two tabs go by the same authority configuration. */
import type { AuthorityConfig } from '../../src/core/model/authority.ts'
import { canonicalJson } from '../../src/core/text/canonical.ts'
import { sha256Hex } from '../../src/core/text/sha256.ts'

export function authorityHash(config: AuthorityConfig | null): string {
  return sha256Hex(canonicalJson(config))
}
