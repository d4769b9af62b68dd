/** Commands on a locked file: the passphrase comes from a file or the environment, and is printed nowhere. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { runCli } from '../../../src/cli/run-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'scrubjay-cli-locked-'))
const at = (name: string) => join(folder, name)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function scrubjay(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  let printed = ''
  const collect = new Writable({
    write(chunk, _encoding, done) {
      printed += String(chunk)
      done()
    },
  })
  const embedder = ['encrypt', 'decrypt'].includes(args[0]!) ? [] : ['--embedder', 'none']
  const code = await runCli([...args, ...embedder, '--json'], {
    input: Readable.from([]),
    output: collect,
    errors: collect,
    environment: { SCRUBJAY_STORE: at('notes.sqlite'), ...environment },
    signal: new AbortController().signal,
  })
  return { code, printed }
}

test('a locked file opens with its passphrase alone', async () => {
  writeFileSync(at('passphrase'), 'seven jays in the oak\n')
  writeFileSync(at('empty'), '\n')
  const withFile = ['--passphrase-file', at('passphrase')]
  expect((await scrubjay(['put', 'quetzalcoatlus', '--id', 'one', ...withFile])).code).toBe(0)
  expect(readFileSync(at('notes.sqlite')).includes('quetzal')).toBe(false)
  const listed = await scrubjay(['list'], { SCRUBJAY_PASSPHRASE: 'seven jays in the oak' })
  expect(listed).toMatchObject({ code: 0, printed: expect.stringContaining('quetzalcoatlus') })
  const refused = [
    [await scrubjay(['list']), 'LOCKED'],
    [await scrubjay(['list'], { SCRUBJAY_PASSPHRASE: 'no jays at all' }), 'WRONG_KEY'],
    [await scrubjay(['list', '--passphrase-file', at('none')]), '--passphrase-file'],
    [await scrubjay(['list', '--passphrase-file', at('empty')]), '--passphrase-file'],
  ] as const
  for (const [{ code, printed }, text] of refused) {
    expect(code).not.toBe(0)
    expect(printed).toContain(text)
    expect(printed).not.toContain('jays')
  }
})

test('the export of a locked file is encrypted, and opens with its passphrase, or is plain if asked', async () => {
  writeFileSync(at('other'), 'a newer oak\n')
  const own = ['--passphrase-file', at('passphrase')]
  expect((await scrubjay(['export', at('encrypted'), ...own])).code).toBe(0)
  expect((await scrubjay(['export', at('plain'), '--plain', ...own])).code).toBe(0)
  expect(readFileSync(at('encrypted')).includes('quetzal')).toBe(false)
  expect(readFileSync(at('plain')).includes('quetzal')).toBe(true)
  const into = (name: string, ...args: string[]) =>
    scrubjay(['import', at('encrypted'), '--store', at(`${name}.sqlite`), ...args])
  expect(await into('open')).toMatchObject({
    code: 1,
    printed: expect.stringMatching(/LOCKED[^]*--export-passphrase-file/),
  })
  expect((await into('open', '--export-passphrase-file', at('other'))).printed).toContain('WRONG_KEY')
  expect((await into('open', '--export-passphrase-file', at('passphrase'))).printed).toContain('"inserted": 1')
  expect((await into('same', ...own)).printed).toContain('"inserted": 1')
  expect(readFileSync(at('same.sqlite')).includes('quetzal')).toBe(false)
})

test('keys are listed, added and removed, and a store gets a new key', async () => {
  const own = ['--passphrase-file', at('passphrase')]
  const added = JSON.parse((await scrubjay(['keys', 'add', '--recovery-code', ...own])).printed)
  expect(added).toMatchObject({ kind: 'recoveryCode', recoveryCode: expect.stringMatching(/^(?:\w{5}-){6}\w{5}$/) })
  expect((await scrubjay(['keys', 'new-key', ...own])).code).toBe(0)
  expect(await scrubjay(['keys', 'remove', added.id, ...own])).toMatchObject({ code: 0 })
  const listed = await scrubjay(['keys', ...own])
  expect(JSON.parse(listed.printed)).toMatchObject([{ kind: 'passphrase', isOwn: true }])
  expect(listed.printed).not.toContain('jays')
  for (const args of [['open'], ['add'], ['remove'], ['list', 'x'], ['list', '--recovery-code']])
    expect(await scrubjay(['keys', ...args, ...own]), args.join(' ')).toMatchObject({ code: 2 })
})

test('a file without a lock is encrypted and decrypted again', async () => {
  const own = ['--store', at('plain.sqlite'), '--passphrase-file', at('passphrase')]
  const isReadable = () => readFileSync(at('plain.sqlite')).includes('quetzal')
  await scrubjay(['put', 'quetzalcoatlus', '--id', 'one', '--store', at('plain.sqlite')])
  expect(isReadable()).toBe(true)
  for (const [args, text] of [
    [['encrypt', '--store', at('plain.sqlite')], '--passphrase-file'],
    [['encrypt', ...own, 'x'], 'x'],
    [['encrypt', '--store', at('none.sqlite'), '--passphrase-file', at('passphrase')], '--store'],
  ] as const)
    expect(await scrubjay(args)).toMatchObject({ code: 2, printed: expect.stringContaining(text) })
  expect(JSON.parse((await scrubjay(['encrypt', ...own])).printed)).toEqual({ changed: true })
  expect(isReadable()).toBe(false)
  expect(JSON.parse((await scrubjay(['encrypt', ...own])).printed)).toEqual({ changed: false })
  expect((await scrubjay(['list', ...own])).printed).toContain('quetzalcoatlus')
  expect(
    (await scrubjay(['decrypt', '--store', at('plain.sqlite'), '--passphrase-file', at('other')])).printed,
  ).toContain('WRONG_KEY')
  expect(JSON.parse((await scrubjay(['decrypt', ...own])).printed)).toEqual({ changed: true })
  expect((await scrubjay(['list', '--store', at('plain.sqlite')])).printed).toContain('quetzalcoatlus')
})
