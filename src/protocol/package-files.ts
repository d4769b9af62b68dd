/**
 * Finds and reads a file of this package in Node, Deno and Bun. It tries several places, because a bundler for servers may have moved
 * the code away from its files or rewritten their URLs for browsers.
 */
import { packageVersion } from './version.ts'

/** The bytes of a file, or all places where it was not found. */
export type FoundFile = { readonly bytes: Uint8Array<ArrayBuffer> } | { readonly missing: readonly string[] }

export interface PackageFile {
  /** Path from the package's folder, for example `dist/worker/sqlite3.wasm`. */
  readonly path: string
  /** URL of the file in the code. It is right unless a bundler changed it. */
  readonly expected: string | undefined
  /** The same file in another package, for example `@sqlite.org/sqlite-wasm/sqlite3.wasm`. */
  readonly alias?: string | undefined
}

/** True if `readPackageFile` and `readFileUrl` work in this runtime. */
export function hasFiles(): boolean {
  return fileModules() !== undefined
}

/** Reads a `file:` URL. Rejects with the runtime's own error. */
export async function readFileUrl(url: string): Promise<Uint8Array<ArrayBuffer>> {
  const { fs } = fileModules()!
  return new Uint8Array(await fs.readFile(new URL(url)))
}

/** Tries the expected place, the folder of the started program, and installed packages of the same version. */
export async function readPackageFile(file: PackageFile): Promise<FoundFile> {
  const modules = fileModules()!
  const missing: string[] = []
  for (const url of new Set(placesOf(file, modules))) {
    try {
      return { bytes: await readFileUrl(url) }
    } catch (error) {
      missing.push(`${modules.url.fileURLToPath(url)} (${codeOf(error)})`)
    }
  }
  return { missing }
}

function* placesOf({ path, expected, alias }: PackageFile, { url, module }: FileModules): Generator<string> {
  if (expected?.startsWith('file:')) yield expected
  const { argv, cwd } = runtime()!
  const program = argv?.[1] === undefined ? undefined : url.pathToFileURL(argv[1]).href
  if (program !== undefined) yield new URL(path.slice(path.lastIndexOf('/') + 1), program).href
  const folder = url.pathToFileURL(`${cwd?.() ?? ''}/`).href
  for (const from of [expected, folder, program]) {
    if (!from?.startsWith('file:')) continue
    const require = module.createRequire(from)
    const found = resolved(require, 'scrubjay/package.json')
    if (found !== undefined && (require(found) as { version?: string }).version === packageVersion)
      yield new URL(path, url.pathToFileURL(found)).href
    const aliased = alias === undefined ? undefined : resolved(require, alias)
    if (aliased !== undefined) yield url.pathToFileURL(aliased).href
  }
}

function resolved(require: Require, name: string): string | undefined {
  try {
    return require.resolve(name)
  } catch {
    return undefined
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error ? ((error as { code?: string }).code ?? error.message) : String(error)
}

interface Require {
  (path: string): unknown
  resolve(name: string): string
}

interface FileModules {
  readonly fs: { readFile(url: URL): Promise<Uint8Array> }
  readonly url: { pathToFileURL(path: string): URL; fileURLToPath(url: string): string }
  readonly module: { createRequire(from: string): Require }
}

interface ServerProcess {
  readonly argv?: readonly string[]
  cwd?(): string
  getBuiltinModule?(name: string): unknown
}

function runtime(): ServerProcess | undefined {
  return (globalThis as { readonly process?: ServerProcess }).process
}

/** Loads modules of Node in a way that bundlers for browsers do not follow. */
function fileModules(): FileModules | undefined {
  const process = runtime()
  const fs = process?.getBuiltinModule?.('node:fs/promises')
  if (process === undefined || fs === undefined) return undefined
  const [url, module] = ['node:url', 'node:module'].map((name) => process.getBuiltinModule?.(name))
  return { fs, url, module } as FileModules
}
