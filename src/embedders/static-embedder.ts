/** The embedder that comes with the package: English, offline, about 10 µs a text after its 4 MB table is loaded. */
import type { BuiltInEmbedder } from '../protocol/embedder.ts'
import { absoluteHref } from '../protocol/absolute-url.ts'
import { hasFiles, readPackageFile } from '../protocol/package-files.ts'
import { readBytes, refuseTable, tableEmbedder } from './table-embedder.ts'

export interface StaticEmbedderOptions {
  /** Where minilm-static-128.bin lies. Default: in the package. For bundlers and CDNs that need a hand. */
  readonly table?: URL | undefined
}

/** Loads nothing before the first text. As an option of `openRecall` it runs off the page's thread. */
export function staticEmbedder({ table }: StaticEmbedderOptions = {}): BuiltInEmbedder {
  if (table !== undefined) return tableEmbedder(table)
  const own = findTable()
  const place = own && new URL(absoluteHref(own))
  if (place && !hasFiles()) return { ...tableEmbedder(place), table: undefined }
  return tableEmbedder(undefined, { read: () => readOwnTable(place) })
}

async function readOwnTable(expected: URL | undefined): Promise<ArrayBuffer> {
  const path = 'dist/src/embedders/minilm-static-128.bin'
  const found = await readPackageFile({ path, expected: expected?.href })
  if ('bytes' in found) return found.bytes.buffer
  // Electron's pages have files and a server.
  if (expected?.protocol.startsWith('http')) return readBytes(expected)
  return refuseTable(undefined, `looked at ${found.missing.join(', ')}`, serverCure)
}

const serverCure =
  'Keep scrubjay out of the server’s bundle, copy minilm-static-128.bin beside the bundle, give a file: URL in ' +
  'assets.embedding, or open with embedder: null.'

/** undefined where a bundler left no URL of this module: CommonJS has none. */
function findTable(): URL | undefined {
  try {
    return new URL('./minilm-static-128.bin', import.meta.url)
  } catch {
    return undefined
  }
}
