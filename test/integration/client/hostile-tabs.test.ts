/** Checks that no message breaks a tab: any script of the origin can post to the tabs of a store. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { RecallError } from '../../../src/core/model/errors.ts'
import { protocolVersion } from '../../../src/protocol/handshake.ts'
import { methodNames } from '../../../src/protocol/methods.ts'
import { channelName } from '../../../worker/tabs/broadcast.ts'
import { isAnswerOf } from '../../../worker/tabs/check-answer.ts'
import { createPresence, presenceName } from '../../../worker/tabs/presence.ts'
import { createRandom } from '../../support/data/random.ts'
import { createWorld, type TestTab, type World } from '../../support/tabs-world.ts'

let world: World

beforeEach(async () => {
  world = await createWorld()
})

afterEach(() => world.end())

const seal = (message: unknown, from = 'evil', version = protocolVersion) => ({
  scrubjay: 'tabs',
  version,
  from,
  message,
})
const idsIn = async (tab: TestTab) => (await tab.call('list', { filter: {} })).items.map(({ id }) => id).sort()
const roleOf = async (tab: TestTab) => (await tab.call('status', {})).role

/** A leader, a follower, and what a listening script can learn: who leads, and how a leader announces itself. */
async function openTwo() {
  const [leader, follower] = [await world.tab(), await world.tab()]
  await leader.call('put', { batch: [{ id: 'a', body: 'the password is hunter2' }] })
  const all = world.stranger()
  const heard: { readonly from: string; readonly message: Record<string, unknown> }[] = []
  world.stranger('listener').addEventListener('message', ({ data }: MessageEvent) => heard.push(data))
  all.postMessage(seal({ type: 'seek' }, 'listener'))
  await expect.poll(() => heard.length).toBeGreaterThan(0)
  const { from: leaderId, message: lead } = heard[0]!
  const settled = () => new Promise((resolve) => setTimeout(resolve, 100))
  const bothAnswer = async () => {
    for (const tab of [leader, follower]) expect(await idsIn(tab)).toContain('a')
    expect([await roleOf(leader), await roleOf(follower)]).toEqual(['leader', 'follower'])
  }
  return { leader, follower, all, leaderId, lead, settled, bothAnswer }
}

