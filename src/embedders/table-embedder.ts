/**
 * The built-in embedder over a table at a given place, loaded on first use. It knows no default place, so that the
 * engine's worker, which is told one, does not carry the table a second time.
 */
import { recallError } from '../core/model/errors.ts'
import { type BuiltInEmbedder, builtInSpace } from '../protocol/embedder.ts'
import { hasFiles, readFileUrl } from '../protocol/package-files.ts'
import { type FileCache, type KnownFile, openFileCache, sha256Of } from './file-cache.ts'
import { createStaticModel, type StaticModel } from './static-model.ts'

/** The table as the package has it: other bytes would make vectors that do not belong to the space. */
export const tableFile: KnownFile = {
  name: 'minilm-static-128.bin',
  sha256: '0cb199d0e3eb3dec4ebf1590a3cf9ef4120abcfeb5655919cac8df235126cfa5',
}

/** ms a download may take before it is given up, and begun anew by the next call: 4.3 MB at 300 kbit/s. */
const downloadMs = 120_000

export interface TableOptions {
  /** Where the table is kept after its first load. Default: IndexedDB, where there is one; null: nowhere. */
  readonly cache?: FileCache | null | undefined
  /** Reads the bytes in a way of its own. Default: from the table's URL. */
  readonly read?: (() => Promise<ArrayBuffer>) | undefined
}

/**
 * Embeds with the table at `table`, or with the one that was kept when it was loaded before. `embed` rejects with
 * `INVALID_CONFIG` when it cannot be had, and tries again.
 */
export function tableEmbedder(table: URL | undefined, options: TableOptions = {}): BuiltInEmbedder {
  const isFile = table === undefined || table.protocol === 'file:'
  const { cache = isFile ? null : openFileCache(), read = () => readBytes(table!) } = options
  let loading: Promise<StaticModel> | undefined
  const load = () => {
    loading ??= loadModel(read, cache, table).catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
  return {
    space: builtInSpace.name,
    dimensions: builtInSpace.dimensions,
    table,
    embed: async (texts) => texts.map((await load()).embed),
  }
}

/** Kept bytes first: they are checked, and a second visit needs no network. */
async function loadModel(
  read: () => Promise<ArrayBuffer>,
  cache: FileCache | null,
  table: URL | undefined,
): Promise<StaticModel> {
  const kept = (await cache?.read(tableFile)) ?? null
  if (kept !== null) return createStaticModel(kept)
  const bytes = await read()
  const sha256 = await sha256Of(bytes)
  if (sha256 !== tableFile.sha256) {
    // Says more of what it is, where it is no table at all.
    createStaticModel(bytes)
    return refuseTable(
      table,
      `its bytes are not those of ${tableFile.name} in this release (SHA-256 ${sha256.slice(0, 16)}…)`,
    )
  }
  const model = createStaticModel(bytes)
  // Behind the first answer: nobody waits for it.
  void cache?.write(tableFile, bytes)
  return model
}

/** Rejects with `INVALID_CONFIG` for `assets.embedding`. */
export async function readBytes(table: URL): Promise<ArrayBuffer> {
  try {
    // Node's fetch reads no files.
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
