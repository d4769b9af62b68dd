/** Creates the built-in embedder: offline, about 10 µs per English text after its table of 4 MB is loaded. */

import { absoluteHref } from '../protocol/absolute-url.ts'
import type { BuiltInEmbedder } from '../protocol/embedder.ts'
import { hasFiles, readPackageFile } from '../protocol/package-files.ts'
import { languagesTable } from './tables/languages-model.ts'
import { englishTable } from './tables/static-model.ts'
import { languagesFile, readBytes, refuseTable, type TableEmbedder, tableEmbedder } from './table-embedder.ts'

export interface StaticEmbedderOptions {
  /** URL of minilm-static-128.bin, for bundlers and CDNs that need it. Default: the file of the package. */
  readonly table?: URL | undefined
  /** URL of multi-static-128.bin, the table of other languages. Default: the file next to the table; in Node, that of scrubjay-languages. */
  readonly languages?: URL | undefined
}

/**
 * Creates the embedder. Loads nothing before the first text. As an option of `openRecall` it runs in a worker, and the store's `languages`
 * decide whether it loads its table of other languages. Called directly, it loads that table if its URL is given.
 */
export function staticEmbedder(options: StaticEmbedderOptions = {}): BuiltInEmbedder {
  const { setLanguages, ofStore: _ofStore, ...tables } = ownTables(options)
  if (options.languages !== undefined) setLanguages?.(['mul'])
  return { ...tables, embed: (texts, role) => tables.embed(texts, role) }
}

/** The embedder for an engine in this process. */
export function ownTables({ table, languages }: StaticEmbedderOptions = {}): TableEmbedder {
  const own = findTable()
  const others = hasFiles()
    ? { table: languages, ...(languages ? {} : { read: () => readOwnLanguages(own?.href) }) }
    : languages && { table: languages }
  if (table !== undefined) return tableEmbedder(table, { languages: others })
  if (own && !hasFiles())
    return { ...tableEmbedder(new URL(absoluteHref(own)), { languages: others }), table: undefined, languages }
  return tableEmbedder(undefined, { read: () => readOwnTable(own?.href), languages: others })
}

async function readOwnTable(expected: string | undefined): Promise<ArrayBuffer> {
  const found = await readPackageFile({ path: 'dist/src/embedders/minilm-static-128.bin', expected })
  if ('bytes' in found) return found.bytes.buffer
  // Pages of Electron can read files but may be served over HTTP.
  if (expected?.startsWith('http')) return readBytes(new URL(expected), englishTable)
  return refuseTable(englishTable, undefined, `looked at ${found.missing.join(', ')}`, serverHint)
}

/** `english`: URL of the English table. The other one is next to it in this repository, and in the package scrubjay-languages. */
async function readOwnLanguages(english: string | undefined): Promise<ArrayBuffer> {
  const { name } = languagesFile
  const expected = english === undefined ? undefined : new URL(name, english).href
  const found = await readPackageFile({
    path: `dist/src/embedders/${name}`,
    expected,
    alias: `scrubjay-languages/${name}`,
  })
  if ('bytes' in found) return found.bytes.buffer
  if (expected?.startsWith('http')) return readBytes(new URL(expected), languagesTable)
  return refuseTable(languagesTable, undefined, `looked at ${found.missing.join(', ')}`)
}

const serverHint =
  'Keep scrubjay out of the server’s bundle, copy minilm-static-128.bin into the folder of the bundle, give a file: URL in ' +
  'assets.embedding, or open with embedder: null.'

/** Returns undefined if the bundle has no URL of this module, as in CommonJS. */
function findTable(): URL | undefined {
  try {
    return new URL('../embedders/minilm-static-128.bin', import.meta.url)
  } catch {
    return undefined
  }
}
