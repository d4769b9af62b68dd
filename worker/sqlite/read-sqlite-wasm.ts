/** Reads sqlite3.wasm in a runtime that has files. The bundle of the worker leaves this file out: see worker-plugins.ts. */
import { type RecallError, recallError } from '../../src/core/model/errors.ts'
import { hasFiles, readFileUrl, readPackageFile } from '../../src/protocol/package-files.ts'

/**
 * Reads `given`, a URL from the app, or the package's file, which the code expects at `expected`. Resolves to undefined if it must be
 * fetched instead. Rejects with `STORAGE_UNAVAILABLE`.
 */
export async function readSqliteWasm(
  given: string | undefined,
  expected: string | undefined,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (!hasFiles()) return undefined
  if (given !== undefined) return given.startsWith('file:') ? readGiven(given) : undefined
  const path = 'dist/worker/sqlite3.wasm'
  const file = await readPackageFile({ path, expected, alias: '@sqlite.org/sqlite-wasm/sqlite3.wasm' })
  if ('bytes' in file) return file.bytes
  // Electron's pages have both files and a server.
  if (expected?.startsWith('http')) return undefined
  throw unreadable(`looked at ${file.missing.join(', ')}`)
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
      'Keep scrubjay out of the server’s bundle, copy sqlite3.wasm next to the bundle, or give a file: URL in ' +
      'assets.sqliteWasm. Allow the process to read the file.',
  })
}
