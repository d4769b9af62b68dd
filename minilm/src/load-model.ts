/** Reads the file of a model: from the browser's store, else from its URL. Its SHA-256 is checked before each use. */
import { recallError } from '../../src/core/model/errors.ts'
import { openFileCache, sha256Of } from '../../src/embedders/file-cache.ts'
import { hasFiles, readFileUrl } from '../../src/protocol/package-files.ts'
import { createEncoder, type Encoder } from './encoder.ts'
import type { Progress } from './messages.ts'

export interface ModelLocation {
  readonly url: URL
  readonly sha256: string
  readonly dimensions: number
}

/** Longest wait (ms) for the first or the next bytes of a download, and its largest size. */
const stallMs = 60_000
const mostBytes = 256 * 2 ** 20

/** Rejects with `INVALID_CONFIG` if the file cannot be loaded, or is another one. */
export async function loadModel(
  { url, sha256, dimensions }: ModelLocation,
  onProgress: (progress: Progress) => void,
): Promise<Encoder> {
  const isFile = url.protocol === 'file:' && hasFiles()
  const cache = isFile ? null : openFileCache()
  const known = { name: `model-${sha256.slice(0, 16)}`, sha256 }
  const stored = (await cache?.read(known)) ?? null
  const bytes =
    stored ?? (await (isFile ? readFile(url) : download(url, onProgress)).catch((error) => refuse(url, error)))
  const found = stored === null ? await sha256Of(bytes) : sha256
  if (found !== sha256)
    refuse(url, new Error(`its SHA-256 begins with ${found.slice(0, 16)}, not with ${sha256.slice(0, 16)}`))
  const encoder = createEncoder(bytes)
  if (encoder.dimensions !== dimensions) {
    throw recallError('INVALID_CONFIG', `must be ${encoder.dimensions}, as in the file`, {
      field: 'embedder.dimensions',
      value: dimensions,
      hint: 'Give what `scrubjay convert-model` printed for the file.',
    })
  }
  // In the background: the first answer need not wait for it.
  if (stored === null) void cache?.write(known, bytes)
  return encoder
}

async function readFile(url: URL): Promise<ArrayBuffer> {
  return (await readFileUrl(url.href)).buffer
}

/** The bytes at the URL. A server that sends nothing for a while, or without end, is not waited for [E3]. */
async function download(url: URL, onProgress: (progress: Progress) => void): Promise<ArrayBuffer> {
  const giveUp = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = () => {
    clearTimeout(timer)
    timer = setTimeout(() => giveUp.abort(new Error(`no bytes within ${stallMs} ms`)), stallMs)
  }
  wait()
  try {
    const response = await fetch(url, { signal: giveUp.signal })
    if (!response.ok || response.body === null) {
      void response.body?.cancel().catch(() => undefined)
      throw new Error(`status ${response.status}`)
    }
    // The length of a compressed answer is not that of its content.
    const length = response.headers.has('content-encoding')
      ? null
      : Number(response.headers.get('content-length')) || null
    const reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>
    const parts: Uint8Array<ArrayBuffer>[] = []
    let loaded = 0
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      wait()
      parts.push(value)
      loaded += value.length
      if (loaded > mostBytes) {
        giveUp.abort()
        throw new Error(`it has more than ${mostBytes} bytes`)
      }
      onProgress({ loaded, total: length })
    }
    return await new Blob(parts).arrayBuffer()
  } finally {
    clearTimeout(timer)
  }
}

function refuse(url: URL, error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error)
  throw recallError('INVALID_CONFIG', `must lead to the file of the model, which could not be loaded: ${reason}`, {
    field: 'embedder.model',
    value: url.href,
    hint: 'Serve minilm.bin of scrubjay-minilm, or the file of scrubjay convert-model, unchanged at this URL.',
  })
}
