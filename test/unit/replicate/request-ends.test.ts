/** Tests what requests of a transport leave behind, which sizes they take exactly, and what a page learns of a server that refuses it [E3]. */
import { getEventListeners } from 'node:events'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { guardTransport } from '../../../src/replicate/guard-transport.ts'
import { memoryTransport, webDavTransport } from '../../../src/replicate/index.ts'
import { readBody, readText } from '../../../src/replicate/transports/read-body.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const listenersOf = (signal: AbortSignal) => getEventListeners(signal, 'abort').length

describe('a call of a transport', () => {
  test.each(['answered', 'failed', 'late', 'aborted'])(
    '[E3] that is %s leaves no timer and no listener',
    async (end) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      const hanging = () => new Promise<never>(() => undefined)
      const transport = {
        ...memoryTransport(),
        ...(end === 'failed' ? { list: () => Promise.reject(new Error('down')) } : {}),
        ...(end === 'late' || end === 'aborted' ? { list: hanging } : {}),
      }
      const controller = new AbortController()
      const guarded = guardTransport(transport, { deadlineMs: 50, maxBlobBytes: 10 })
      const ended = guarded.list(controller.signal).then(
        () => 'answered',
        () => end,
      )
      if (end === 'aborted') controller.abort()
      await vi.advanceTimersByTimeAsync(end === 'late' ? 50 : 1)
      expect(await ended).toBe(end)
      expect(vi.getTimerCount()).toBe(0)
      expect(listenersOf(controller.signal)).toBe(0)
    },
  )

  test.each([
    ['null', null],
    ['no Map', { a: '1' }],
    ['an etag that is none', new Map([['a', Number.NaN]])],
    ['a name that is none', new Map([[1, 'a']])],
  ])('[E3] whose list answers with %s is refused', async (_what, listed) => {
    const transport = { ...memoryTransport(), list: async () => listed as never }
    const { list } = guardTransport(transport, { deadlineMs: 1_000, maxBlobBytes: 10 })
    await expect(list(new AbortController().signal)).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      field: 'options.transport.list',
    })
  })

  test('[E3] whose put answers with no etag is refused; null means that another device wrote', async () => {
    const { signal } = new AbortController()
    const putting = (etag: unknown) =>
      guardTransport(
        { ...memoryTransport(), put: async () => etag as never },
        { deadlineMs: 1_000, maxBlobBytes: 3 },
      ).put('a', new Uint8Array(3), undefined, signal)
    expect(await putting(null)).toBeNull()
    expect(await putting('"1"')).toBe('"1"')
    expect(await putting(7)).toBe(7)
    for (const wrong of [undefined, true, {}, Number.POSITIVE_INFINITY])
      await expect(putting(wrong)).rejects.toMatchObject({ field: 'options.transport.put' })
  })
})

describe('the body of an answer', () => {
  const inParts = (...sizes: readonly number[]) =>
    new Response(
      new ReadableStream({
        start(controller) {
          for (const size of sizes) controller.enqueue(new Uint8Array(size).fill(97))
          controller.close()
        },
      }),
    )

  test('[E3] is taken at exactly the limit, and refused one byte above it', async () => {
    expect(await readText(inParts(2, 3), 5, 'It')).toBe('aaaaa')
    expect(await readText(inParts(), 0, 'It')).toBe('')
    await expect(readBody(inParts(2, 4), 5, 'It')).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
  })

  test('[E3] without a stream has the same limit', async () => {
    const whole = (size: number) => ({ body: null, arrayBuffer: async () => new ArrayBuffer(size) }) as never
    expect(await readBody(whole(5), 5, 'It')).toHaveLength(5)
    await expect(readBody(whole(6), 5, 'It')).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
  })
})

describe('a page whose WebDAV server gives no answer', () => {
  const problemOf = async (page: string | null, answersWithoutCors: boolean) => {
    if (page !== null) vi.stubGlobal('location', { origin: page, href: `${page}/app/` })
    const ask = async (_url: unknown, { mode }: RequestInit = {}) => {
      if (mode === 'no-cors' && answersWithoutCors) return new Response()
      throw new TypeError('Failed to fetch')
    }
    const error = await webDavTransport('https://files.example/notes', { fetch: ask as typeof fetch })
      .get('a')
      .catch((reason: Error) => reason)
    return (error as Error).message
  }

  test('learns that the server is there and does not allow it, only if that is so', async () => {
    expect(await problemOf('https://app.example', true)).toContain('does not allow GET from https://app.example')
    expect(await problemOf('https://app.example', false)).toContain('cannot be reached')
    // Of its own origin, a page needs no permission.
    expect(await problemOf('https://files.example', true)).toContain('cannot be reached')
  })

  test('control: another program is never refused by its origin', async () => {
    expect(await problemOf(null, true)).toContain('cannot be reached')
  })
})
