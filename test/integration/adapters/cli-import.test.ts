/** Tests import, watch, ask and `put` of a file; and that importing again equals a fresh import, after any changes of the folder. */
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable, Writable } from 'node:stream'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { runCli } from '../../../src/cli/run-cli.ts'
import { openRecall } from '../../../src/client/open.ts'
import { importFiles } from '../../../src/cli/common/import-files.ts'
import { watchFolder } from '../../../src/cli/common/watch-folder.ts'
import { root } from '../../support/install-package.ts'

const folder = mkdtempSync(join(tmpdir(), 'scrubjay-import-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const at = (...names: string[]) => join(folder, ...names)
const quiet = new AbortController().signal

async function scrubjay(
  store: string,
  args: readonly string[],
  {
    isTTY = false,
    input = Readable.from([]) as Readable,
    signal = quiet,
    onOutput = (_text: string): void => undefined,
  } = {},
) {
  const texts = { output: '', errors: '' }
  const collect = (name: keyof typeof texts) =>
    Object.assign(
      new Writable({
        write(chunk, _encoding, done) {
          texts[name] += String(chunk)
          if (name === 'output') onOutput(texts.output)
          done()
        },
      }),
      { isTTY },
    )
  const code = await runCli([...args, '--embedder', 'none'], {
    input,
    output: collect('output'),
    errors: collect('errors'),
    environment: { SCRUBJAY_STORE: at(store) },
    signal,
  })
  return { code, ...texts, json: () => JSON.parse(texts.output) }
}

function write(files: Readonly<Record<string, string>>, base: string): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(base, path, '..'), { recursive: true })
    writeFileSync(join(base, path), text)
  }
}

const notes = {
  'House move.md': '---\naliases: [Umzug]\n---\nThe deposit is 2,400 euro. Landlord: [[Weiss]].',
  'Daily/2026-11-18.md': 'Lunch with Priya about the [[Umzug]].',
  'Weiss.md': '# Mr Weiss\n\nOwns the house.',
  'plan.png': '\u0000\u0001\u0002\u0000\u0003',
}

describe('import', () => {
  test('stores a folder once; importing again changes nothing; records of files that are gone are forgotten', async () => {
    write(notes, at('notes'))
    const first = await scrubjay('a.sqlite', ['import', at('notes'), '--tag', 'vault'])
    expect(first).toMatchObject({
      code: 0,
      output: 'read 3: inserted 3, updated 0, unchanged 0, removed 0\nkinds: markdown 3\nleft out 1: attachment 1\n',
    })
    expect(first.errors).toContain('attachment: notes/plan.png must be text')
    expect(
      (await scrubjay('a.sqlite', ['import', at('notes'), '--tag', 'vault', '--json', '--quiet'])).json(),
    ).toMatchObject({ inserted: 0, updated: 0, unchanged: 3, removed: 0, report: { left: 1 } })
    rmSync(at('notes/Weiss.md'))
    expect(
      (await scrubjay('a.sqlite', ['import', at('notes'), '--tag', 'vault', '--keep', '--json'])).json(),
    ).toMatchObject({ removed: 0 })
    expect((await scrubjay('a.sqlite', ['import', at('notes'), '--tag', 'vault', '--json'])).json()).toMatchObject({
      removed: 1,
      updated: 0,
    })
  })

  test('an empty folder does not forget everything unless it is forced', async () => {
    write({ 'one.md': 'text' }, at('gone'))
    await scrubjay('b.sqlite', ['import', at('gone')])
    rmSync(at('gone/one.md'))
    const refused = await scrubjay('b.sqlite', ['import', at('gone')])
    expect(refused).toMatchObject({ code: 2, errors: expect.stringContaining('--force') })
    expect(await scrubjay('b.sqlite', ['import', at('gone'), '--force', '--json'])).toMatchObject({
      code: 0,
      output: expect.stringContaining('"removed": 1'),
    })
  })

  test('a PDF file is found by the number of its page', async () => {
    const paper = join(root, 'node_modules/pdf-parse/test/data/04-valid.pdf')
    expect((await scrubjay('pdf.sqlite', ['import', paper])).output).toContain('kinds: pdf 5')
    const { output } = await scrubjay('pdf.sqlite', ['ask', 'nitric oxide level of footballers'])
    expect(output).toContain('04-valid.pdf#page=')
  })

  test('damaged parts give exit code 1, and the others are stored', async () => {
    write({ 'lines.jsonl': '{"body":"fine"}\noops\n' }, at('damaged'))
    const { code, errors } = await scrubjay('c.sqlite', ['import', at('damaged')])
    expect(code).toBe(1)
    expect(errors).toContain('damaged: damaged/lines.jsonl, line 2')
    expect(await scrubjay('c.sqlite', ['import', at('nothing')])).toMatchObject({ code: 2 })
  })
})

