/** What an import does with archives, damaged, hostile and unknown files: each is listed, nothing outside is read, and ids are stable. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { strToU8, zipSync } from 'fflate'
import { afterAll, describe, expect, test } from 'vitest'
import type { RecordInput } from '../../../src/core/model/record.ts'
import { jsonParts } from '../../../src/import/files/json-parts.ts'
import { readExport } from '../../../src/import/index.ts'
import { sizedTo } from '../../support/data/sized.ts'
import { isComplete, read } from './read.ts'

const folder = mkdtempSync(join(tmpdir(), 'import-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const notes = {
  'Vault/A.md': strToU8('# A\n\nSee [[B]].'),
  'Vault/B.md': strToU8('The other one.'),
  'Vault/x.png': new Uint8Array([137, 80, 0, 0, 1]),
}

describe('an archive', () => {
  test('is read like its folder: links, pictures listed, apps’ own files ignored', async () => {
    const bytes = zipSync({ ...notes, 'Vault/.obsidian/app.json': strToU8('{}'), '__MACOSX/A.md': strToU8('x') })
    const { records, report } = await read({ name: 'vault.zip', bytes })
    expect(records.map(({ id }) => id)).toEqual(['file:Vault/A.md', 'file:Vault/B.md'])
    expect(records[0]?.relations).toEqual([{ kind: 'links_to', target: 'file:Vault/B.md' }])
    expect(report).toMatchObject({ files: 3, ignored: 2, left: 1, leftByCode: { attachment: 1 } })
  })

  test('that leaves its folder, expands without end, is cut or inside of another is listed', async () => {
    const paths = zipSync({
      '../../etc/a.md': strToU8('x'),
      '/abs.md': strToU8('x'),
      'C:\\b.md': strToU8('x'),
      'ok.md': strToU8('fine'),
    })
    const outside = await read({ name: 'paths.zip', bytes: paths })
    expect(outside.records.map(({ id }) => id)).toEqual(['file:ok.md'])
    expect(outside.report.leftByCode).toEqual({ 'unsafe-path': 3 })

    const bomb = await read({
      name: 'bomb.zip',
      bytes: zipSync({ 'a.jsonl': new Uint8Array(36_000_000).fill(97) }, { level: 1 }),
    })
    expect(bomb.records).toEqual([])
    expect(bomb.report.left).toBeGreaterThan(0)

    const cut = zipSync({ 'a.md': strToU8('whole'), 'b.md': strToU8('x '.repeat(9_000)) }, { level: 0 }).subarray(
      0,
      9_000,
    )
    const half = await read({ name: 'cut.zip', bytes: cut })
    expect(half.records.map(({ id }) => id)).toEqual(['file:a.md'])
    expect(half.report.listed.map(({ file, code }) => [file, code])).toContainEqual(['b.md', 'damaged'])

    const inner = await read({ name: 'outer.zip', bytes: zipSync({ 'inner.zip': zipSync({ 'a.md': strToU8('x') }) }) })
    expect(inner.report.leftByCode).toEqual({ archive: 1 })
    for (const one of [outside, bomb, half, inner]) expect(isComplete(one.report)).toBe(true)
  })

  test.each([0, 6] as const)('with a password is listed, and files before it are read (level %i)', async (level) => {
    const bytes = zipSync(
      { 'a.md': strToU8('open'), 'b.md': strToU8('shut '.repeat(9_000)), 'c.md': strToU8('shut') },
      { level },
    )
    const headers = Array.from(bytes.keys()).filter((i) => [0x50, 0x4b, 3, 4].every((byte, k) => bytes[i + k] === byte))
    for (const at of headers.slice(1)) bytes[at + 6]! |= 1
    const { records, report } = await read({ name: 'locked.zip', bytes })
    expect(records.map(({ id }) => id)).toEqual(['file:a.md'])
    expect(report.listed).toMatchObject([{ file: 'locked.zip', part: null, code: 'encrypted' }])
    expect(isComplete(report)).toBe(true)
  })

  test('of 20,000 small files, in T18 of 100,000, is read whole', async () => {
    const count = sizedTo(20_000, 100_000)
    const files = Object.fromEntries(Array.from({ length: count }, (_, i) => [`${i % 100}/${i}.txt`, strToU8(`${i}`)]))
    const { report } = await read({ name: 'many.zip', bytes: zipSync(files, { level: 0 }) })
    expect(report).toMatchObject({ files: count, parts: count, records: count, left: 0 })
  }, 120_000)

  test('of any damaged bytes ends, with a report that adds up', async () => {
    const whole = zipSync(notes)
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), fc.nat(whole.length), async (at, byte, length) => {
        const bytes = whole.slice(0, length)
        if (at < length) bytes[at] = byte
        const { report } = await read({ name: 'v.zip', bytes })
        expect(isComplete(report)).toBe(true)
        if (length === 0) expect(report.left).toBe(1)
      }),
      { numRuns: 60, seed: 44 },
    )
  })
})

describe('a folder in Node', () => {
  test('links are listed and not followed; .gitignore and hidden folders are left out', async () => {
    const vault = join(folder, 'vault')
    mkdirSync(join(vault, 'sub/drafts'), { recursive: true })
    mkdirSync(join(vault, '.git'))
    for (const [path, text] of Object.entries({
      'a.md': 'one',
      'sub/b.md': 'two',
      'sub/drafts/c.md': 'three',
      'sub/keep.tmp.md': 'four',
      'x.tmp.md': 'five',
      '.gitignore': '*.tmp.md\ndrafts/\n',
      'sub/.gitignore': '!keep.tmp.md\n',
      '.git/d.md': 'six',
    }))
      writeFileSync(join(vault, path), text)
    symlinkSync('..', join(vault, 'sub/up'))
    symlinkSync('/etc/hosts', join(vault, 'hosts.md'))
    const { records, report } = await read(vault)
    expect(records.map(({ id }) => id)).toEqual([
      'file:vault/a.md',
      'file:vault/sub/b.md',
      'file:vault/sub/keep.tmp.md',
    ])
    expect(records[1]?.files?.[0]).toMatchObject({ path: 'sub/b.md', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(report.leftByCode).toEqual({ link: 2 })
  })

  test('a path that does not exist is a typed error', async () => {
    await expect(read(join(folder, 'none'))).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', field: 'path' })
    await expect(read([3 as never])).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', field: 'files[0]' })
  })
})

test('encodings: UTF-16, UTF-8 with a mark, windows-1252 and single damaged bytes are read, with a warning', async () => {
  const bytes = (encoding: BufferEncoding, text: string, mark: readonly number[] = []) =>
    Uint8Array.of(...mark, ...Buffer.from(text, encoding))
  const { byId, report } = await read([
    { path: 'a.txt', bytes: bytes('utf16le', 'Grüße', [0xff, 0xfe]) },
    { path: 'b.txt', bytes: bytes('utf8', 'Grüße', [0xef, 0xbb, 0xbf]) },
    { path: 'c.txt', bytes: bytes('latin1', 'Grüße aus Köln') },
    { path: 'd.txt', bytes: Uint8Array.of(...Buffer.from('Grüße aus Köln '), 0xff) },
    { path: 'e.txt', bytes: Uint8Array.of(1, 2, 0, 4, 5) },
  ])
  for (const name of ['a', 'b', 'c', 'd']) expect(byId.get(`file:${name}.txt`)?.body).toMatch(/^Grüße/)
  expect(new Set(report.warnings.map(({ file }) => file))).toEqual(new Set(['a.txt', 'c.txt', 'd.txt']))
  expect(report.leftByCode).toEqual({ attachment: 1 })
})

test('an unknown file, an empty one, one that is too long and a second one of the same id are listed', async () => {
  const { records, report } = await read([
    { path: 'package.json', text: '{"name":"x"}' },
    { path: 'a.ts', text: 'export const a = () => { return [1, 2] }' },
    { path: 'blank.md', text: ' \n' },
    { path: 'long.txt', text: 'word '.repeat(300_000) },
    { path: 'one.md', text: 'first' },
    { path: './one.md', text: 'second' },
  ])
  expect(records.map(({ body }) => body)).toEqual(['first'])
  expect(report.listed.map(({ file, code }) => [file, code])).toEqual([
    ['package.json', 'unknown'],
    ['a.ts', 'unknown'],
    ['blank.md', 'empty'],
    ['long.txt', 'too-large'],
    ['one.md', 'duplicate'],
  ])
})

test('reading twice gives the same records, also from File objects of a picked folder', async () => {
  const file = Object.defineProperty(new File(['See [[B]]'], 'A.md', { lastModified: 7 }), 'webkitRelativePath', {
    value: 'Vault/A.md',
  })
  const imported = readExport([file])
  const runs = []
  for (let i = 0; i < 2; i++) {
    const run: RecordInput[] = []
    for await (const record of imported) run.push(record)
    runs.push(run)
  }
  expect(runs[0]).toEqual(runs[1])
  expect(runs[0]?.[0]).toMatchObject({ id: 'file:Vault/A.md', files: [{ path: 'A.md' }], updatedAt: 7 })
  expect(imported.report.records).toBe(1)
})

test('an abort ends the reading', async () => {
  const stop = new AbortController()
  const files = Array.from({ length: 3 }, (_, i) => ({ path: `${i}.md`, text: 'x' }))
  const run = read(files, { signal: stop.signal, onProgress: () => stop.abort() })
  await expect(run).rejects.toMatchObject({ code: 'ABORTED' })
  await expect(read(files, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED' })
})

test.each([
  ['options', null],
  ['options', 'notes'],
  ['zone', { zone: 'UTC' }],
  ['timeZone', { timeZone: 'Nowhere' }],
  ['record', { record: 'note' }],
  ['signal', { signal: {} }],
  ['onProgress', { onProgress: true }],
  ['openPdf', { openPdf: {} }],
])('a wrong option is refused by its name: %s %j', (field, options) => {
  const error = expect.objectContaining({ code: 'INVALID_ARGUMENT', field })
  expect(() => readExport({ name: 'a.md', text: 'x' }, options as never)).toThrow(error)
})

test.each([
  { name: 'a.md', bytes: [120] },
  { path: 5, text: 'x' },
  { name: 'a.md', data: 7 },
])('a file of a wrong form is refused, not read as another: %j', async (given) => {
  await expect(read([given as never])).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', field: 'files[0]' })
})

test('JSON in pieces has the values of JSON.parse, at any cuts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.jsonValue(), { maxLength: 5 }),
      fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 5 }),
      fc.integer({ min: 1, max: 9 }),
      async (list, object, size) => {
        for (const value of [list, object]) {
          const text = JSON.stringify(value, null, size % 3)
          const pieces = async function* () {
            for (let i = 0; i < text.length; i += size) yield text.slice(i, i + size)
          }
          const expected = Array.isArray(value)
            ? value
            : Object.entries(value).flatMap(([, member]) => (Array.isArray(member) ? member : [member]))
          const found = []
          for await (const { value: one, problem } of jsonParts(pieces())) {
            expect(problem).toBe(null)
            found.push(one)
          }
          expect(JSON.stringify(found)).toBe(JSON.stringify(expected))
        }
      },
    ),
    { numRuns: 150, seed: 44 },
  )
})
