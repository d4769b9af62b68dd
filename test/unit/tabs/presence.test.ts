/** Tests what a tab says of others by the locks that the platform reports. */
import { describe, expect, test } from 'vitest'
import { protocolVersion } from '../../../src/protocol/handshake.ts'
import { channelName } from '../../../worker/tabs/broadcast.ts'
import type { TabsPlatform } from '../../../worker/tabs/port.ts'
import { createPresence, presenceName } from '../../../worker/tabs/presence.ts'

const store = 'notes'
const lock = { name: channelName(store) }
const tabLock = (tab: string) => ({ name: presenceName(store, tab, protocolVersion) })

/** The presence of tab `me` where the platform reports these locks. */
function presenceWith(snapshot: LockManagerSnapshot) {
  const locks = {
    request: (_name: string, use: () => Promise<unknown>) => use(),
    query: async () => snapshot,
  }
  return createPresence(store, 'me', { locks } as unknown as TabsPlatform)
}

const held = [
  { ...tabLock('me'), clientId: '1' },
  { ...tabLock('first'), clientId: '2' },
  { ...tabLock('second'), clientId: '3' },
  { ...tabLock('idle'), clientId: '4' },
  { ...lock, clientId: '2' },
]
const pending = [
  { ...lock, clientId: '3' },
  { ...lock, clientId: '1' },
]

describe('the standing of a tab', () => {
  test('is that of its client among the locks of the store', async () => {
    const { standingOf, isNextInLine } = presenceWith({ held, pending })
    expect(await Promise.all(['first', 'second', 'idle', 'gone'].map((tab) => standingOf(tab)))).toEqual([
      'leads',
      'waits',
      'stranger',
      'stranger',
    ])
    expect(await standingOf('first', protocolVersion + 1)).toBe('stranger')
    expect(await isNextInLine()).toBe(false)
    expect(await presenceWith({ held, pending: pending.slice(1) }).isNextInLine()).toBe(true)
  })

  test.each([
    ['no lock', {}],
    ['only locks of others', { held: held.slice(1), pending }],
    ['its own lock without a client', { held: [tabLock('me')] }],
  ])('is unknown where the platform reports %s', async (_name, snapshot) => {
    const { standingOf, isNextInLine } = presenceWith(snapshot)
    expect(await standingOf('gone')).toBe('unknown')
    expect(await isNextInLine()).toBe(false)
  })
})
