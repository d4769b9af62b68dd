/** Checks a store in a file that several engines and processes open: one leads, the others follow. */
import { existsSync, linkSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type InlineEngine, openInline } from '../../../../worker/inline.ts'
import { contend, type Owned } from '../../../../worker/node/file-lock.ts'
import { openSocketFolder } from '../../../../worker/node/socket-folder.ts'
import { engineOptions } from '../../../support/stores/engine-options.ts'
import { call, close, folder, ids, openEngine, path, put, questions, records } from './folder.ts'

/** Two tests make sockets in the folder, as other systems have them. */
const isWindows = process.platform === 'win32'

const roleOf = async (engine: InlineEngine) => (await call(engine, 'status')).role

describe('several owners', () => {
  test('[T1] one leads, the others follow, answer with its bytes and hear of each change', async () => {
    const engines = [await openEngine(), await openEngine(), await openEngine()] as const
    expect(await Promise.all(engines.map(roleOf))).toEqual(['leader', 'follower', 'follower'])
    const changes: unknown[] = []
    engines[2].subscribe((event) => event.type === 'changed' && changes.push(event.ids))
    await call(engines[1], 'put', { batch: records }, 'all')
    await expect.poll(() => changes).toEqual([records.map(({ id }) => id)])
    const answer = async (engine: InlineEngine) => {
      const { tookMs: _, ...rest } = await call(engine, 'recall', { query: { text: questions[0], explain: true } })
      return rest
    }
    expect(await answer(engines[1])).toEqual(await answer(engines[0]))
    for (const engine of engines.toReversed()) await close(engine)
    expect(readdirSync(folder)).toEqual(['memory.sqlite'])
  })

  test('[T1] eight contenders at once: one owns the file, and when it ends another one', async () => {
    const signal = new AbortController().signal
    const contenders = Array.from({ length: 8 }, () => contend(path, signal))
    for (let left = 8; left > 0; left--) {
      const outcomes = await Promise.all(contenders)
      const owners = outcomes.filter((outcome) => outcome.kind === 'owned')
      expect(owners).toHaveLength(1)
      const [owner] = owners as [Owned]
      const place = outcomes.indexOf(owner)
      await owner.release()
      contenders.splice(place, 1)
      for (const [i, outcome] of outcomes.toSpliced(place, 1).entries()) {
        if (outcome.kind === 'followed') contenders[i] = outcome.owner.closed.then(() => contend(path, signal))
      }
    }
    expect(readdirSync(folder)).toEqual([])
  })

  test('[T2] when the leader ends, a follower takes over: waiting calls are answered, writes happen once', async () => {
    const engines = [await openEngine(), await openEngine(), await openEngine()] as const
    await put(engines[1], 'before')
    const writes = Array.from({ length: 20 }, (_, i) => put(engines[1 + (i % 2)]!, `during-${i}`))
    await close(engines[0])
    for (const { records: outcomes } of await Promise.all(writes)) expect(outcomes[0]?.outcome).toBe('inserted')
    expect((await Promise.all([roleOf(engines[1]), roleOf(engines[2])])).sort()).toEqual(['follower', 'leader'])
    expect(await ids(engines[1])).toHaveLength(21)
    await close(engines[1])
    expect(await ids(engines[2])).toHaveLength(21)
    await close(engines[2])
  })

  test('a store that one process destroys is closed in the others, and not created again', async () => {
    const [leader, follower] = [await openEngine(), await openEngine()]
    await put(follower, 'a')
    const events: string[] = []
    follower.subscribe(({ type }) => events.push(type))
    await call(leader, 'destroy')
    await expect.poll(() => events).toContain('closed')
    await expect(put(follower, 'b')).rejects.toMatchObject({ code: 'CLOSED' })
    await close(follower)
    expect(readdirSync(folder)).toEqual([])
  })

  test('[E1] other options than those of the process that has the file are refused by name', async () => {
    const leader = await openEngine()
    const other = { ...engineOptions, name: path, storage: 'file' as const, autoLink: false }
    await expect(openInline(other, { kind: 'none' })).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      field: 'autoLink',
      message: expect.stringMatching(/as in the other process/),
    })
    await close(leader)
  })

  test.skipIf(isWindows)(
    'a process that accepts and does not answer is not passed over, and its id is known',
    async () => {
      // A contender that never decides, as if it were stopped.
      mkdirSync(`${path}-open`)
      const server = createServer(() => undefined)
      await new Promise<void>((resolve) => server.listen(join(`${path}-open`, '1-1'), resolve))
      const waits = new AbortController()
      const met = new Promise<number>((resolve) => {
        contend(path, waits.signal, resolve).catch(() => undefined)
      })
      expect(await met).toBe(1)
      expect(existsSync(path)).toBe(false)
      waits.abort()
      server.close()
    },
  )

  test.skipIf(isWindows)('control: the socket of a process that has ended is passed over and removed', async () => {
    mkdirSync(`${path}-open`)
    const server = createServer(() => undefined)
    await new Promise<void>((resolve) => server.listen(join(`${path}-open`, 'draft'), resolve))
    linkSync(join(`${path}-open`, 'draft'), join(`${path}-open`, '1-1'))
    await new Promise((resolve) => server.close(resolve))
    expect(existsSync(join(`${path}-open`, '1-1'))).toBe(true)
    const owned = (await contend(path, new AbortController().signal)) as Owned
    expect(owned.kind).toBe('owned')
    expect(existsSync(join(`${path}-open`, '1-1'))).toBe(false)
    await owned.release()
  })

  test('[T1] a contender whose folder is removed before its socket is in it makes the folder again', async () => {
    const signal = new AbortController().signal
    for (const late of ['draftAddressOf', 'publish'] as const) {
      let removals = 0
      const owned = await contend(path, signal, undefined, (at) => {
        const opened = openSocketFolder(at)
        return {
          ...opened,
          [late](name: string) {
            if (removals++ === 0) rmSync(`${path}-open`, { recursive: true })
            return opened[late](name)
          },
        }
      })
      expect(owned.kind).toBe('owned')
      expect(removals).toBe(2)
      await (owned as Owned).release()
      expect(readdirSync(folder)).toEqual([])
    }
  })
})