describe('one forged message', () => {
  test('[T1] `opening` from a stranger changes no tab', async () => {
    const { all, settled, bothAnswer, follower } = await openTwo()
    all.postMessage(seal({ type: 'opening' }))
    await settled()
    await bothAnswer()
    expect(follower.events.filter(({ type }) => type === 'leader-changed')).toEqual([])
  })

  test('[T1] `bye` in the name of the leader: the follower asks again, and is answered within seconds', async () => {
    const { all, leaderId, settled, bothAnswer } = await openTwo()
    all.postMessage(seal({ type: 'bye' }, leaderId))
    await settled()
    await bothAnswer()
  })

  test('[T1] a newer version that neither holds nor awaits the lock ends no tab', async () => {
    const { all, settled, bothAnswer, leaderId, follower } = await openTwo()
    for (const from of ['evil', leaderId]) all.postMessage(seal({ type: 'seek' }, from, protocolVersion + 1))
    await settled()
    await bothAnswer()
    expect(follower.events.filter(({ type }) => type === 'outdated')).toEqual([])
  })

  test('[T1] `lead` from a stranger gets no call of a follower, even if it waits for the store', async () => {
    const { all, lead, settled, bothAnswer, follower } = await openTwo()
    const stolen: unknown[] = []
    world.stranger('evil').addEventListener('message', ({ data }: MessageEvent) => stolen.push(data))
    const platform = world.locks.forTab()
    const over = new AbortController()
    const waits = platform.request(channelName(world.name), { signal: over.signal }, async () => {}).catch(() => {})
    const present = platform.request(presenceName(world.name, 'evil', protocolVersion), () => waits)
    all.postMessage(seal(lead))
    await settled()
    await follower.call('put', { batch: [{ id: 'b', body: 'secret body' }] })
    await bothAnswer()
    expect(stolen).toEqual([])
    over.abort()
    await present
  })

  test('[T1] `destroying` in the name of a leader that keeps the store ends no tab', async () => {
    const { all, leaderId, settled, bothAnswer, follower } = await openTwo()
    all.postMessage(seal({ type: 'destroying', by: 'evil' }, leaderId))
    await settled()
    await bothAnswer()
    expect(follower.events.filter(({ type }) => type === 'closed')).toEqual([])
  })

  test('[T1] after all of them at once, the follower finds its leader again', async () => {
    const { all, leaderId, lead, settled, bothAnswer } = await openTwo()
    for (const from of ['evil', leaderId]) {
      all.postMessage(seal({ type: 'opening' }, from))
      all.postMessage(seal({ type: 'seek' }, from, protocolVersion + 1))
      all.postMessage(seal({ type: 'destroying', by: 'evil' }, from))
      all.postMessage(seal({ type: 'bye' }, from))
    }
    all.postMessage(seal(lead))
    await settled()
    await bothAnswer()
  })

  test('[T1] a call that was under way when the follower doubted its leader gets its answer', async () => {
    const { all, leaderId, follower } = await openTwo()
    all.postMessage(seal({ type: 'opening' }, leaderId))
    const answered = await Promise.all(Array.from({ length: 20 }, () => idsIn(follower)))
    expect(answered).toEqual(Array(20).fill(['a']))
    all.postMessage(seal({ type: 'bye' }, leaderId))
    expect(await idsIn(follower)).toEqual(['a'])
  })

  test('[E1] an answer of the wrong shape becomes a typed error', async () => {
    const { follower, leaderId } = await openTwo()
    const posted: { readonly from: string; readonly message: { readonly type: string; readonly id: string } }[] = []
    world.stranger(leaderId).addEventListener('message', ({ data }: MessageEvent) => {
      posted.push(data)
      const answer = { kind: 'value', value: { hits: 'pwned' } }
      world.stranger(data.from).postMessage(seal({ type: 'answer', id: data.message.id, answer }, leaderId))
    })
    // Forged and real answers race: whichever arrives first, the error is typed.
    for (const query of [{ text: 'password' }, { text: 'hunter2' }, { text: 'the' }]) {
      const seen = await follower.call('recall', { query }).catch((error: unknown) => error)
      if (seen instanceof Error) expect(seen).toMatchObject({ name: 'RecallError', code: 'LEADER_LOST' })
      else expect(seen).toMatchObject({ hits: expect.any(Array) })
    }
    expect(posted.length).toBeGreaterThan(0)
    expect(isAnswerOf('recall', { hits: 'pwned' })).toBe(false)
    expect(isAnswerOf('put', { hits: 'pwned' })).toBe(false)
  })
})

describe('answers', () => {
  test('[T1] only answers that a real leader gives pass, for every method', async () => {
    const { follower } = await openTwo()
    await follower.call('recall', { query: { text: 'password', explain: true, capture: true } })
    await follower.call('assemble', { query: { text: 'password', assessQuality: true } })
    await follower.call('assess', { query: { text: 'password' } })
    await follower.call('why', { query: { text: 'password' }, id: 'a' })
    await follower.call('patch', { id: 'a', fields: { tags: ['t'] } })
    await follower.call('get', { ids: ['a', 'none'] })
    await follower.call('tags', { scope: {} })
    await follower.call('verifyForgotten', { id: 'none' })
    await follower.call('checkFiles', { states: [{ path: 'a.ts', exists: true }] })
    await follower.call('acknowledge', { of: ['a'], outcomes: { a: 'used' } })
    await follower.call('put', { batch: [{ id: 'b', body: 'other' }] })
    await follower.call('link', { a: 'a', b: 'b' })
    await follower.call('linked', { id: 'a' })
    await follower.call('weakenLinks', {})
    await follower.call('predict', { id: 'a', expected: 1 })
    await follower.call('resolvePrediction', { id: 'a', actual: 2 })
    await follower.call('predictionErrors', {})
    await follower.call('proposals', {})
    await follower.call('expireProposals', {})
    await follower.call('events', {})
    await follower.call('exportPart', { export: 'e', part: 0 })
    await follower.call('endExport', { export: 'e' })
    await follower.call('integrityCheck', {})
    await follower.call('compact', {})
    await follower.call('retain', { dryRun: true })
    await follower.call('count', { scope: {} })
    await follower.call('forget', { ids: ['b'] })
    const wrong = ['x', true, [1], [null, 'x'], new Map()]
    for (const method of methodNames())
      if (method !== 'close')
        expect(
          wrong.filter((value) => isAnswerOf(method, value)),
          method,
        ).toEqual([])
  })
})

