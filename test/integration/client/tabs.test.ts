/**
 * Tests several tabs over one store: which tab answers, and which tabs cannot share it.
 */
import { describe, expect, test } from 'vitest'
import { policies } from '../../../src/core/policies/policies.ts'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { protocolVersion } from '../../../src/protocol/handshake.ts'
import { channelName } from '../../../worker/tabs/broadcast.ts'
import { presenceName } from '../../../worker/tabs/presence.ts'
import type { TabSettings, TestTab } from '../../support/tabs-world.ts'
import { idsIn, put, roleOf, world } from './tab-world.ts'

const records = Array.from({ length: 30 }, (_, i) => ({
  id: `record-${i}`,
  title: `Recipe ${i}`,
  body: `Flour, sugar and ${i % 7} apples of the ${i % 3 === 0 ? 'red' : 'green'} kind.`,
}))

describe('one store', () => {
  test('[T1] has one leader; the others follow and report it', async () => {
    const tabs = [await world.tab(), await world.tab(), await world.tab()]
    expect(await Promise.all(tabs.map(roleOf))).toEqual(['leader', 'follower', 'follower'])
    const lock = channelName(world.name)
    expect([world.locks.held(lock), world.locks.waiting(lock)]).toEqual([1, 2])
  })

  test('[T1] has one leader when eight tabs open at once', async () => {
    const tabs = await Promise.all(Array.from({ length: 8 }, () => world.tab()))
    const roles = await Promise.all(tabs.map(roleOf))
    expect(roles.filter((role) => role === 'leader')).toHaveLength(1)
  })

  test('[D1] gives the same bytes in every tab, except for the time taken', async () => {
    const [leader, follower] = [await world.tab(), await world.tab()]
    const putting = await follower.call('put', { batch: records })
    expect(putting.records.map(({ outcome }) => outcome)).toEqual(records.map(() => 'inserted'))
    for (const query of [{ text: 'green apples' }, { text: 'recipe 7', explain: true, capture: true }, {}]) {
      const [mine, theirs] = [await leader.call('recall', { query }), await follower.call('recall', { query })]
      expect({ ...theirs, tookMs: 0 }).toEqual({ ...mine, tookMs: 0 })
    }
    const bytes = async (tab: TestTab) =>
      canonicalJson(await tab.engine.call('recall', { query: { text: 'red' } }, { now: 5 }))
    expect(await bytes(follower)).toBe(await bytes(leader))
    expect(await follower.call('get', { ids: ['record-1', 'none'] })).toEqual(
      await leader.call('get', { ids: ['record-1', 'none'] }),
    )
  })

  test('[E1] refuses alike in every tab', async () => {
    const [leader, follower] = [await world.tab(), await world.tab()]
    const refusal = (tab: TestTab) => tab.call('recall', { query: { limit: 0 } }).catch((error) => error.toDetails())
    expect(await refusal(follower)).toMatchObject({ code: 'INVALID_ARGUMENT', value: '0' })
    expect(await refusal(follower)).toEqual(await refusal(leader))
  })

  test('reports changes to every tab, whichever tab wrote', async () => {
    const tabs = [await world.tab(), await world.tab(), await world.tab()] as const
    await put(tabs[1], 'a')
    await put(tabs[0], 'b')
    for (const { events } of tabs) {
      await expect
        .poll(() => events)
        .toEqual([
          { type: 'changed', revision: 1, ids: ['a'] },
          { type: 'changed', revision: 2, ids: ['b'] },
        ])
    }
  })

  test('decides by the policy of the page that asks', async () => {
    const shy = { ...policies.balanced, name: 'shy', defaultLimit: 1 }
    const leader = await world.tab()
    const follower = await world.tab({ policy: shy })
    await leader.call('put', { batch: records })
    const recall = (tab: TestTab) => tab.call('recall', { query: { text: 'apples' } })
    expect((await recall(leader)).hits).toHaveLength(10)
    expect(await recall(follower)).toMatchObject({ hits: [expect.anything()], plan: { policy: 'shy v1' } })
    const named = await follower.call('recall', { query: { text: 'apples', policy: 'balanced' } })
    expect(named.hits).toHaveLength(10)
    const { receipt } = await follower.call('assemble', { query: { text: 'apples' } })
    expect(receipt.policyHash).toBe((await recall(follower)).receipt.policyHash)
    expect(receipt.policyHash).not.toBe((await recall(leader)).receipt.policyHash)
  })
})

