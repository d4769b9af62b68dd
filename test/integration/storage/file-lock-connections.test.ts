/** Tests how a process that looks for the owner of a file takes a connection that fails: by an owner that was killed, or for good. */
import { mkdtempSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { contend } from '../../../worker/node/file-lock.ts'

const failures: string[] = []

vi.mock('node:net', async (original) => {
  const net = await original<typeof import('node:net')>()
  const connect = (address: string): Socket => {
    const code = failures.shift()
    if (code === undefined) return net.connect(address)
    const socket = new net.Socket()
    process.nextTick(() => socket.destroy(Object.assign(new Error(`connect ${code}`), { code })))
    return socket
  }
  return { ...net, connect }
})

let folder: string

beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'scrubjay-lock-'))))

afterEach(() => {
  failures.length = 0
  rmSync(folder, { recursive: true })
})

test.each(['ECONNRESET', 'EPIPE', 'EAGAIN'])('[P1] after %s it connects again, and finds the owner', async (code) => {
  const path = join(folder, 'memory.sqlite')
  const owner = await contend(path, AbortSignal.timeout(5000))
  failures.push(code, code)
  const second = await contend(path, AbortSignal.timeout(5000))
  expect([owner.kind, second.kind]).toEqual(['owned', 'followed'])
  expect(failures).toEqual([])
  if (second.kind === 'followed') await second.owner.end()
  if (owner.kind === 'owned') await owner.release()
})

test('control: it gives up where it may not connect at all', async () => {
  const path = join(folder, 'memory.sqlite')
  const owner = await contend(path, AbortSignal.timeout(5000))
  failures.push('EACCES')
  await expect(contend(path, AbortSignal.timeout(5000))).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
  if (owner.kind === 'owned') await owner.release()
})