describe('many messages', () => {
  test('[T1] after 20,000 random and mutated messages every tab still answers', async () => {
    const { leader, follower, all, leaderId, lead, bothAnswer } = await openTwo()
    const { next, pick } = createRandom(7)
    const values = [null, undefined, 0, -1, 1e308, Number.NaN, '', 'x', 'x'.repeat(600), [], {}, [1], { a: 1 }, true]
    const anything = () =>
      pick([...values, new Date(0), new Map(), new Uint8Array(3), 'evil', leaderId, '__proto__', 1n])
    const types = ['seek', 'echo', 'opening', 'lead', 'call', 'cancel', 'answer', 'event', 'destroying', 'bye', 'nope']
    const reads = ['recall', 'get', 'list', 'status', 'why', 'count', 'tags', 'events', 'close', 'constructor', 'x']
    const answer = () => ({
      kind: pick(['value', 'error', 'fault']),
      value: anything(),
      error: pick([{ code: 'CLOSED', message: 'x' }, anything()]),
      name: anything(),
      message: anything(),
    })
    const message = () => ({
      ...(next() < 0.3 ? lead : {}),
      type: pick(types),
      id: pick(['1', '2', '3', anything()]),
      method: pick(reads),
      request: pick([{}, { query: anything() }, { ids: anything() }, { filter: anything() }, anything()]),
      context: pick([{ now: 1 }, { now: anything(), operation: anything() }, anything()]),
      answer: pick([answer(), anything()]),
      event: pick([{ type: pick(['changed', 'progress']), revision: anything(), ids: anything() }, anything()]),
      by: anything(),
      ...(next() < 0.3 ? { revision: anything(), space: anything(), policy: anything() } : {}),
    })
    const own = world.stranger(leaderId)
    for (let i = 0; i < 20_000; i++) {
      const from = pick(['evil', 'evil-2', `evil-${i}`, leaderId, anything()]) as string
      const version = pick([protocolVersion, protocolVersion, protocolVersion + 1, anything()]) as number
      const posted = next() < 0.9 ? seal(next() < 0.9 ? message() : anything(), from, version) : anything()
      ;(next() < 0.3 ? own : all).postMessage(posted)
      if (i % 500 === 0) await new Promise((resolve) => setTimeout(resolve))
    }
    await bothAnswer()
    await follower.call('put', { batch: [{ id: 'z', body: 'after all of it' }] })
    expect(await idsIn(leader)).toEqual(['a', 'z'])
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  }, 120_000)
})

describe('where the platform cannot query locks', () => {
  test('tabs believe the claims of messages', async () => {
    const silent = { request: world.locks.forTab().request, query: async () => ({}) }
    const presence = createPresence(world.name, 'me', { locks: silent, openChannel: () => world.stranger() })
    await presence.held
    expect(await presence.standingOf('other')).toBe('unknown')
    presence.end()
  })

  test('control: a tab that believed every claim would follow a stranger', async () => {
    const { follower, all, lead, settled } = await openTwo()
    const credulous = await world.tab({ believesAll: true })
    const stolen: unknown[] = []
    world.stranger('evil').addEventListener('message', ({ data }: MessageEvent) => stolen.push(data.message.type))
    all.postMessage(seal(lead))
    await settled()
    void credulous.call('count', { scope: {} }).catch((error: unknown) => expect(error).toBeInstanceOf(RecallError))
    await expect.poll(() => stolen).toContain('call')
    expect(await idsIn(follower)).toEqual(['a'])
  })
})
