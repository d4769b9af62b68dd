/**
 * Compiles the kernel and writes it as a TypeScript module, so that every bundler can carry it without a loader.
 * Run with `node worker/kernel/build.mjs`; the result is derived and not in git.
 */

import { readFile, writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import asc from 'assemblyscript/asc'

const folder = new URL('.', import.meta.url)
const source = 'assembly/kernel.ts'
const options = [
  '--runtime',
  'stub',
  '--enable',
  'simd',
  '--optimizeLevel',
  '3',
  '--shrinkLevel',
  '0',
  '--converge',
  '--noAssert',
]

const files = new Map()
const { error, stderr } = await asc.main([source, '--outFile', 'kernel.wasm', ...options], {
  readFile: (name) => readFile(new URL(name, folder), 'utf8').catch(() => null),
  writeFile: (name, contents) => void files.set(name, contents),
  listFiles: () => [],
})
if (error) {
  process.stderr.write(`${stderr.toString()}\n`)
  throw error
}

const wasm = files.get('kernel.wasm')
await writeFile(
  new URL('kernel.generated.ts', folder),
  `/** Made by build.mjs from assembly/kernel.ts: do not edit. */

export const kernelBytes: number = ${wasm.byteLength}
export const kernelBase64: string =
  '${Buffer.from(wasm).toString('base64')}'
`,
)
process.stdout.write(`kernel: ${wasm.byteLength} bytes, ${gzipSync(wasm).byteLength} gzip\n`)
