/** Checks how one tab takes over from another: after closing, crashes, and leaders that do not answer. */
import { describe, expect, test, vi } from 'vitest'
import { recallError } from '../../../src/core/model/errors.ts'
import { tuning } from '../../../src/core/model/tuning.ts'
import { startOfTime } from '../../support/stores/open-engine.ts'
import { idsIn, put, roleOf, world } from './tab-world.ts'

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
