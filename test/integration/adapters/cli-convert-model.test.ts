/** Tests `scrubjay convert-model`: the file it writes, what it prints, and what it refuses. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { minilmEmbedder } from '../../../minilm/src/index.ts'
import { runCli } from '../../../src/cli/run-cli.ts'
import { makeEncoder } from '../../support/minilm/made-encoder.ts'

const folder = mkdtempSync(join(tmpdir(), 'scrubjay-convert-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const made = makeEncoder({ size: 384, inner: 384, layers: 1, heads: 12, type: 'F16' })

async function convert(...args: readonly string[]) {
  const texts = { output: '', errors: '' }
  const collect = (name: keyof typeof texts) =>
    new Writable({
      write(chunk, _encoding, done) {
        texts[name] += String(chunk)
        done()
      },
    })
  const code = await runCli(['convert-model', ...args], {
    input: Readable.from([]),
    output: collect('output'),
    errors: collect('errors'),
    environment: {},
    signal: new AbortController().signal,
  })
  return { code, ...texts }
}

function modelFolder(name: string, files: Readonly<Record<string, string | Uint8Array>>): string {
  const path = join(folder, name)
  mkdirSync(path)
  for (const [file, content] of Object.entries(files)) writeFileSync(join(path, file), content)
  return path
}

const files = { 'model.safetensors': made.weights, 'tokenizer.json': made.tokenizer, 'config.json': made.config }

test('writes a file that minilmEmbedder reads, and prints what it needs', async () => {
  const model = modelFolder('bge-small-en-v1.5', files)
  const out = join(folder, 'model.bin')
  const { code, output } = await convert(model, '--out', out, '--json')
  expect(code).toBe(0)
  const answer = JSON.parse(output)
  // The pooling of a known model.
  expect(answer).toMatchObject({
    file: out,
    bytes: readFileSync(out).length,
    dimensions: 384,
    tokens: 64,
    pooling: 'cls',
  })
  const embedder = minilmEmbedder({ model: pathToFileURL(out), sha256: answer.sha256, dimensions: answer.dimensions })
  const [asRecord] = await embedder.embed(['the jay'], 'document')
  const [asQuestion] = await embedder.embed(['the jay'], 'query')
  expect(asRecord).toHaveLength(384)
  expect(asQuestion).not.toEqual(asRecord)
  await embedder.close()

  expect(await convert(model, '--out', out)).toMatchObject({ code: 2, errors: expect.stringContaining('--force') })
  const again = await convert(
    model,
    '--out',
    out,
    '--force',
    '--pooling',
    'mean',
    '--max-tokens',
    '16',
    '--query-prefix',
    '',
  )
  expect(again).toMatchObject({ code: 0, output: expect.stringContaining('pooling: mean\n') })
  expect(again.output).toContain('tokens: 16\n')
})

test('refuses a folder without a model, and leaves no file behind', async () => {
  const out = join(folder, 'other.bin')
  const { 'config.json': _, ...withoutConfig } = files
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['must be given', [modelFolder('one', files)]],
    ['must be given', ['--out', out]],
    ['`folder` must be a folder that exists', [join(folder, 'nowhere'), '--out', out]],
    ['must hold exactly one file of safetensors', [modelFolder('none', {}), '--out', out]],
    [
      'must hold exactly one file of safetensors',
      [modelFolder('two', { ...files, 'b.safetensors': '' }), '--out', out],
    ],
    ['config.json, which cannot be read', [modelFolder('lacking', withoutConfig), '--out', out]],
    ['config.model_type', [modelFolder('other', { ...files, 'config.json': '{}' }), '--out', out]],
    ['`--out` must be a file', [join(folder, 'one'), '--out', join(folder, 'nowhere/m.bin')]],
    ['`--pooling` must be one of', [join(folder, 'one'), '--out', out, '--pooling', 'max']],
    ['`--word-bits` must be one of', [join(folder, 'one'), '--out', out, '--word-bits', '5']],
    ['`--max-tokens` must be an integer', [join(folder, 'one'), '--out', out, '--max-tokens', '0']],
    ['`tokens` must be an integer', [join(folder, 'one'), '--out', out, '--max-tokens', '100']],
  ]
  for (const [problem, args] of cases)
    expect(await convert(...args), problem).toMatchObject({ code: 2, errors: expect.stringContaining(problem) })
  expect(existsSync(out)).toBe(false)
})
