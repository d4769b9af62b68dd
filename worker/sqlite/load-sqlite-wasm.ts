/** Fetches or reads sqlite3.wasm and compiles it. Each failure has its own message. */
import { type RecallError, recallError } from '../../src/core/model/errors.ts'
import { readSqliteWasm } from './read-sqlite-wasm.ts'
import { findSqliteWasm } from './sqlite-module.ts'

/** `given`: a URL; `file:` works only where there are files. Rejects with `STORAGE_UNAVAILABLE`. */
export async function loadSqliteWasm(given: string | undefined): Promise<WebAssembly.Module> {
  const wasm = await load(given)
  if (WebAssembly.Module.exports(wasm).some(({ name }) => name === 'sqlite3_libversion')) return wasm
  return refuse(new Error('it is the WebAssembly of another program'))
}

async function load(given: string | undefined): Promise<WebAssembly.Module> {
  const url = given ?? findSqliteWasm()
  const bytes = await readSqliteWasm(given, url)
  if (bytes) return compile(bytes)
  const response = await fetched(url ?? 'sqlite3.wasm')
  // Compiles while downloading, if the content type allows it.
  if (response.headers.get('content-type')?.startsWith('application/wasm')) {
    return WebAssembly.compileStreaming(response).catch((error: unknown) => refuse(error))
  }
  return compile(await response.arrayBuffer())
}

/** Throws the error for a failed compilation or instantiation. */
export function refuse(error: unknown): never {
  const reason = messageOf(error)
  const isPolicy = /content security policy|unsafe-eval|blocked by csp|disallowed by embedder/i.test(reason)
  throw isPolicy
    ? unavailable(`SQLite must be compiled, which the page’s policy refuses: ${reason}`, policyHint)
    : unavailable(`sqlite3.wasm must be the one of this version: ${reason}`, versionHint)
}

async function compile(bytes: BufferSource): Promise<WebAssembly.Module> {
  return WebAssembly.compile(bytes).catch((error: unknown) => refuse(error))
}

async function fetched(url: string): Promise<Response> {
  let response: Response
  try {
    response = await fetch(url, { credentials: 'same-origin' })
  } catch (error) {
    throw unavailable(`sqlite3.wasm could not be fetched: ${messageOf(error)}`, pageHint, url)
  }
  if (response.ok) return response
  throw unavailable(`sqlite3.wasm could not be fetched: status ${response.status}`, pageHint, url)
}

const policyHint = 'Add wasm-unsafe-eval to script-src.'
const versionHint = 'Serve dist/worker/sqlite3.wasm of the package, unchanged.'
const pageHint = 'Serve dist/worker/sqlite3.wasm of the package there, or give its address as assets.sqliteWasm.'
function unavailable(problem: string, hint: string, value?: string): RecallError {
  // WebKit's message contains a line break.
  const context = value === undefined ? { hint } : { value, hint }
  return recallError('STORAGE_UNAVAILABLE', problem.replaceAll(/\s+/g, ' '), context)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
