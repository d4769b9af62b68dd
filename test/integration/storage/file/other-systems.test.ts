/** Tests the lock of a file as other systems need it, on this one: pipes as on Windows, links to folders with long paths as on macOS. */
import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { addressesIn } from '../../../../worker/node/addresses.ts'
import { contend, type Owned } from '../../../../worker/node/file-lock.ts'
import { openSocketFolder } from '../../../../worker/node/socket-folder.ts'
import { locateFile } from '../../../../worker/node/locate-file.ts'
import { folder, path } from './folder.ts'

const isWindows = process.platform === 'win32'

describe.each([
  ['win32', () => openSocketFolder(path, 'win32', isWindows ? undefined : join(folder, 'pipe-'))],
  ...(isWindows ? [] : [['darwin', () => openSocketFolder(longPath(), 'darwin')] as const]),
] as const)('sockets as on %s', (system, open) => {
  const signal = new AbortController().signal
  const own = () => contend(path, signal, undefined, open)

  test('[T1] of eight contenders one owns the file, and its messages reach the others', async () => {
    const outcomes = await Promise.all(Array.from({ length: 8 }, own))
    const [owner, ...more] = outcomes.filter((outcome) => outcome.kind === 'owned')
    expect(more).toEqual([])
    const heard: unknown[] = []
    owner!.accept((follower) => follower.listen((message) => heard.push(message)))
    const followed = outcomes.filter((outcome) => outcome.kind === 'followed')
    for (const { owner: connection } of followed) connection.send('here')
    await expect.poll(() => heard).toEqual(Array(7).fill('here'))
    await owner!.release()
    const next = await own()
    expect(next.kind).toBe('owned')
    await (next as Owned).release()
    expect(readdirSync(dirname(system === 'darwin' ? longPath() : path))).toEqual([])
  })

  test('what a killed process left is passed over and removed', async () => {
    const left = open()
    const at = system === 'darwin' ? longPath() : path
    writeFileSync(join(`${at}-open`, '7-7'), '')
    left.close()
    const owned = (await own()) as Owned
    expect(owned.kind).toBe('owned')
    expect(readdirSync(`${at}-open`)).toHaveLength(1)
    await owned.release()
  })
})

function longPath(): string {
  const deep = join(folder, 'x'.repeat(100))
  mkdirSync(deep, { recursive: true })
  return join(deep, 'memory.sqlite')
}

test('a new file is named as by the process that creates it, if the file system takes both names for one', () => {
  const named = (name: string) => locateFile(join(folder, name))
  const own = realpathSync.native(folder)
  mkdirSync(join(folder, 'Notes.sqlite-open'))
  const isCaseSensitive = !existsSync(join(folder, 'NOTES.SQLITE-OPEN'))
  expect(named('notes.sqlite')).toBe(join(own, isCaseSensitive ? 'notes.sqlite' : 'Notes.sqlite'))
  expect(named('Notes.sqlite')).toBe(join(own, 'Notes.sqlite'))
  if (isWindows) return
  // As if the file system took both names for one.
  symlinkSync(join(folder, 'Notes.sqlite-open'), join(folder, 'nOTES.sqlite-open'))
  expect(named('nOTES.sqlite')).toBe(join(own, 'Notes.sqlite'))
  symlinkSync(join(folder, 'Notes.sqlite-open'), join(folder, 'other.sqlite-open'))
  expect(named('other.sqlite')).toBe(join(own, 'other.sqlite'))
})

test('the names of pipes and links are short, whatever the path', () => {
  const pipes = openSocketFolder(path, 'win32')
  expect(pipes.addressOf('123-456')).toBe('\\\\.\\pipe\\scrubjay-123-456')
  expect(pipes.draftAddressOf('123-456')).toBe(pipes.addressOf('123-456'))
  pipes.close()
  if (isWindows) return
  const links = addressesIn(`${longPath()}-open`, 36, 'darwin', '/tmp')
  expect(Buffer.byteLength(links.of('x'.repeat(35)))).toBeLessThanOrEqual(103)
  links.close()
  expect(() => addressesIn(`${longPath()}-open`, 36, 'darwin', `/${'t'.repeat(80)}`)).toThrow(/at most 62 bytes/)
})

test.skipIf(isWindows)('a link that the system removed is made again', () => {
  mkdirSync(`${longPath()}-open`)
  const links = addressesIn(`${longPath()}-open`, 36, 'darwin')
  const link = dirname(links.of('a'))
  expect(existsSync(link)).toBe(true)
  rmSync(link)
  expect(dirname(links.of('a'))).toBe(link)
  expect(existsSync(link)).toBe(true)
  links.close()
  expect(existsSync(link)).toBe(false)
})
