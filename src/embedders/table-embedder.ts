/**
 * The built-in embedder over a table at a given place, fetched on first use. It knows no default place, so that the
 * engine's worker, which is told one, does not carry the table a second time.
 */
import { recallError } from '../core/model/errors.ts'
import { type BuiltInEmbedder, builtInSpace } from '../protocol/embedder.ts'
import { createStaticModel, type StaticModel } from './static-model.ts'

/** Embeds with the table at `table`. `embed` rejects with `INVALID_CONFIG` when it cannot be had, and tries again. */
export function tableEmbedder(table: URL): BuiltInEmbedder {
  let loading: Promise<StaticModel> | undefined
  const load = () => {
    loading ??= loadModel(table).catch((error: unknown) => {
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

async function loadModel(table: URL): Promise<StaticModel> {
  const model = createStaticModel(await readBytes(table).catch((error: unknown) => refuse(table, String(error))))
  if (model.space !== builtInSpace.name || model.dimensions !== builtInSpace.dimensions) {
    return refuse(table, `it is a table of ${model.space} with ${model.dimensions} dimensions`)
  }
  return model
}

async function readBytes(table: URL): Promise<ArrayBuffer> {
  // Node's fetch reads no files. Asked for in this way, bundlers for browsers do not see it.
  const files = table.protocol === 'file:' ? node.process?.getBuiltinModule?.('node:fs/promises') : undefined
  if (files) return new Uint8Array(await files.readFile(table)).buffer
  const response = await fetch(table)
  if (!response.ok) throw new Error(`status ${response.status}`)
  return response.arrayBuffer()
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
