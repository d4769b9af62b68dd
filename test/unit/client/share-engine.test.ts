/** Checks that a page has one engine per name: opening a name that is being closed waits until its files are free. */
import { describe, expect, test } from 'vitest'
import type { EngineLink } from '../../../src/client/link/engine-link.ts'
import type { ResolvedOptions } from '../../../src/client/link/resolve-options.ts'
import { joinEngine } from '../../../src/client/share-engine.ts'
import { recallError } from '../../../src/core/model/errors.ts'
import { engineOptions } from '../../support/stores/engine-options.ts'

/** Openings and closings of one name, in order, each closing ended by the test. */
function watchedName(name: string) {
  const log: string[] = []
  const closings: { resolve(): void; reject(error: Error): void }[] = []
  const open = async (): Promise<EngineLink> => {
    log.push('open')
    return {
      call: async ({ method }) => {
        log.push(method)
        await new Promise<void>((resolve, reject) => closings.push({ resolve, reject }))
        log.push(`${method} done`)
        return { ok: true, value: undefined, tookMs: 0 }
      },
      cancel: () => undefined,
      subscribe: () => () => undefined,
      onFailure: () => undefined,
      end: () => log.push('end'),
    }
  }
  const resolved = { engine: { ...engineOptions, name }, embedder: null } as unknown as ResolvedOptions
  return { log, closings, join: () => joinEngine(resolved, 5_000, open) }
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 5))

describe.each(['leave', 'destroy'] as const)('a name that ends by %s', (way) => {
  const end = (engine: Awaited<ReturnType<ReturnType<typeof watchedName>['join']>>) =>
    way === 'leave' ? engine.leave() : engine.endAll('destroy', recallError('CLOSED', 'was removed'))
  const method = way === 'leave' ? 'close' : 'destroy'

  test('[P1] is opened again only when the first has ended', async () => {
    const { log, closings, join } = watchedName(`again by ${way}`)
    const ending = end(await join())
    const again = join()
    await turn()
    expect(log).toEqual(['open', method])
    closings[0]?.resolve()
    await ending
    const engine = await again
    expect(log).toEqual(['open', method, `${method} done`, 'end', 'open'])
    const last = engine.leave()
    closings[1]?.resolve()
    await last
  })

  test('[P1] is opened again even when that ending failed', async () => {
    const { log, closings, join } = watchedName(`failed by ${way}`)
    const ending = end(await join()).catch((error: unknown) => error)
    const again = join()
    await turn()
    expect(log).toEqual(['open', method])
    closings[0]?.reject(new Error('no'))
    expect(await ending).toMatchObject({ message: 'no' })
    await again
    expect(log).toEqual(['open', method, 'end', 'open'])
  })
})

test('control: another name does not wait', async () => {
  const first = watchedName('one of two')
  const second = watchedName('the other')
  const ending = (await first.join()).leave()
  await second.join()
  expect(second.log).toEqual(['open'])
  first.closings[0]?.resolve()
  await ending
})
