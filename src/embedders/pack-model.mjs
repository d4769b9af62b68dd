/**
 * Packs a trained model (static.json, vocab.txt, scales.f32, vectors.i8) into the one file that static-model.ts reads.
 * Usage: node src/embedders/pack-model.mjs MODEL_FOLDER; writes minilm-static-128.bin into the folder of this script.
 */
/* oxlint-disable no-restricted-imports -- a script of the build, which is not part of the bundle. */
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Give the folder of the model as the first argument.')

const model = JSON.parse(await readFile(join(folder, 'static.json'), 'utf8'))
const sources = { vocabulary: 'vocab.txt', scales: 'scales.f32', rows: 'vectors.i8' }
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

const target = new URL('minilm-static-128.bin', import.meta.url)
await writeFile(target, packed)
process.stdout.write(`minilm-static-128.bin: ${packed.length} bytes\n`)
