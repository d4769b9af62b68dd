/** Tests what a following tab does with its calls when a caller aborts them, before and after the leader ends. */
import { describe, expect, test } from 'vitest'
import { type RecallError, recallError } from '../../../src/core/model/errors.ts'
import type { RequestContext } from '../../../src/protocol/engine-api.ts'
import type { RemoteMethod } from '../../../worker/tabs/messages.ts'
import { createPendingCalls } from '../../../worker/tabs/pending-calls.ts'

const receipt = { records: [], revision: 1, durability: 'committed' } as const
const put = { batch: [{ id: 'a', body: 'text' }] }

/** One waiting call, and the leaders that were asked to cancel it. */
function open(method: RemoteMethod = 'put', request: unknown = put) {
  const controller = new AbortController()
  const cancelled: string[] = []
  const sent: string[] = []
  const calls = createPendingCalls((leader) => cancelled.push(leader))
  const ending = calls.add(method, request, { now: 1, operation: 'o', signal: controller.signal }).then(
    (value) => ({ value }),
    ({ code }: RecallError) => ({ code }),
  )
  return {
    calls,
    ending,
    cancelled,
    sent,
    abort: () => controller.abort(recallError('ABORTED', 'for this test')),
    sendTo: (leader: string) => calls.send(leader, () => sent.push(leader)),
  }
}

describe('a write that is aborted', () => {
  test('[Q6] before it is sent ends at once', async () => {
    const { ending, abort, cancelled, sent, sendTo } = open()
    abort()
    expect(await ending).toEqual({ code: 'ABORTED' })
    sendTo('a')
    expect([cancelled, sent]).toEqual([[], []])
  })

  test('[Q6] after that ends with the answer of the leader', async () => {
    const { calls, ending, abort, cancelled, sendTo } = open()
    sendTo('a')
    abort()
    expect(cancelled).toEqual(['a'])
    calls.answer('a', '1', { kind: 'value', value: receipt })
    expect(await ending).toEqual({ value: receipt })
  })

  test('[Q6] is not repeated: LEADER_LOST if the leader ends without an answer', async () => {
    const { ending, abort, sent, sendTo } = open()
    sendTo('a')
    abort()
    sendTo('b')
    expect(await ending).toEqual({ code: 'LEADER_LOST' })
    expect(sent).toEqual(['a'])
  })

  test('[Q6] after it was repeated is not cancelled: an earlier leader may have done it', async () => {
    const { calls, ending, abort, cancelled, sent, sendTo } = open()
    sendTo('a')
    sendTo('b')
    abort()
    expect([sent, cancelled]).toEqual([['a', 'b'], []])
    calls.answer('b', '1', { kind: 'value', value: receipt })
    expect(await ending).toEqual({ value: receipt })
  })

  test('[Q6] after it was repeated in this tab is not cancelled either', async () => {
    const { calls, ending, abort, sendTo } = open()
    sendTo('a')
    let handed: RequestContext | undefined
    calls.carryOut(async (_method, _request, context) => {
      handed = context
      abort()
      return receipt
    })
    expect(handed?.operation).toBe('o')
    expect(handed?.signal).toBeUndefined()
    expect(await ending).toEqual({ value: receipt })
  })

  test('[Q6] before this tab begins it, aborts its signal', () => {
    const { calls } = open()
    let handed: RequestContext | undefined
    calls.carryOut(async (_method, _request, context) => {
      handed = context
      return receipt
    })
    expect(handed?.signal).toBeInstanceOf(AbortSignal)
  })
})

test('[Q6] control: a read that is aborted ends at once, wherever it was sent', async () => {
  const { ending, abort, cancelled, sendTo } = open('count', { scope: {} })
  sendTo('a')
  sendTo('b')
  abort()
  expect(await ending).toEqual({ code: 'ABORTED' })
  expect(cancelled).toEqual(['b'])
})
