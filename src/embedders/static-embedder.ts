/** The embedder that comes with the package: English, offline, about 10 µs a text after its 4 MB table is loaded. */

import { absoluteHref } from '../protocol/absolute-url.ts'
import type { BuiltInEmbedder } from '../protocol/embedder.ts'
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
  if (own && !hasFiles()) return { ...tableEmbedder(new URL(absoluteHref(own))), table: undefined }
  return tableEmbedder(undefined, { read: () => readOwnTable(own?.href) })
}

async function readOwnTable(expected: string | undefined): Promise<ArrayBuffer> {
  const found = await readPackageFile({ path: 'dist/src/embedders/minilm-static-128.bin', expected })
  if ('bytes' in found) return found.bytes.buffer
  // Electron's pages have files and a server.
  if (expected?.startsWith('http')) return readBytes(new URL(expected))
  return refuseTable(undefined, `looked at ${found.missing.join(', ')}`, serverHint)
}

const serverHint =
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
