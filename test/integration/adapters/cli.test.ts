/** Tests the commands of the program `scrubjay`: what they print, their exit codes, and what they refuse. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import { runCli } from '../../../src/cli/run-cli.ts'
import { packageVersion } from '../../../src/protocol/version.ts'
import { root, run } from '../../support/install-package.ts'

const folder = mkdtempSync(join(tmpdir(), 'scrubjay-cli-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const at = (name: string) => join(folder, name)

/** Runs a command line in this process. */
async function scrubjay(
  args: readonly string[],
  { store = 'notes.sqlite', input = '' as string | Buffer, signal = quiet } = {},
) {
  const texts = { output: '', errors: '' }
  const collect = (name: keyof typeof texts) =>
    new Writable({
      write(chunk, _encoding, done) {
        texts[name] += String(chunk)
        done()
      },
    })
  const code = await runCli(args, {
    input: Readable.from([Buffer.from(input as string)]),
    output: collect('output'),
    errors: collect('errors'),
    environment: store === '' ? {} : { SCRUBJAY_STORE: at(store) },
    signal,
  })
  return { code, ...texts, json: () => JSON.parse(texts.output) }
}

const quiet = new AbortController().signal
const words = ['--embedder', 'none'] as const

test('an embedder whose package is not installed is refused with the way out', async () => {
  const missing = await scrubjay(['put', 'text', '--embedder', 'minilm', '--json'])
  expect(missing.code).toBe(2)
  expect(JSON.parse(missing.errors).error).toMatchObject({
    field: '--embedder',
    hint: expect.stringContaining('npm install scrubjay-minilm'),
  })
})

describe('records', () => {
  test('are found in their forms in the languages that the store was made with', async () => {
    const german = { store: 'german.sqlite' }
    await scrubjay(['put', 'Die Häuser am Markt', '--id', 'one', '--languages', 'de, en', ...words], german)
    expect((await scrubjay(['recall', 'Haus', '--json', ...words], german)).json().hits).toMatchObject([{ id: 'one' }])
    const wrong = await scrubjay(['recall', 'Haus', '--languages', 'deutsch', ...words], german)
    expect(wrong).toMatchObject({ code: 2, errors: expect.stringContaining('languages[0]') })
  })

  test('are put, found, listed and forgotten', async () => {
    const put = await scrubjay([
      'put',
      'Mira moves the deploy',
      'to Friday',
      '--id',
      'deploy',
      '--tag',
      'team',
      ...words,
    ])
    expect(put).toMatchObject({ code: 0, output: 'deploy  inserted 1\n', errors: '' })
    const lines = [{ id: 'lunch', body: 'The noodle place is closed', tags: ['food'] }, { body: 'Oaks grow slowly' }]
    const file = await scrubjay(['put', '--file', '-', '--project', 'site', '--json', ...words], {
      input: `\uFEFF${lines.map((line) => JSON.stringify(line)).join('\r\n\r\n')}`,
    })
    expect(file.json()).toMatchObject({ inserted: 2, rejected: 0, durability: 'committed' })

    const found = await scrubjay(['recall', 'when', 'do', 'we', 'deploy?', '--limit', '1', ...words])
    expect(found.output).toMatch(/^evidence: strong\n1\. deploy {2}\(0\.\d+\)\n {3}Mira moves the deploy to Friday\n/)
    const json = (await scrubjay(['recall', 'deploy', '--json', ...words])).json()
    expect(json).toMatchObject({ hits: [{ id: 'deploy' }], evidence: { strength: 'strong' } })
    expect((await scrubjay(['recall', 'closed', '--tag', 'team', '--json', ...words])).json().hits).toEqual([])

    const page = (await scrubjay(['list', '--project', 'site', '--json', ...words])).json()
    expect(page.items.map(({ body }: { body: string }) => body).toSorted()).toEqual(
      lines.map(({ body }) => body).toSorted(),
    )
    expect((await scrubjay(['list', '--limit', '1', ...words])).output).toMatch(
      /^\d{4}-\d\d-\d\d {2}[^\n]+\nMore: --cursor \S+\n$/,
    )

    expect(await scrubjay(['forget', 'lunch', 'never', ...words])).toMatchObject({
      code: 1,
      output: 'forgotten: 1\n',
      errors: 'not stored: never\n',
    })
    expect((await scrubjay(['status', '--json', ...words])).json()).toMatchObject({ records: 2, backend: 'file' })
  })

  test('of a JSON array are put in slices; each invalid one is named, and the others are stored', async () => {
    const records = Array.from({ length: 1203 }, (_, i) =>
      i === 700 ? { wrong: 1 } : { id: `r${i}`, body: `note ${i}` },
    )
    writeFileSync(at('array.json'), JSON.stringify(records, null, 1))
    const put = await scrubjay(['put', '--file', at('array.json'), '--tag', 'all', ...words], { store: 'array.sqlite' })
    expect(put).toMatchObject({ code: 1, output: 'inserted 1202, rejected 1\n' })
    expect(put.errors).toContain('record 701: `wrong` must be a known field')
    expect(put.errors.match(/^put: .*$/gm)).toEqual([
      'put: 500 records, 41 %',
      'put: 1000 records, 83 %',
      'put: 1203 records, 100 %',
    ])
    const page = (
      await scrubjay(['list', '--tag', 'all', '--limit', '3', '--json', ...words], { store: 'array.sqlite' })
    ).json()
    expect(page.items).toHaveLength(3)
  })

  test('move to another store by export and import, with progress on stderr only', async () => {
    const file = at('backup.bin')
    const exported = await scrubjay(['export', file, '--json', ...words], { store: 'array.sqlite' })
    expect(exported.json()).toEqual({ file, bytes: statSync(file).size })
    expect(exported.errors).toContain('export: ')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(await scrubjay(['export', file, ...words], { store: 'array.sqlite' })).toMatchObject({ code: 2, output: '' })
    const again = await scrubjay(['export', file, '--force', '--quiet', '--json', ...words], { store: 'array.sqlite' })
    expect(again).toMatchObject({ code: 0, errors: '' })

    const imported = await scrubjay(['import', file, '--json', '--quiet', ...words], { store: 'copy.sqlite' })
    expect(imported).toMatchObject({ code: 0, errors: '' })
    expect(imported.json()).toMatchObject({ read: 1202, inserted: 1202 })
    const query = ['recall', 'note 7', '--json', ...words]
    const ids = ({ hits }: { hits: { id: string }[] }) => hits.map(({ id }) => id)
    const copy = (await scrubjay(query, { store: 'copy.sqlite' })).json()
    expect(ids(copy)).toEqual(ids((await scrubjay(query, { store: 'array.sqlite' })).json()))
    const piped = await scrubjay(['import', '-', '--json', ...words], {
      store: 'piped.sqlite',
      input: readFileSync(file),
    })
    expect(piped.json()).toMatchObject({ read: 1202, inserted: 1202 })
    // Control: damaged bytes are refused, and nothing is stored.
    writeFileSync(file, readFileSync(file).subarray(0, 5000))
    const damaged = await scrubjay(['import', file, '--mode', 'replace', ...words], { store: 'copy.sqlite' })
    expect(damaged.code).toBe(2)
    expect((await scrubjay(['status', '--json', ...words], { store: 'copy.sqlite' })).json().records).toBe(1202)
  })
})

