/** Reads sqlite3.wasm in a runtime that has files. The worker's bundle leaves it out: see vite.config.ts. */
import { type RecallError, recallError } from '../../src/core/model/errors.ts'
import { hasFiles, readFileUrl, readPackageFile } from '../../src/protocol/package-files.ts'

/**
 * `given` by the app, or the one of the package, which the code expects at `expected`. Resolves to undefined when it must be
 * fetched instead. Rejects with `STORAGE_UNAVAILABLE`.
 */
export async function readSqliteWasm(
  given: string | undefined,
  expected: string | undefined,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (!hasFiles()) return undefined
  if (given !== undefined) return given.startsWith('file:') ? readGiven(given) : undefined
  const path = 'dist/worker/sqlite3.wasm'
  const found = await readPackageFile({ path, expected, alias: '@sqlite.org/sqlite-wasm/sqlite3.wasm' })
  if ('bytes' in found) return found.bytes
  // Electron's pages have files and a server.
  if (expected?.startsWith('http')) return undefined
  throw unreadable(`looked at ${found.missing.join(', ')}`)
}

async function readGiven(url: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await readFileUrl(url)
  } catch (error) {
    throw unreadable(error instanceof Error ? error.message : String(error))
  }
}

function unreadable(reason: string): RecallError {
  return recallError('STORAGE_UNAVAILABLE', `sqlite3.wasm could not be read: ${reason}`, {
    hint:
      'Keep scrubjay out of the server’s bundle, copy sqlite3.wasm beside the bundle, or give a file: URL in ' +
      'assets.sqliteWasm. Allow the process to read the file.',
  })
}
