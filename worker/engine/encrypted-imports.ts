/** Loads the ciphers for a store that is not locked when an encrypted export is imported into it. */
import type { Answer, Arguments, Method, RequestContext } from '../../src/protocol/engine-api.ts'
import { isEncrypted } from '../../src/protocol/export-format/encrypted.ts'
import type { ServedEngine } from '../tabs/port.ts'
import { loadLock } from './load-lock.ts'

export function withEncryptedImports(engine: ServedEngine): ServedEngine {
  let importing: Promise<ServedEngine> | undefined
  return {
    ...engine,
    async call<V extends Method>(method: V, request: Arguments<V>, context: RequestContext): Promise<Answer<V>> {
      if (method === 'importPart' && needsCiphers(request as Arguments<'importPart'>))
        importing ??= loadLock().then(({ serveExports }) => serveExports(engine, null))
      return ((await importing) ?? engine).call(method, request, context)
    },
  }
}

function needsCiphers({ bytes, lock }: Arguments<'importPart'>): boolean {
  return lock !== undefined || (bytes instanceof Uint8Array && isEncrypted(bytes))
}