test('import refuses a file that does not exist, by its name, and makes no store', async () => {
  const refused = await scrubjay(['import', at('no-such-folder'), ...words], { store: 'none.sqlite' })
  expect(refused.code).toBe(2)
  expect(refused.errors).toContain('must be a file or folder that exists')
  expect(refused.errors).toContain('no-such-folder')
  expect(existsSync(at('none.sqlite'))).toBe(false)
})

test('control characters of stored texts do not reach the terminal; JSON escapes them', async () => {
  const text = 'red \u001B[31macorns\u0007 under \u009Boaks'
  await scrubjay(['put', text, '--id', 'esc', '--title', '\u001B]0;title\u0007', ...words], { store: 'escapes.sqlite' })
  for (const args of [['recall', 'oaks'], ['list']]) {
    const { output } = await scrubjay([...args, ...words], { store: 'escapes.sqlite' })
    expect(output).toContain('esc')
    expect(output).not.toMatch(/[^\P{Cc}\n]/u)
  }
  const page = await scrubjay(['list', '--json', ...words], { store: 'escapes.sqlite' })
  expect(page.json().items[0].body).toBe(text)
  expect(
    (await scrubjay(['recall', '--json', ...words, '--', '-red', 'oaks'], { store: 'escapes.sqlite' })).json().hits,
  ).toEqual([])
})

describe('a captured answer', () => {
  test('is verified without the store; a changed one is not', async () => {
    const file = at('answer.json')
    await scrubjay(['put', 'The jay hides acorns', '--id', 'a', ...words], { store: 'jay.sqlite' })
    const { code } = await scrubjay(['recall', 'where are acorns', '--capture', file, ...words], {
      store: 'jay.sqlite',
    })
    expect(code).toBe(0)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const verified = await scrubjay(['verify', file, '--json'], { store: '' })
    expect(verified).toMatchObject({ code: 0, errors: '' })
    expect(verified.json()).toMatchObject({
      verified: true,
      question: { text: 'where are acorns' },
      receipt: { ids: ['a'] },
    })
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('hides acorns', 'hides gold'))
    const changed = await scrubjay(['verify', file, '--json'], { store: '' })
    expect(changed.code).toBe(1)
    expect(changed.json()).toMatchObject({ verified: false, error: { code: 'INVALID_ARGUMENT', field: 'answer' } })
  })
})

