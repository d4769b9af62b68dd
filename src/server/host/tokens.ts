/** Finds the store of a token. Only hashes of tokens are kept, and all of them are compared in constant time. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { recallError } from '../../core/model/errors.ts'
import type { ServerOptions } from '../common/options.ts'

/** The SHA-256 of a token in hexadecimal digits, as `tokens` has it. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

export type Authenticate = (token: unknown) => Promise<string>

/** The function rejects with INVALID_CONFIG for a token that has no store. */
export function authenticator({ tokens, authenticate }: Pick<ServerOptions, 'tokens' | 'authenticate'>): Authenticate {
  const known = Object.entries(tokens ?? {}).map(([hash, tenant]) => ({ hash: Buffer.from(hash, 'hex'), tenant }))
  const find = (token: string): string | null => {
    const hash = createHash('sha256').update(token).digest()
    let found: string | null = null
    for (const { hash: own, tenant } of known) if (timingSafeEqual(own, hash)) found = tenant
    return found
  }
  return async (token) => {
    const tenant = typeof token === 'string' && token !== '' ? await (authenticate ?? find)(token) : null
    if (typeof tenant === 'string' && tenant !== '' && tenant.length <= 200 && !tenant.includes('\0')) return tenant
    throw recallError('INVALID_CONFIG', 'must be a token that this server knows', {
      field: 'token',
      hint: 'Ask the operator of the server for a token.',
    })
  }
}
