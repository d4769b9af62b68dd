/**
 * Packs a trained model into the one file that tables/table-file.ts reads: minilm-static-128 (static.json, vocab.txt, scales.f32, vectors.i8)
 * or multi-static-128, which builds on it (static.json, vocab.txt, scales.f32, rows.i4, lean.i8).
 * Usage: node src/embedders/pack-model.mjs MODEL_FOLDER; writes minilm-static-128.bin into the folder of this script, and
 * multi-static-128.bin into that of its package.
 */
/* oxlint-disable no-restricted-imports -- a script of the build, which is not part of the bundle. */
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Give the folder of the model as the first argument.')

const model = JSON.parse(await readFile(join(folder, 'static.json'), 'utf8'))
const isAddOn = model.addOnTo !== undefined
const sources = isAddOn
  ? { vocabulary: 'vocab.txt', scales: 'scales.f32', rows: 'rows.i4', leanings: 'lean.i8' }
  : { vocabulary: 'vocab.txt', scales: 'scales.f32', rows: 'vectors.i8' }
// Where it was described while it was made.
delete model.spec
const contents = new Map()
for (const [part, file] of Object.entries(sources)) {
  const bytes = await readFile(join(folder, file))
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  if (sha256 !== model.sha256[file]) throw new Error(`${file} must have the SHA-256 that static.json names.`)
  contents.set(part, bytes)
}

const preambleBytes = 8
// The header contains offsets that depend on its own length, so it has a fixed length with padding.
const headerBytes = 4096
const parts = {}
let offset = preambleBytes + headerBytes
for (const [part, bytes] of contents) {
  parts[part] = [offset, bytes.length]
  offset = Math.ceil((offset + bytes.length) / 8) * 8
}

const packed = Buffer.alloc(offset)
packed.write('SJT1', 0, 'latin1')
packed.writeUInt32LE(headerBytes, 4)
const header = JSON.stringify({ parts, totalBytes: offset, model }).padEnd(headerBytes)
if (Buffer.byteLength(header) !== headerBytes) throw new Error('The header must fit its length. Raise headerBytes.')
packed.write(header, preambleBytes, 'utf8')
for (const [part, bytes] of contents) bytes.copy(packed, parts[part][0])

const target = isAddOn ? '../../languages/multi-static-128.bin' : 'minilm-static-128.bin'
await writeFile(new URL(target, import.meta.url), packed)
process.stdout.write(
  `${target}: ${packed.length} bytes, SHA-256 ${createHash('sha256').update(packed).digest('hex')}\n`,
)