describe('wrong use', () => {
  test.each<[readonly string[], string]>([
    [['drop'], '`command` must be a command'],
    [['toString'], '`command` must be a command'],
    [['list', '--bogus'], "Unknown option '--bogus'"],
    [['list', 'extra', ...words], 'Unexpected argument "extra"'],
    [['list', '--limit', '0', ...words], '`--limit` must be an integer from 1 to 1000'],
    [['list', '--after', 'yesterday', ...words], '`--after` must be a time'],
    [['recall', ...words], 'A question must be given'],
    [['recall', 'x', '--min-evidence', 'much', ...words], '`--min-evidence` must be one of weak, strong'],
    [['put', 'x', '--embedder', 'mine'], '`--embedder` must be one of builtin, minilm, none'],
    [['put', ...words], 'Either a text or --file must be given'],
    [['put', 'text', '--file', 'x', ...words], 'Either a text or --file must be given'],
    [['export', ...words], 'One file must be given'],
    [['import', 'x', '--mode', 'mix', ...words], '`--mode` must be one of merge, replace'],
    [['mcp', '--tools', 'recall,drop', ...words], '`--tools` must name tools'],
    [['verify'], 'One file must be given'],
  ])('%j exits with 2, says what must be, and prints nothing to stdout', async (args, message) => {
    const { code, output, errors } = await scrubjay(args, { store: 'wrong-use.sqlite' })
    expect({ code, output }).toEqual({ code: 2, output: '' })
    // Nothing is created either.
    expect(() => statSync(at('wrong-use.sqlite'))).toThrow()
    expect(errors).toContain(message)
    expect(errors).toMatch(/\nHint: .+\n$/)
  })

  test('a store that does not exist is refused where nothing is written, and not created', async () => {
    const missing = await scrubjay(['list', '--store', at('missing.sqlite'), '--json', ...words])
    expect(missing.code).toBe(2)
    expect(JSON.parse(missing.errors)).toMatchObject({ error: { code: 'INVALID_ARGUMENT', field: '--store' } })
    expect(() => statSync(at('missing.sqlite'))).toThrow()
    expect((await scrubjay(['list', ...words], { store: '' })).errors).toContain('SCRUBJAY_STORE')
  })

  test('an unknown policy is an error of the store', async () => {
    const { code, errors } = await scrubjay(['recall', 'x', '--policy', 'best', ...words])
    expect({ code, isPolicy: errors.includes('INVALID_POLICY') }).toEqual({ code: 2, isPolicy: true })
  })

  test('a line that is not JSON is named by its number', async () => {
    const { code, errors } = await scrubjay(['put', '--file', '-', ...words], { input: '{"body":"x"}\n\nnot JSON\n' })
    expect(code).toBe(2)
    expect(errors).toContain('`line 3` must be JSON')
  })

  test('a file that does not exist is a failure: exit code 1', async () => {
    expect(await scrubjay(['put', '--file', at('none.jsonl'), ...words])).toMatchObject({ code: 1, output: '' })
    expect(await scrubjay(['verify', at('none.json')])).toMatchObject({ code: 1, output: '' })
  })
})

test('an aborted command ends with 130, and closes the store', async () => {
  const { code } = await scrubjay(['recall', 'x', ...words], { signal: AbortSignal.abort('SIGINT') })
  expect(code).toBe(130)
  expect(() => statSync(at('notes.sqlite-wal'))).toThrow()
})

test('every command has a help', async () => {
  const { output } = await scrubjay([])
  const names = [...output.matchAll(/^ {2}(\w+) {2,}/gm)].map(([, name]) => name!)
  expect(names).toEqual([
    'ask',
    'recall',
    'about',
    'put',
    'list',
    'forget',
    'export',
    'import',
    'watch',
    'status',
    'keys',
    'encrypt',
    'decrypt',
    'verify',
    'mcp',
    'serve',
    'completion',
  ])
  for (const name of names) {
    const help = await scrubjay([name, '--help'], { store: '' })
    expect(help).toMatchObject({ code: 0, errors: '' })
    expect(help.output).toContain(`scrubjay ${name} `)
  }
  expect((await scrubjay(['--version'])).output).toBe(`${packageVersion}\n`)
})

test('the built program runs', async () => {
  const program = join(root, 'dist/src/cli/main.js')
  expect(await run(process.execPath, [program, '--version'], folder)).toBe(`${packageVersion}\n`)
})
