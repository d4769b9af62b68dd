/** Checks messages that no tab believes, and calls of a stranger. */
import { describe, expect, test } from 'vitest'
import { protocolVersion } from '../../../src/protocol/handshake.ts'
import type { TabMessage } from '../../../worker/tabs/messages.ts'
import { idsIn, put, roleOf, world } from './tab-world.ts'

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