test('put of a file stores its text; a name without a file is stored as it is, and said', async () => {
  write({ 'note.md': '# Rye\n\nBake it at 250 degrees.' }, at('single'))
  expect(await scrubjay('d.sqlite', ['put', at('single/note.md'), '--id', 'rye', '--tag', 'bread'])).toMatchObject({
    code: 0,
    output: 'rye  inserted 1\n',
    errors: expect.stringContaining('stored the text of'),
  })
  expect((await scrubjay('d.sqlite', ['list', '--json'])).json().items).toMatchObject([
    { id: 'rye', title: 'Rye', body: 'Bake it at 250 degrees.', tags: ['bread'] },
  ])
  expect(await scrubjay('d.sqlite', ['put', at('single')])).toMatchObject({
    code: 2,
    errors: expect.stringContaining('scrubjay import'),
  })
  expect((await scrubjay('d.sqlite', ['put', 'missing.md'])).errors).toContain('stored the name itself')
})

describe('ask', () => {
  test('marks words on a terminal, shows hidden characters, and says when nothing answers', async () => {
    await scrubjay('e.sqlite', [
      'put',
      'The deposit \u202Eis\u202C 2,400 \u001B[31meuro',
      '--id',
      'x',
      '--title',
      'Move\nhouse',
    ])
    const shown = await scrubjay('e.sqlite', ['ask', 'how much is the deposit?'], { isTTY: true })
    expect(shown.code).toBe(0)
    expect(shown.output).toContain('\u001B[33mdeposit\u001B[39m')
    expect(shown.output).toContain('&#x202E;')
    expect(shown.output).not.toContain('\u001B[31m')
    expect(shown.output).toContain('Move&#xA;house')
    const plain = await scrubjay('e.sqlite', ['ask', 'deposit'])
    expect(plain.output).not.toMatch(/[^\P{Cc}\n]/u)
    expect(plain.output).toMatch(/^(?:Found|Perhaps)\. Evidence (?:strong|weak), probability [01]\.\d\d\./)
    expect(plain.output).toContain('why: ')
    expect(await scrubjay('e.sqlite', ['ask', 'penicillin'])).toMatchObject({
      code: 1,
      output: expect.stringContaining('Nothing stored answers this'),
    })
    expect((await scrubjay('e.sqlite', ['ask', 'deposit', '--json'])).json().hits).toMatchObject([{ id: 'x' }])
  })
})

test('from a folder of notes to an answer in an MCP client in two commands, as docs/import.md shows it', async () => {
  const [, transcript = ''] =
    /```text\n(\$ npx scrubjay import notes[^]*?)```/.exec(readFileSync(join(root, 'docs/import.md'), 'utf8')) ?? []
  const commands = [...transcript.matchAll(/^\$ npx scrubjay (.*)$/gm)].map(([, line = '']) => line.split(' '))
  expect(commands).toHaveLength(2)
  const local = (args: readonly string[]) =>
    args.map((word) => (word === 'notes' ? at('vault/notes') : word === 'memory.sqlite' ? at('f.sqlite') : word))
  write(notes, at('vault/notes'))
  const imported = await scrubjay('f.sqlite', local(commands[0]!))
  for (const line of imported.output.trim().split('\n')) expect(transcript).toContain(line)
  const input = new PassThrough()
  const onOutput = (text: string) => void (text.includes('"id":2') && input.end())
  const serving = scrubjay('f.sqlite', [...local(commands[1]!), '--quiet'], { input, onOutput })
  const send = (message: object) => input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  send({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  })
  send({ method: 'notifications/initialized' })
  const [, question = ''] = /^> (.*)$/m.exec(transcript) ?? []
  send({ id: 2, method: 'tools/call', params: { name: 'recall', arguments: { query: question } } })
  const { output } = await serving
  const answer = output.split('\n').find((line) => line.includes('"id":2')) ?? ''
  expect(answer).toContain('2,400 euro')
  expect(transcript).toContain('2,400 euro')
})

