/** Tests what a leader answers the tabs that follow it, while it leads and while it is closing. */
import { describe, expect, test } from 'vitest'
import { recallError } from '../../../src/core/model/errors.ts'
import type { Broadcast } from '../../../worker/tabs/broadcast.ts'
import type { Call, TabMessage } from '../../../worker/tabs/messages.ts'
import type { LeadingEngine } from '../../../worker/tabs/port.ts'
import { serveFollowers } from '../../../worker/tabs/serve-followers.ts'
import { engineOptions } from '../../support/stores/engine-options.ts'

const closed = () => Promise.reject(recallError('CLOSED', 'is closed'))
const fault = () => Promise.reject(new RangeError('a bug'))

/** The answer a follower gets when its call ends so. */
async function toldFor(run: () => Promise<unknown>, isLeading: boolean, method: Call['method'] = 'recall') {
  const told: [string, TabMessage][] = []
  const broadcast = { tell: (tab: string, message: TabMessage) => told.push([tab, message]) } as unknown as Broadcast
  const engine = { subscribe: () => () => undefined } as unknown as LeadingEngine
  const followers = serveFollowers(engine, engineOptions as never, broadcast, run, () => isLeading)
  await followers.carryOut('tab', { type: 'call', id: 'c1', method, request: {}, context: { now: 0 } })
  return told
}

const answer = (content: object) => [['tab', { type: 'answer', id: 'c1', answer: expect.objectContaining(content) }]]

describe('a leader that is closing', () => {
  test('[T2] leaves calls that its closing refused to the next leader', async () => {
    expect(await toldFor(closed, false)).toEqual([])
    expect(await toldFor(closed, false, 'put')).toEqual([])
  })

  test('[T2] leaves calls that failed while it closed, for any reason, to the next leader', async () => {
    expect(await toldFor(fault, false)).toEqual([])
  })

  test('[T2] still passes on the results it has', async () => {
    expect(await toldFor(async () => 7, false)).toEqual(answer({ kind: 'value', value: 7 }))
  })

  test('answers how the removal of the store ended, because no other leader follows', async () => {
    expect(await toldFor(closed, false, 'destroy')).toEqual(answer({ kind: 'error' }))
  })
})

test('control: one that leads answers with its errors and its faults', async () => {
  expect(await toldFor(closed, true)).toEqual(
    answer({ kind: 'error', error: expect.objectContaining({ code: 'CLOSED' }) }),
  )
  expect(await toldFor(fault, true)).toEqual(answer({ kind: 'fault', name: 'RangeError', message: 'a bug' }))
})
