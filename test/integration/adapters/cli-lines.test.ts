/** Tests the lines that commands print for records of each shape, their exit codes, and when a file is replaced. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { runCli } from '../../../src/cli/run-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'scrubjay-lines-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const at = (name: string) => join(folder, name)

async function scrubjay(store: string, args: readonly string[], input = '') {
  const texts = { output: '', errors: '' }
  const collect = (name: keyof typeof texts) =>
    new Writable({
      write(chunk, _encoding, done) {
        texts[name] += String(chunk)
        done()
      },
    })
  const code = await runCli([...args, '--embedder', 'none', '--quiet'], {
    input: Readable.from([Buffer.from(input)]),
    output: collect('output'),
    errors: collect('errors'),
    environment: { SCRUBJAY_STORE: at(store) },
    signal: new AbortController().signal,
  })
  return { code, ...texts }
}

test('list prints the first text that a record has, on one line of at most 80 characters, its kind and its tags', async () => {
  const shared = { kind: 'note', createdAt: 0, updatedAt: 0 }
  const records = [
    { ...shared, id: 'a', title: 'a title', summary: 'a summary', body: 'a body' },
    { ...shared, id: 'b', summary: 'a summary', body: 'a body' },
    { ...shared, id: 'c', body: 'a\n body', tags: ['one', 'two'] },
    { ...shared, id: 'd', instruction: 'an instruction', kind: 'rule' },
    { ...shared, id: 'e', command: 'a command' },
    { ...shared, id: 'f', body: 'x'.repeat(81), updatedAt: 86_400_000 },
  ]
  const lines = records.map((record) => JSON.stringify(record)).join('\n')
  expect(await scrubjay('list', ['put', '--file', '-'], lines)).toMatchObject({ code: 0, output: 'inserted 6\n' })
  expect((await scrubjay('list', ['list'])).output.trimEnd().split('\n').toSorted()).toEqual([
    '1970-01-01  a  a title  note',
    '1970-01-01  b  a summary  note',
    '1970-01-01  c  a body  note #one #two',
    '1970-01-01  d  an instruction  rule',
    '1970-01-01  e  a command  note',
    `1970-01-02  f  ${'x'.repeat(80)}  note`,
  ])
})

test('put prints the id and only the outcomes that occur, and names what it rejects by its number', async () => {
  const once = await scrubjay('put', ['put', 'a jay', '--id', 'a'])
  expect(once).toEqual({ code: 0, output: 'a  inserted 1\n', errors: '' })
  expect((await scrubjay('put', ['put', 'a wren', '--id', 'a'])).output).toBe('a  updated 1\n')
  expect((await scrubjay('put', ['put', 'a wren', '--id', 'a'])).output).toMatch(/^a {2}(?:unchanged|updated) 1\n$/)
  const refused = await scrubjay('put', ['put', 'b', '--id', 'x'.repeat(513)])
  expect(refused).toMatchObject({ code: 1, output: 'rejected 1\n' })
  expect(refused.errors).toMatch(/^record 1: /)
  const file = ['{"id":"c","body":"c"}', '{"id":"d","body":""}', '{"id":"e","body":"e"}'].join('\n')
  const mixed = await scrubjay('put', ['put', '--file', '-'], file)
  expect(mixed).toMatchObject({ code: 1, output: 'inserted 2, rejected 1\n' })
  expect(mixed.errors).toMatch(/^record 2: /)
  expect(await scrubjay('put', ['put', '--file', '-'], '')).toMatchObject({ code: 0, output: 'no records\n' })
})

test('forget ends with 0 if all records were there, and with 1 if one was not, whose id it prints', async () => {
  await scrubjay(
    'forget',
    ['put', '--file', '-'],
    ['a', 'b', 'c'].map((id) => JSON.stringify({ id, body: id })).join('\n'),
  )
  expect(await scrubjay('forget', ['forget', 'a'])).toEqual({ code: 0, output: 'forgotten: 1\n', errors: '' })
  expect(await scrubjay('forget', ['forget', 'a', 'b'])).toEqual({
    code: 1,
    output: 'forgotten: 1\n',
    errors: 'not stored: a\n',
  })
  expect(await scrubjay('forget', ['forget', 'x', 'y'])).toMatchObject({
    code: 1,
    output: 'forgotten: 0\n',
    errors: 'not stored: x\nnot stored: y\n',
  })
})

test('export leaves a file that exists alone, unless --force is given', async () => {
  await scrubjay('export', ['put', 'a jay', '--id', 'a'])
  writeFileSync(at('backup'), 'precious')
  const refused = await scrubjay('export', ['export', at('backup')])
  expect(refused).toMatchObject({ code: 2, output: '' })
  // The way out is the second line.
  expect(refused.errors.split('\n')).toEqual([
    expect.stringContaining('must be a file that does not exist'),
    'Hint: Give another name, or --force.',
    '',
  ])
  expect(readFileSync(at('backup'), 'utf8')).toBe('precious')
  expect(await scrubjay('export', ['export', at('backup'), '--force'])).toEqual({
    code: 0,
    output: '',
    errors: expect.stringMatching(/backup: \d+ bytes\n$/),
  })
  expect(readFileSync(at('backup'), 'utf8')).not.toBe('precious')
  expect(await scrubjay('export', ['export', at('new')])).toMatchObject({ code: 0 })
  expect(existsSync(at('new'))).toBe(true)
})

test('a command without positional arguments refuses them, and one with them takes them', async () => {
  const wrong = await scrubjay('export', ['list', 'jay'])
  expect(wrong).toMatchObject({ code: 2, output: '' })
  expect(wrong.errors).toContain('Unexpected argument "jay"')
  expect(await scrubjay('export', ['recall', 'jay'])).toMatchObject({ code: 0 })
  expect(await scrubjay('export', ['list'])).toMatchObject({ code: 0 })
})
