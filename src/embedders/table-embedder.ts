/**
 * Creates the built-in embedder for tables at given URLs, which are loaded on first use. It has no default URL, so that bundlers
 * do not add the table to the engine's worker a second time.
 */
import { recallError } from '../core/model/errors.ts'
import { type BuiltInEmbedder, builtInSpace, needsLanguagesTable } from '../protocol/embedder.ts'
import type { EmbeddingPort } from '../protocol/engine-options.ts'
import { hasFiles, readFileUrl } from '../protocol/package-files.ts'
import { dropResponse, readResponse } from './read-response.ts'
import { type FileCache, type KnownFile, openFileCache, sha256Of } from './file-cache.ts'
import { createLanguagesModel, languagesTable } from './tables/languages-model.ts'
import { createStaticModel, englishTable, type StaticModel } from './tables/static-model.ts'
import type { KnownTable } from './tables/table-file.ts'
import { isWithoutMeaning } from './tables/without-meaning.ts'

/** The tables of this release. Other bytes would make vectors of another space. */
export const tableFile: KnownFile = {
  name: englishTable.file,
  sha256: '0cb199d0e3eb3dec4ebf1590a3cf9ef4120abcfeb5655919cac8df235126cfa5',
}
export const languagesFile: KnownFile = {
  name: languagesTable.file,
  sha256: '51dfcfb802629304468c8dc24c36adab3b59afefa0d9ba08771d9308354b8622',
}

/** Deadline of a download (ms): 4.3 MB at 300 kbit/s. The next call starts a new download. */
const downloadMs = 120_000
/** Most bytes of a download, three times a table. Another file, or a stream without end, is not received as a whole. */
const mostBytes = 16 * 2 ** 20

export interface TableOptions {
  /** Stores the tables after their first load. null: does not store them. Default: IndexedDB, if the platform has it. */
  readonly cache?: FileCache | null | undefined
  /** Reads the bytes. Default: from the table's URL. */
  readonly read?: (() => Promise<ArrayBuffer>) | undefined
  /** The table of other languages, which is loaded if `setLanguages` names one. Default: the file next to the table. */
  readonly languages?: TableSource | undefined
}

export interface TableSource {
  readonly table: URL | undefined
  readonly read?: (() => Promise<ArrayBuffer>) | undefined
}

/**
 * Creates an embedder with the table at `table`, or with a stored copy. `embed` rejects with `INVALID_CONFIG` if a table cannot be
 * loaded, and the next call tries again.
 */
export function tableEmbedder(table: URL | undefined, options: TableOptions = {}): TableEmbedder {
  const { cache: given, languages = table && { table: new URL(languagesFile.name, table) } } = options
  const cacheFor = (url: URL | undefined) =>
    given === undefined ? (url === undefined || url.protocol === 'file:' ? null : openFileCache()) : given
  const english = loadedOnce(() =>
    loadModel({ table, read: options.read }, cacheFor(table), tableFile, englishTable, createStaticModel),
  )
  const allLanguages = loadedOnce(async () => {
    const base = await english.load()
    const source = languages ?? refuseTable(languagesTable, undefined, 'its URL is unknown')
    return loadModel(source, cacheFor(source.table), languagesFile, languagesTable, (bytes) =>
      createLanguagesModel(base, bytes),
    )
  })
  const ofStore = (): TableEmbedder => {
    let needsLanguages = false
    return {
      space: builtInSpace.name,
      dimensions: builtInSpace.dimensions,
      table,
      languages: languages?.table,
      setLanguages(names) {
        needsLanguages = needsLanguagesTable(names)
      },
      ofStore,
      async embed(texts, role, { only } = {}) {
        const model = await (needsLanguages && only !== 'english' ? allLanguages : english).load()
        const isUnknown = (text: string) =>
          role === 'query' && isWithoutMeaning(text) && !model.isPiece(text.trim().toLowerCase())
        return texts.map((text) => (isUnknown(text) ? new Float32Array(model.dimensions) : model.embed(text)))
      },
      bytes: () => allLanguages.bytes() || english.bytes(),
    }
  }
  return ofStore()
}

export type TableEmbedder = Omit<BuiltInEmbedder, 'embed'> & EmbeddingPort

/** Remembers a loaded model; after a failure the next call loads it again. */
function loadedOnce<M extends StaticModel>(load: () => Promise<M>) {
  let loading: Promise<M> | undefined
  let bytes = 0
  return {
    bytes: () => bytes,
    load() {
      loading ??= load().then(
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
    },
  }
}

/** Uses the stored copy first, so that a second visit needs no network. */
async function loadModel<M>(
  { table, read = () => readBytes(table!, known) }: TableSource,
  cache: FileCache | null,
  file: KnownFile,
  known: KnownTable,
  create: (bytes: ArrayBuffer) => M,
): Promise<M> {
  const stored = (await cache?.read(file)) ?? null
  if (stored !== null) return create(stored)
  const bytes = await read()
  const sha256 = await sha256Of(bytes)
  if (sha256 !== file.sha256) {
    // Throws a more exact error if the bytes are not a table.
    create(bytes)
    const problem = `its bytes are not those of ${file.name} in this release (SHA-256 ${sha256.slice(0, 16)}…)`
    return refuseTable(known, table, problem)
  }
  const model = create(bytes)
  // In the background: the first answer need not wait for it.
  void cache?.write(file, bytes)
  return model
}

/** Reads a table at a URL. Rejects with `INVALID_CONFIG` for the table's option. */
export async function readBytes(url: URL, table: KnownTable): Promise<ArrayBuffer> {
  try {
    // `fetch` of Node cannot read files.
    if (url.protocol === 'file:' && hasFiles()) return (await readFileUrl(url.href)).buffer
    return await download(url)
  } catch (error) {
    return refuseTable(table, url, error instanceof Error ? error.message : String(error))
  }
}

async function download(table: URL): Promise<ArrayBuffer> {
  const giveUp = new AbortController()
  const timer = setTimeout(() => giveUp.abort(new Error(`no answer within ${downloadMs} ms`)), downloadMs)
  try {
    const response = await fetch(table, { signal: giveUp.signal })
    if (!response.ok) {
      dropResponse(response)
      throw new Error(`status ${response.status}`)
    }
    const bytes = await readResponse(response, mostBytes)
    if (bytes === null) throw new Error(`it has more than ${mostBytes} bytes`)
    return bytes.buffer
  } finally {
    clearTimeout(timer)
  }
}

/** Throws `INVALID_CONFIG` for the table's option. */
export function refuseTable(
  table: KnownTable,
  url: URL | undefined,
  reason: string,
  hint = table === englishTable ? pageHint : languagesHint,
): never {
  const name = table === englishTable ? 'the embedding table' : 'the embedding table of other languages'
  throw recallError('INVALID_CONFIG', `must lead to ${name}, which could not be loaded: ${reason}`, {
    field: table.field,
    ...(url === undefined ? {} : { value: url.href }),
    hint,
  })
}

const pageHint = `Serve ${tableFile.name} of the package there, or open with embedder: null.`
const languagesHint =
  'Install scrubjay-languages and give its embeddingLanguages as assets.embeddingLanguages, or name only "en" in languages.'
