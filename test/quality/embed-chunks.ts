/**
 * `npx tsx test/quality/embed-chunks.ts [set …]`: embeds the chunks of long documents by all-MiniLM-L6-v2 in Node, for
 * the mode `minilm chunks`, into the folder SCRUBJAY_EVAL_CHUNKS. Existing sets are skipped; an interrupted one
 * continues. Needs SCRUBJAY_TRANSFORMERS (test/support/find-transformers.ts; for float32 `onnx/model.onnx`, too) and
 * the sets. Weights are as precise as those of a set's own vectors: float32, int8 where its `minilm/meta.json` says
 * `q8`.
 */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { transformersEmbedder } from '../../src/embedders/index.ts'
import { findTransformers, noTransformers } from '../support/find-transformers.ts'
import { chunksFolder, chunksOf, rowsOf } from './chunks.ts'
import { type Dataset, datasetNames, dimensions, folderOf, loadDataset } from './datasets.ts'

/** Chunks between two writes. */
const batchSize = 64

const bytesOfRow = dimensions * Float32Array.BYTES_PER_ELEMENT

/**
 * Cosine of two vectors of one text. int8 vectors depend on the other texts of a batch, so even the same model's
 * differ.
 */
const sameModel = 0.98

const found = findTransformers()
if (found === null) throw new Error(noTransformers)
if (chunksFolder === null) throw new Error('SCRUBJAY_EVAL_CHUNKS names no folder')
mkdirSync(chunksFolder, { recursive: true })
const named = process.argv.slice(2)
for (const name of named.length > 0 ? named : datasetNames) {
  const dataset = loadDataset(name)
  if (dataset === null || dataset.minilm === null) console.log(`${name}: skipped, has no vectors here`)
  else if (dataset.minilm.chunks !== null) console.log(`${name}: skipped, is there`)
  else await embedChunks(dataset, chunksFolder, found)
}

async function embedChunks(
  { name, documents, minilm }: Dataset,
  folder: string,
  { library, models }: NonNullable<typeof found>,
): Promise<void> {
  const texts = documents.flatMap((document) =>
    chunksOf(document)
      .slice(1)
      .map(({ text }) => text),
  )
  const part = join(folder, `${name}.part`)
  const made = startAt(part)
  const dtype = dtypeOf(name)
  const embedder = transformersEmbedder({ model: 'minilm', dimensions, dtype, library, modelPath: models })
  const given = await compare()
  const startedAtMs = performance.now()
  for (let from = made; from < texts.length; from += batchSize) {
    for (const vector of await embedder.embed(texts.slice(from, from + batchSize), 'document')) {
      appendFileSync(part, new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength))
    }
  }
  await embedder.close()
  renameSync(part, join(folder, `${name}.f32`))
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(documents.flatMap(rowsOf)))
  const tookMs = performance.now() - startedAtMs
  const speed = texts.length > made ? `, ${(tookMs / (texts.length - made)).toFixed(1)} ms each` : ''
  console.log(`${name}: ${texts.length} chunks, ${made} of them were there${speed} (${dtype}); ${given}`)

  /** Compares the vector of the shortest document with the set's own: checks that both come from the same model. */
  async function compare(): Promise<string> {
    const lengths = documents.map(({ title, text }) => `${title}${text}`.trim().length || Number.POSITIVE_INFINITY)
    const i = lengths.indexOf(Math.min(...lengths))
    const [vector] = await embedder.embed([chunksOf(documents[i]!)[0]?.text ?? ''], 'document')
    const own = minilm?.documents.subarray(i * dimensions, (i + 1) * dimensions)
    const cosine = vector?.reduce((sum, x, k) => sum + x * (own?.[k] ?? 0), 0) ?? 0
    if (cosine < sameModel) throw new Error(`${name}: cosine ${cosine} with the set's own vector: another model`)
    return `cosine with a vector of the set's own: ${cosine.toFixed(4)}`
  }
}

/** Complete rows of the file; a torn one is cut off. */
function startAt(file: string): number {
  if (!existsSync(file)) writeFileSync(file, '')
  const made = Math.floor(statSync(file).size / bytesOfRow)
  truncateSync(file, made * bytesOfRow)
  return made
}

function dtypeOf(name: string): 'fp32' | 'q8' {
  const file = join(folderOf(name), 'minilm/meta.json')
  if (!existsSync(file)) return 'fp32'
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly dtype?: string }).dtype === 'q8' ? 'q8' : 'fp32'
}