describe('destroy', () => {
  test.each(['leader', 'follower'])(
    'by the %s closes the store in every tab; opened again it is empty',
    async (who) => {
      const tabs = [await world.tab(), await world.tab(), await world.tab()] as const
      await put(tabs[2], 'a')
      await tabs[who === 'leader' ? 0 : 1].call('destroy', {})
      for (const tab of tabs) {
        await expect.poll(() => tab.events).toContainEqual({ type: 'closed' })
        await expect(idsIn(tab)).rejects.toMatchObject({ code: 'CLOSED' })
      }
      expect(await idsIn(await world.tab())).toEqual([])
    },
  )

  test('reaches a tab that gets the lock before the message, and that tab does not create the store again', async () => {
    const leader = await world.tab()
    const opened: string[] = []
    const late = await world.tab({ lateMs: 50, onOpen: () => opened.push('late') })
    await put(leader, 'a')
    await leader.call('destroy', {})
    await expect.poll(() => late.events).toContainEqual({ type: 'closed' })
    expect(opened).toEqual([])
    await expect(idsIn(late)).rejects.toMatchObject({ code: 'CLOSED' })
  })
})

describe('tabs that cannot share a store', () => {
  test('[E1] [V4] a tab with another embedding space is refused with SPACE_MISMATCH', async () => {
    await world.tab()
    await expect(world.tab({ space: { name: 'mine', dimensions: 3 } })).rejects.toMatchObject({
      code: 'SPACE_MISMATCH',
      field: 'embedder',
      message: expect.stringContaining('no embedding space'),
    })
  })

  test.each<[string, TabSettings]>([
    ['authority', { authority: { tiers: [{ id: 'canonical', priority: 1, label: 'Canonical' }] } }],
    ['retention', { retention: { maxAgeDays: 30 } }],
    ['autoLink', { autoLink: false }],
    ['extensions', { extensions: 'https://example.org/redact.js' }],
  ])('[E1] a tab with another %s is refused with INVALID_CONFIG', async (field, settings) => {
    await world.tab()
    await expect(world.tab(settings)).rejects.toMatchObject({ code: 'INVALID_CONFIG', field })
  })

  test('[E1] a tab that names another kind of storage is refused with INVALID_CONFIG', async () => {
    await world.tab()
    await expect(world.tab({ storage: 'indexeddb' })).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      field: 'storage',
    })
    expect(await roleOf(await world.tab({ storage: 'opfs' }))).toBe('follower')
  })

  test('[E1] [T1] a newer release takes the store from an older one, whose tab gets the hint to reload', async () => {
    const [leader, follower] = [await world.tab(), await world.tab()]
    await put(follower, 'a')
    const platform = world.locks.forTab()
    const over = new AbortController()
    const version = protocolVersion + 1
    const asking = [
      platform.request(presenceName(world.name, 'newer', version), () =>
        expect.poll(() => over.signal.aborted).toBe(true),
      ),
      platform.request(channelName(world.name), { signal: over.signal }, async () => {}).catch(() => {}),
    ]
    const newer = world.stranger()
    newer.postMessage({ scrubjay: 'tabs', version, from: 'newer', message: { type: 'greet' } })
    for (const tab of [leader, follower]) {
      await expect.poll(() => tab.events.at(-1)).toEqual({ type: 'outdated' })
      await expect(idsIn(tab)).rejects.toMatchObject({ code: 'VERSION_SKEW', hint: 'Reload this page.' })
    }
    over.abort()
    await Promise.all(asking)
    await expect.poll(() => [world.locks.held(), world.owners.now]).toEqual([0, 0])
    expect(await idsIn(await world.tab())).toEqual(['a'])
  })

  test('[E1] an older release learns from the leader that it is older', async () => {
    await world.tab()
    const [own, all] = [world.stranger('old'), world.stranger()]
    const heard: unknown[] = []
    own.addEventListener('message', ({ data }: MessageEvent) => heard.push(data))
    all.postMessage({ scrubjay: 'tabs', version: protocolVersion - 1, from: 'old', message: { type: 'hello' } })
    await expect.poll(() => heard).toMatchObject([{ scrubjay: 'tabs', version: protocolVersion }])
  })
})

describe('memory', () => {
  test('[P2] is each tab’s own, and status says so', async () => {
    const tabs = [await world.tab({ storage: 'memory' }), await world.tab({ storage: 'memory' })] as const
    world.owners.most = 1
    for (const tab of tabs) {
      const status = await tab.call('status', {})
      expect(status.role).toBe('leader')
      expect(status.degraded.join(' ')).toContain('not shared between tabs')
    }
  })
})
