/** Creates the built-in embedder: English, offline, about 10 µs per text after its table of 4 MB is loaded. */

import { absoluteHref } from '../protocol/absolute-url.ts'
import type { BuiltInEmbedder } from '../protocol/embedder.ts'
import { hasFiles, readPackageFile } from '../protocol/package-files.ts'
import { readBytes, refuseTable, tableEmbedder } from './table-embedder.ts'

export interface StaticEmbedderOptions {
  /** URL of minilm-static-128.bin, for bundlers and CDNs that need it. Default: the file of the package. */
  readonly table?: URL | undefined
}

/** Creates the embedder. Loads nothing before the first text. As an option of `openRecall` it runs in a worker. */
export function staticEmbedder({ table }: StaticEmbedderOptions = {}): BuiltInEmbedder {
  if (table !== undefined) return tableEmbedder(table)
  const own = findTable()
  if (own && !hasFiles()) return { ...tableEmbedder(new URL(absoluteHref(own))), table: undefined }
  return tableEmbedder(undefined, { read: () => readOwnTable(own?.href) })
}

async function readOwnTable(expected: string | undefined): Promise<ArrayBuffer> {
  const found = await readPackageFile({ path: 'dist/src/embedders/minilm-static-128.bin', expected })
  if ('bytes' in found) return found.bytes.buffer
  // Pages of Electron can read files but may be served over HTTP.
  if (expected?.startsWith('http')) return readBytes(new URL(expected))
  return refuseTable(undefined, `looked at ${found.missing.join(', ')}`, serverHint)
}

const serverHint =
  'Keep scrubjay out of the server’s bundle, copy minilm-static-128.bin into the folder of the bundle, give a file: URL in ' +
  'assets.embedding, or open with embedder: null.'

/** Returns undefined if the bundle has no URL of this module, as in CommonJS. */
function findTable(): URL | undefined {
  try {
    return new URL('./minilm-static-128.bin', import.meta.url)
  } catch {
    return undefined
  }
}
