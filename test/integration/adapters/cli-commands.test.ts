/** Tests what every command of the table has: completion of all its options, and one JSON document with --json, also for an error. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { storeOptions } from '../../../src/cli/common/arguments.ts'
import { commands, runCli } from '../../../src/cli/run-cli.ts'
import { makeEncoder } from '../../support/minilm/made-encoder.ts'

const folder = mkdtempSync(join(tmpdir(), 'scrubjay-commands-'))
const at = (...names: string[]) => join(folder, ...names)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function scrubjay(args: readonly string[], stopsAtOutput = false) {
  const texts = { output: '', errors: '' }
  const stop = new AbortController()
  const collect = (name: keyof typeof texts) =>
    new Writable({
      write(chunk, _encoding, done) {
        texts[name] += String(chunk)
        if (name === 'output' && stopsAtOutput) stop.abort('SIGINT')
        done()
      },
    })
  const code = await runCli(args, {
    input: Readable.from([]),
    output: collect('output'),
    errors: collect('errors'),
    environment: {},
    signal: stop.signal,
  })
  return { code, ...texts }
}

const names = Object.keys(commands)

describe.each(['bash', 'zsh', 'fish'])('completion for %s', (shell) => {
  test.each(names)('has the options of %s', async (name) => {
    const { output } = await scrubjay(['completion', shell])
    const mark = shell === 'fish' ? ` ${name}' -l ` : ` ${name}) `
    const lines = output.split('\n').filter((line) => line.includes(mark))
    const { options, store } = commands[name]!
    for (const option of [...options, ...(store === 'none' ? [] : storeOptions), 'json', 'help']) {
      const words = shell === 'fish' ? new RegExp(`-l ${option} `) : new RegExp(`--${option}[ "]`)
      expect(
        lines.some((line) => words.test(line)),
        option,
      ).toBe(true)
    }
  })
})

/** Arguments of a call that succeeds. Null: it needs more than a file, and has a test in cli-serve.test.ts. */
const examples: Readonly<Record<string, readonly string[] | null>> = {
  ask: ['rye', '--store', at('a.sqlite')],
  recall: ['rye', '--store', at('a.sqlite')],
  about: ['rye', '--store', at('a.sqlite')],
  put: ['oats', '--store', at('b.sqlite')],
  list: ['--store', at('a.sqlite')],
  forget: ['rye', '--store', at('f.sqlite')],
  export: [at('a.scrubjay'), '--store', at('a.sqlite')],
  import: [at('notes'), '--store', at('c.sqlite')],
  watch: [at('notes'), '--store', at('d.sqlite')],
  status: ['--store', at('a.sqlite')],
  keys: ['--store', at('locked.sqlite'), '--passphrase-file', at('phrase')],
  encrypt: ['--store', at('e.sqlite'), '--passphrase-file', at('phrase')],
  decrypt: ['--store', at('e.sqlite'), '--passphrase-file', at('phrase')],
  verify: [at('answer.json')],
  // Its documents are the messages of the protocol.
  mcp: ['--store', at('a.sqlite')],
  serve: null,
  'convert-model': [at('model'), '--out', at('model.bin')],
  completion: ['bash'],
}

describe('--json', () => {
  beforeAll(async () => {
    mkdirSync(at('notes'))
    mkdirSync(at('model'))
    writeFileSync(at('notes', 'rye.md'), 'Rye needs 250 degrees.')
    writeFileSync(at('phrase'), 'four birds in a tree')
    const { weights, tokenizer, config } = makeEncoder({ size: 384, inner: 384, layers: 1, heads: 12, type: 'F16' })
    const model = { 'model.safetensors': weights, 'tokenizer.json': tokenizer, 'config.json': config }
    for (const [name, content] of Object.entries(model)) writeFileSync(at('model', name), content)
    for (const store of ['a', 'e', 'f']) await put(at(`${store}.sqlite`))
    await put(at('locked.sqlite'), '--passphrase-file', at('phrase'))
    const capture = ['--capture', at('answer.json'), '--embedder', 'none']
    expect((await scrubjay(['recall', 'rye', '--store', at('a.sqlite'), ...capture])).code).toBe(0)
  })
  const put = async (store: string, ...more: readonly string[]) => {
    const { code } = await scrubjay([
      'put',
      'Rye needs 250 degrees.',
      '--id',
      'rye',
      '--store',
      store,
      '--embedder',
      'none',
      ...more,
    ])
    expect(code).toBe(0)
  }

  test('has an example of each command', () => {
    expect(Object.keys(examples)).toEqual(names)
  })

  test.each(names.filter((name) => examples[name] !== null))('%s prints one JSON document', async (name) => {
    const embedder = commands[name]!.store === 'none' ? [] : ['--embedder', 'none']
    const { code, output, errors } = await scrubjay(
      [name, ...examples[name]!, ...embedder, '--json', '--quiet'],
      name === 'watch',
    )
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    if (name === 'mcp') expect(output).toBe('')
    else expect(JSON.parse(output)).toBeTypeOf('object')
  })

  test.each(names)('%s prints an error as one JSON document', async (name) => {
    const { code, output, errors } = await scrubjay([name, '--no-such-option', '--json'])
    expect({ code, output }).toEqual({ code: 2, output: '' })
    expect(JSON.parse(errors)).toMatchObject({
      error: { code: 'INVALID_ARGUMENT', hint: `Run scrubjay ${name} --help.` },
    })
  })
})