const stamp = (path: string, seconds: number) => utimesSync(path, seconds, seconds)
const kept = async (store: Awaited<ReturnType<typeof openRecall>>) => {
  const { items } = await store.list({ limit: 1000, order: { by: 'title' } })
  return [...items].sort((a, b) => (a.id < b.id ? -1 : 1))
}

test('importing again after random edits, renames and deletions equals a fresh import', async () => {
  const names = ['a.md', 'b.md', 'sub/a.md', 'sub/2026-01-02.md', 'c.txt', 'rows.csv', 'lines.jsonl']
  const text = fc.constantFrom(
    'See [[a]] and [[b]].',
    '---\ntags: [x]\naliases: [b]\n---\nBody',
    '# Title\n\n#tag [[c]]',
    '',
    '---\nbad: [',
    'id,text\n1,one\n2,two',
    '{"text":"x"}\n{"text":"y"}',
  )
  const change = fc.record({
    kind: fc.constantFrom('write', 'remove', 'rename'),
    name: fc.constantFrom(...names),
    to: fc.constantFrom(...names),
    text,
    time: fc.integer({ min: 1_700_000_000, max: 1_700_000_100 }),
  })
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(change, { maxLength: 6 }), { minLength: 1, maxLength: 3 }), async (rounds) => {
      const base = at(`random-${run++}`)
      const store = await openRecall({ name: `again-${run}`, embedder: null })
      for (const changes of rounds) {
        for (const { kind, name, to, text: content, time } of changes) {
          const path = join(base, name)
          mkdirSync(join(path, '..'), { recursive: true })
          mkdirSync(join(base, to, '..'), { recursive: true })
          if (kind === 'write') {
            writeFileSync(path, content)
            stamp(path, time)
          } else if (kind === 'remove') rmSync(path, { force: true })
          else if (name !== to) tryRename(path, join(base, to))
        }
        mkdirSync(base, { recursive: true })
        await importFiles(store, [base], { signal: quiet, force: true })
      }
      const fresh = await openRecall({ name: `fresh-${run}`, embedder: null })
      await importFiles(fresh, [base], { signal: quiet })
      expect(await kept(store)).toEqual(await kept(fresh))
      await store.close()
      await fresh.close()
    }),
    { numRuns: 25, seed: 44 },
  )
})

function tryRename(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch {
    // The file does not exist.
  }
}

test('watch follows created, changed, renamed and deleted files, and the freshness of their records', async () => {
  const base = at('watched')
  write({ 'a.md': 'See [[Other]]', 'b.md': 'second', '.gitignore': 'drafts/\n', 'drafts/c.md': 'hidden' }, base)
  const store = await openRecall({ name: 'watched', embedder: null })
  const stop = new AbortController()
  let reads = 0
  const errors: unknown[] = []
  const watching = watchFolder(store, base, {
    signal: stop.signal,
    onRead: () => void reads++,
    onError: (error) => errors.push(error),
  })
  const until = async (holds: () => Promise<boolean>) => {
    for (let i = 0; i < 600 && !(await holds()); i++) await new Promise((done) => setTimeout(done, 50))
    expect(await holds()).toBe(true)
  }
  const ids = async () => (await kept(store)).map(({ id }) => id).join(' ')
  await until(async () => (await ids()) === 'file:watched/a.md file:watched/b.md')
  await store.put({ id: 'about', body: 'b.md says second', files: [{ path: 'b.md', sha256: 'other' }] })
  writeFileSync(join(base, 'Other.md'), 'third')
  await until(async () => (await store.get('file:watched/a.md'))?.relations[0]?.target === 'file:watched/Other.md')
  writeFileSync(join(base, 'b.md'), 'changed text')
  await until(async () => (await store.get('file:watched/b.md'))?.body === 'changed text')
  await until(async () => (await store.recall('second')).hits[0]?.freshness === 'stale_changed')
  renameSync(join(base, 'b.md'), join(base, 'moved.md'))
  rmSync(join(base, 'Other.md'))
  await until(async () => (await ids()) === 'about file:watched/a.md file:watched/moved.md')
  stop.abort()
  await watching
  expect(errors).toEqual([])
  expect(reads).toBeGreaterThan(2)
  await store.close()
})
