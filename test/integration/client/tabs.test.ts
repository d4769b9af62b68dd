/**
 * Tests several tabs over one store: which tab answers, what happens when that tab ends, and which messages are
 * refused.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { recallError } from '../../../src/core/model/errors.ts'
import { tuning } from '../../../src/core/model/tuning.ts'
import { policies } from '../../../src/core/policies/policies.ts'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { protocolVersion } from '../../../src/protocol/handshake.ts'
import { channelName } from '../../../worker/tabs/broadcast.ts'
import type { TabMessage } from '../../../worker/tabs/messages.ts'
import { presenceName } from '../../../worker/tabs/presence.ts'
import { startOfTime } from '../../support/stores/open-engine.ts'
import { createWorld, type TabSettings, type TestTab, type World } from '../../support/tabs-world.ts'

let world: World

beforeEach(async () => {
  world = await createWorld()
})

afterEach(async () => {
  await world.end()
  expect(world.owners).toEqual({ now: 0, most: 1 })
  expect([world.locks.held(), world.locks.waiting()]).toEqual([0, 0])
})

const records = Array.from({ length: 30 }, (_, i) => ({
  id: `record-${i}`,
  title: `Recipe ${i}`,
  body: `Flour, sugar and ${i % 7} apples of the ${i % 3 === 0 ? 'red' : 'green'} kind.`,
}))

const roleOf = async (tab: TestTab) => (await tab.call('status', {})).role
const put = (tab: TestTab, id: string, context = {}) =>
  tab.call('put', { batch: [{ id, body: `text of ${id}` }] }, context)
const idsIn = async (tab: TestTab) => (await tab.call('list', { filter: {} })).items.map(({ id }) => id).sort()

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

describe('hand-over', () => {
  test('[T2] when the leader closes, the next tab leads and answers', async () => {
    const [first, second, third] = [await world.tab(), await world.tab(), await world.tab()]
    await put(third, 'a')
    await first.engine.call('close', {}, { now: 0 })
    expect(await idsIn(third)).toEqual(['a'])
    await put(third, 'b')
    expect(await idsIn(second)).toEqual(['a', 'b'])
    expect([await roleOf(second), await roleOf(third)]).toEqual(['leader', 'follower'])
    expect(second.events).toContainEqual({ type: 'leader-changed', role: 'leader', revision: 1 })
    expect(third.events).toContainEqual({ type: 'leader-changed', role: 'follower', revision: 1 })
    await expect(first.call('count', { scope: {} })).rejects.toMatchObject({ code: 'CLOSED' })
  })

  test('[T2] when the leader closes while others wait for it, none of their calls fails', async () => {
    const [first, second, third] = [await world.tab(), await world.tab(), await world.tab()]
    const ids = Array.from({ length: 40 }, (_, i) => `w${String(i).padStart(2, '0')}`)
    const writes = ids.map((id, i) => put(i % 2 === 0 ? second : third, id))
    const reads = [second, third].map((tab) => tab.call('count', { scope: {} }))
    // After some of the calls have arrived.
    await expect.poll(() => first.events.length).toBeGreaterThan(0)
    await first.engine.call('close', {}, { now: 0 })
    for (const { records: outcomes } of await Promise.all(writes)) expect(outcomes[0]?.outcome).toBe('inserted')
    await Promise.all(reads)
    expect(await idsIn(third)).toEqual(ids)
  })

  test('[T2] when leaders crash one after another, every tab goes on and nothing is lost', async () => {
    const tabs = await Promise.all(Array.from({ length: 8 }, () => world.tab()))
    const promised: string[] = []
    for (let left = tabs.length; left > 1; left -= 1) {
      const roles = await Promise.all(tabs.map(roleOf))
      const [leader] = tabs.splice(roles.indexOf('leader'), 1)
      const waiting = tabs.map((tab, i) => put(tab, `${left}-${i}`))
      leader?.crash()
      for (const { records: outcomes } of await Promise.all(waiting)) {
        expect(outcomes[0]?.outcome).toBe('inserted')
        promised.push(outcomes[0]?.id ?? '')
      }
    }
    expect(await idsIn(tabs[0]!)).toEqual(promised.sort())
  })

  test('[T2] a write that was committed but not answered is not repeated, and gets its original answer', async () => {
    // The leader ends in the same turn as its commit.
    await world.tab({ onCommit: (crash) => crash() })
    const [follower, other] = [await world.tab(), await world.tab()]
    expect((await put(follower, 'a')).records).toEqual([{ id: 'a', outcome: 'inserted', bodyChanged: true }])
    expect(await other.call('status', {})).toMatchObject({ revision: 1, records: 1 })
  })

  test('control: without its operation id the same write is carried out twice', async () => {
    await world.tab({ onCommit: (crash) => crash() })
    let now = startOfTime
    const strip = ({ message, ...envelope }: { readonly message: Readonly<Record<string, unknown>> }) => ({
      ...envelope,
      message: message['type'] === 'call' ? { ...message, context: { now: now++ } } : message,
    })
    const heir = await world.tab()
    const follower = await world.tab({ onPost: strip })
    expect((await put(follower, 'a')).records[0]?.outcome).toBe('unchanged')
    expect(await heir.call('status', {})).toMatchObject({ revision: 2 })
  })

  test('[E1] a write without an operation id gives LEADER_LOST, a read is sent again', async () => {
    await world.tab({ onCommit: (crash) => crash() })
    const follower = await world.tab()
    const reading = idsIn(follower)
    const writing = put(follower, 'a', { operation: undefined })
    await expect(writing).rejects.toMatchObject({ code: 'LEADER_LOST' })
    await reading
    expect(await idsIn(follower)).toEqual(['a'])
  })

  test('[T2] a tab that missed a change event gets one afterwards', async () => {
    await world.tab({ onCommit: (crash) => crash() })
    const [follower, other] = [await world.tab(), await world.tab()]
    await put(follower, 'a')
    await expect.poll(() => other.events).toContainEqual({ type: 'changed', revision: 1, ids: [] })
  })

  test('only the next tab in line prepares itself while it is idle', async () => {
    const prepared: string[] = []
    const open = (name: string) => world.tab({ onPrepare: () => prepared.push(name) })
    const [first, second] = [await open('first'), await open('second')]
    const [third] = [await open('third'), await open('fourth')]
    await expect.poll(() => prepared).toEqual(['second'])
    // A tab that leaves without having led moves the line up, too.
    await second.engine.call('close', {}, { now: 0 })
    await expect.poll(() => prepared).toEqual(['second', 'third'])
    first.crash()
    expect(await roleOf(third)).toBe('leader')
    await expect.poll(() => prepared).toEqual(['second', 'third', 'fourth'])
  })

  test('[E1] if the next leader cannot open the store, every call gets that error, and later calls try again', async () => {
    let isBroken = false
    const first = await world.tab()
    await put(first, 'a')
    const onOpen = () => {
      if (isBroken) throw recallError('STORE_CORRUPT', 'for this test')
    }
    const [second, third] = [await world.tab({ onOpen }), await world.tab({ onOpen })]
    isBroken = true
    first.crash()
    await expect(idsIn(second)).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
    await expect(idsIn(third)).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
    isBroken = false
    expect(await idsIn(third)).toEqual(['a'])
    expect(await idsIn(second)).toEqual(['a'])
  })

  test('[E1] a leader that does not answer costs a call only its deadline', async () => {
    const isSilent = { now: false }
    await world.tab({
      onPost: (posted) => (isSilent.now ? { ...posted, message: { type: 'none' } } : posted),
    })
    const follower = await world.tab()
    isSilent.now = true
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const late = idsIn(follower).catch((error: unknown) => error)
      await vi.advanceTimersByTimeAsync(tuning.deadlineMs)
      expect(await late).toMatchObject({ code: 'DEADLINE_EXCEEDED' })
    } finally {
      vi.useRealTimers()
    }
    isSilent.now = false
    expect(await idsIn(follower)).toEqual([])
  })

  test('[E1] a store whose owner never answers gives STORE_BUSY', async () => {
    const platform = world.locks.forTab()
    let release = () => {}
    const held = platform.request(
      `scrubjay ${JSON.stringify([world.name])}`,
      {},
      () => new Promise<void>((resolve) => (release = resolve)),
    )
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const opening = world.tab().catch((error: unknown) => error)
      await vi.advanceTimersByTimeAsync(tuning.deadlineMs)
      expect(await opening).toMatchObject({ code: 'STORE_BUSY' })
    } finally {
      vi.useRealTimers()
    }
    release()
    await held
    await world.tab()
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

describe('messages that no tab believes', () => {
  const seal = (message: unknown, from: unknown = 'stranger') => ({
    scrubjay: 'tabs',
    version: protocolVersion,
    from,
    message,
  })
  const call = (fields: object) => ({
    type: 'call',
    id: '1',
    method: 'put',
    request: { batch: [] },
    context: { now: 0 },
    ...fields,
  })
  const hostile: readonly (readonly [string, unknown])[] = [
    ['nothing', null],
    ['text', 'lead'],
    ['no envelope', { type: 'seek' }],
    ['another envelope', { ...seal({ type: 'seek' }), scrubjay: 'other' }],
    ['a version that is none', { ...seal({ type: 'seek' }), version: '99' }],
    ['an endless version', { ...seal({ type: 'seek' }), version: Number.POSITIVE_INFINITY }],
    ['a sender that is none', seal({ type: 'seek' }, { toString: 'x' })],
    ['a sender without end', seal({ type: 'seek' }, 'x'.repeat(1_000))],
    ['no message', seal(undefined)],
    ['an unknown type', seal({ type: 'eval', code: '1' })],
    ['an inherited type', seal({ type: 'constructor' })],
    ['closing', seal(call({ method: 'close' }))],
    ['an unknown method', seal(call({ method: 'constructor' }))],
    ['a method that is a list', seal(call({ method: ['put'] }))],
    ['a request that is none', seal(call({ request: [1] }))],
    ['no context', seal(call({ context: null }))],
    ['a time that is none', seal(call({ context: { now: '0' } }))],
    ['an operation that is none', seal(call({ context: { now: 0, operation: 7 } }))],
    [
      'a leader of no backend',
      seal({
        type: 'lead',
        backend: 'disk',
        space: null,
        dimensions: null,
        policy: '',
        authority: '',
        retention: '',
        autoLink: true,
        extensions: null,
        revision: 1,
      }),
    ],
    [
      'a leader of half a space',
      seal({
        type: 'lead',
        backend: 'opfs',
        space: 'a',
        dimensions: null,
        policy: '',
        authority: '',
        retention: '',
        autoLink: true,
        extensions: null,
        revision: 1,
      }),
    ],
    ['an event of a stranger', seal({ type: 'event', event: { type: 'changed', revision: 9, ids: [] } })],
    ['an event that is none', seal({ type: 'event', event: { type: 'closed' } })],
    ['a farewell of a stranger', seal({ type: 'bye' })],
    ['the end, said by a stranger', seal({ type: 'destroying', by: 'stranger' })],
    ['an answer of a stranger', seal({ type: 'answer', id: '1', answer: { kind: 'value', value: 'forged' } })],
    [
      'own keys of prototypes',
      JSON.parse(
        '{"scrubjay":"tabs","version":3,"from":"x","__proto__":{"message":1},"message":{"__proto__":{"type":"bye"}}}',
      ),
    ],
  ]

  test.each(hostile)('%s', async (_, message) => {
    const [leader, follower] = [await world.tab(), await world.tab()]
    await put(leader, 'a')
    const all = world.stranger()
    const channels = [all]
    all.postMessage(message)
    // Addressed to each tab, as a script that listened could do.
    for (const id of await idsOf(all)) {
      const own = world.stranger(id)
      channels.push(own)
      own.postMessage(message)
    }
    for (const tab of [leader, follower]) expect(await idsIn(tab)).toEqual(['a'])
    expect([await roleOf(leader), await roleOf(follower)]).toEqual(['leader', 'follower'])
    expect(follower.events.filter(({ type }) => type !== 'changed')).toEqual([])
    expect(({} as { message?: unknown }).message).toBeUndefined()
  })

  test('a call from a stranger is answered: the origin is the boundary, and the engine validates each request', async () => {
    const leader = await world.tab()
    const all = world.stranger()
    const heard: { message: TabMessage }[] = []
    world.stranger('stranger').addEventListener('message', ({ data }: MessageEvent) => heard.push(data))
    const [id] = await idsOf(all)
    const own = world.stranger(id)
    own.postMessage(
      seal(
        call({
          request: {
            batch: [
              { id: 'x', body: 5 },
              { id: 'y', body: 'fine' },
            ],
          },
        }),
      ),
    )
    await expect.poll(() => heard.map(({ message }) => message.type)).toContain('answer')
    expect(await idsIn(leader)).toEqual(['y'])
  })

  /** The tabs that answer a newcomer, in no order. */
  async function idsOf(all: BroadcastChannel): Promise<readonly string[]> {
    const heard: string[] = []
    const own = world.stranger('listener')
    own.addEventListener('message', ({ data }: MessageEvent) => heard.push(data.from))
    all.postMessage(seal({ type: 'seek' }, 'listener'))
    await expect.poll(() => heard.length).toBeGreaterThan(0)
    own.close()
    return heard
  }
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
