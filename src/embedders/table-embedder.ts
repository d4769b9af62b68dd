/**
 * Creates the built-in embedder for a table at a given URL, which is loaded on first use. It has no default URL, so that bundlers
 * do not add the table to the engine's worker a second time.
 */
import { recallError } from '../core/model/errors.ts'
import { type BuiltInEmbedder, builtInSpace } from '../protocol/embedder.ts'
import { hasFiles, readFileUrl } from '../protocol/package-files.ts'
import { type FileCache, type KnownFile, openFileCache, sha256Of } from './file-cache.ts'
import { createStaticModel, type StaticModel } from './static-model.ts'

/** The table of this release. Other bytes would make vectors of another space. */
export const tableFile: KnownFile = {
  name: 'minilm-static-128.bin',
  sha256: '0cb199d0e3eb3dec4ebf1590a3cf9ef4120abcfeb5655919cac8df235126cfa5',
}

/** Deadline of a download (ms): 4.3 MB at 300 kbit/s. The next call starts a new download. */
const downloadMs = 120_000

export interface TableOptions {
  /** Stores the table after its first load. null: does not store it. Default: IndexedDB, if the platform has it. */
  readonly cache?: FileCache | null | undefined
  /** Reads the bytes. Default: from the table's URL. */
  readonly read?: (() => Promise<ArrayBuffer>) | undefined
}

/**
 * Creates an embedder with the table at `table`, or with a stored copy. `embed` rejects with `INVALID_CONFIG` if the table cannot be
 * loaded, and the next call tries again.
 */
export function tableEmbedder(table: URL | undefined, options: TableOptions = {}): BuiltInEmbedder {
  const isFile = table === undefined || table.protocol === 'file:'
  const { cache = isFile ? null : openFileCache(), read = () => readBytes(table!) } = options
  let loading: Promise<StaticModel> | undefined
  let bytes = 0
  const load = () => {
    loading ??= loadModel(read, cache, table).then(
      (model) => {
        bytes = model.bytes
        return model
      },
      (error: unknown) => {
        loading = undefined
        throw error
      },
    )
    return loading
  }
  return {
    space: builtInSpace.name,
    dimensions: builtInSpace.dimensions,
    table,
    embed: async (texts) => texts.map((await load()).embed),
    bytes: () => bytes,
  }
}

/** Uses the stored copy first, so that a second visit needs no network. */
async function loadModel(
  read: () => Promise<ArrayBuffer>,
  cache: FileCache | null,
  table: URL | undefined,
): Promise<StaticModel> {
  const stored = (await cache?.read(tableFile)) ?? null
  if (stored !== null) return createStaticModel(stored)
  const bytes = await read()
  const sha256 = await sha256Of(bytes)
  if (sha256 !== tableFile.sha256) {
    // Throws a more exact error if the bytes are not a table.
    createStaticModel(bytes)
    return refuseTable(
      table,
      `its bytes are not those of ${tableFile.name} in this release (SHA-256 ${sha256.slice(0, 16)}…)`,
    )
  }
  const model = createStaticModel(bytes)
  // In the background: the first answer need not wait for it.
  void cache?.write(tableFile, bytes)
  return model
}

/** Reads the table at a URL. Rejects with `INVALID_CONFIG` for `assets.embedding`. */
export async function readBytes(table: URL): Promise<ArrayBuffer> {
  try {
    // `fetch` of Node cannot read files.
    if (table.protocol === 'file:' && hasFiles()) return (await readFileUrl(table.href)).buffer
    return await download(table)
  } catch (error) {
    return refuseTable(table, error instanceof Error ? error.message : String(error))
  }
}

async function download(table: URL): Promise<ArrayBuffer> {
  const giveUp = new AbortController()
  const timer = setTimeout(() => giveUp.abort(new Error(`no answer within ${downloadMs} ms`)), downloadMs)
  try {
    const response = await fetch(table, { signal: giveUp.signal })
    if (!response.ok) throw new Error(`status ${response.status}`)
    return await response.arrayBuffer()
  } finally {
    clearTimeout(timer)
  }
}

/** Throws `INVALID_CONFIG` for `assets.embedding`. */
export function refuseTable(table: URL | undefined, reason: string, hint = pageHint): never {
  throw recallError('INVALID_CONFIG', `must lead to the embedding table, which could not be loaded: ${reason}`, {
    field: 'assets.embedding',
    ...(table === undefined ? {} : { value: table.href }),
    hint,
  })
}

const pageHint = 'Serve minilm-static-128.bin of the package there, or open with embedder: null.'
