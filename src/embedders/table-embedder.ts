/**
 * The built-in embedder over a table at a given place, loaded on first use. It knows no default place, so that the
 * engine's worker, which is told one, does not carry the table a second time.
 */
import { recallError } from '../core/model/errors.ts'
import { type BuiltInEmbedder, builtInSpace } from '../protocol/embedder.ts'
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
}

/**
 * Embeds with the table at `table`, or with the one that was kept when it was loaded before. `embed` rejects with
 * `INVALID_CONFIG` when it cannot be had, and tries again.
 */
export function tableEmbedder(table: URL, { cache = openFileCache() }: TableOptions = {}): BuiltInEmbedder {
  let loading: Promise<StaticModel> | undefined
  const load = () => {
    loading ??= loadModel(table, cache).catch((error: unknown) => {
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
async function loadModel(table: URL, cache: FileCache | null): Promise<StaticModel> {
  const isFile = table.protocol === 'file:'
  const kept = isFile ? null : ((await cache?.read(tableFile)) ?? null)
  if (kept !== null) return createStaticModel(kept)
  const bytes = await readBytes(table).catch((error: unknown) => refuse(table, String(error)))
  const sha256 = await sha256Of(bytes)
  if (sha256 !== tableFile.sha256) {
    // Says more of what it is, where it is no table at all.
    createStaticModel(bytes)
    return refuse(
      table,
      `its bytes are not those of ${tableFile.name} in this release (SHA-256 ${sha256.slice(0, 16)}…)`,
    )
  }
  const model = createStaticModel(bytes)
  // Behind the first answer: nobody waits for it.
  if (!isFile) void cache?.write(tableFile, bytes)
  return model
}

async function readBytes(table: URL): Promise<ArrayBuffer> {
  // Node's fetch reads no files. Asked for in this way, bundlers for browsers do not see it.
  const files = table.protocol === 'file:' ? node.process?.getBuiltinModule?.('node:fs/promises') : undefined
  if (files) return new Uint8Array(await files.readFile(table)).buffer
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

const node = globalThis as {
  readonly process?: {
    getBuiltinModule?(name: 'node:fs/promises'): { readFile(path: URL): Promise<Uint8Array> }
  }
}

function refuse(table: URL, reason: string): never {
  throw recallError('INVALID_CONFIG', `the embedding table could not be loaded: ${reason}`, {
    field: 'assets.embedding',
    value: table.href,
    cure: 'Serve minilm-static-128.bin of the package there, or open with embedder: null.',
  })
}
