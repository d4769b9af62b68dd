/** Tests what peers without a token can hold: time, bytes, and places. */
import { PassThrough } from 'node:stream'
import type { Socket } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createStrangers, strangerBytes, strangerMs } from '../../../src/server/http/strangers.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const connection = () => new PassThrough() as unknown as Socket
const strangersOf = (most = 10) => createStrangers({ strangers: most })

test('[N5] a silent connection is closed after 10 s, and one with a token is not', () => {
  const strangers = strangersOf()
  const [silent, known] = [connection(), connection()]
  strangers.greet(silent)
  strangers.greet(known)
  strangers.admit(known)
  vi.advanceTimersByTime(strangerMs - 1)
  expect(silent.destroyed).toBe(false)
  vi.advanceTimersByTime(1)
  expect([silent.destroyed, known.destroyed]).toEqual([true, false])
})

test('[N5] of too many connections without a token, the oldest is closed', () => {
  const strangers = strangersOf(3)
  const [known, ...others] = Array.from({ length: 6 }, connection) as [Socket, ...Socket[]]
  strangers.greet(known)
  strangers.admit(known)
  for (const other of others) strangers.greet(other)
  expect(others.map(({ destroyed }) => destroyed)).toEqual([true, true, false, false, false])
  expect([known.destroyed, strangers.count()]).toEqual([false, 3])
})

test('[N5] a WebSocket without a token is closed after 64 KiB; one with a token sends as much as it likes', async () => {
  const strangers = strangersOf()
  const [stranger, known] = [connection(), connection()]
  for (const one of [stranger, known]) {
    strangers.greet(one)
    strangers.limitBytes(one)
    one.write(Buffer.alloc(strangerBytes))
  }
  await vi.advanceTimersByTimeAsync(1)
  expect([stranger.destroyed, known.destroyed]).toEqual([false, false])
  strangers.admit(known)
  for (const one of [stranger, known]) one.write(Buffer.alloc(1))
  await vi.advanceTimersByTimeAsync(1)
  expect([stranger.destroyed, known.destroyed]).toEqual([true, false])
})

test('[N5] an error of a connection ends that connection alone', () => {
  const strangers = strangersOf()
  const reset = connection()
  strangers.greet(reset)
  expect(() => reset.emit('error', new Error('read ECONNRESET'))).not.toThrow()
  expect(reset.destroyed).toBe(true)
  // control: without the listener, the error would end the process.
  expect(() => connection().emit('error', new Error('read ECONNRESET'))).toThrow('ECONNRESET')
})
