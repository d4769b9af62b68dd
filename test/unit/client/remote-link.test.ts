/** Tests the link to a server over a stand-in for WebSocket: what happens around its end. The real ones: test/integration/server/server.test.ts. */
import { beforeEach, expect, test } from 'vitest'
import { openRemoteLink } from '../../../src/client/link/remote-link.ts'
import { type RecallError, recallError } from '../../../src/core/model/errors.ts'
import { protocolVersion } from '../../../src/protocol/handshake.ts'
import { encodeMessage, type ServerMessage } from '../../../src/protocol/wire.ts'

let sockets: StandIn[]

class StandIn {
  isClosed = false
  onmessage: (event: { data: ArrayBuffer }) => void = () => undefined
  constructor(readonly url: string) {
    sockets.push(this)
  }
  send() {}
  receive(message: ServerMessage) {
    this.onmessage({ data: encodeMessage(message).slice().buffer })
  }
  close() {
    this.isClosed = true
  }
}

beforeEach(() => void (sockets = []))

function open(token: () => Promise<string>, openMs: number) {
  const url = 'wss://notes.example'
  return openRemoteLink({ url, token, openMs, WebSocket: StandIn as unknown as typeof WebSocket })
}

test('[E1] a server that does not answer in time: opening rejects, and the connection is closed', async () => {
  await expect(open(async () => 'secret', 20)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE', field: 'remote' })
  expect(sockets.map(({ url, isClosed }) => [url, isClosed])).toEqual([['wss://notes.example', true]])
})

test('a token that comes after opening was given up is sent nowhere', async () => {
  let giveToken = (_token: string) => {}
  const token = new Promise<string>((resolve) => (giveToken = resolve))
  await expect(open(() => token, 20)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
  giveToken('secret')
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(sockets).toEqual([])
})

test('[E1] a link whose server refuses it later tells each of its clients why, and answers the calls that wait', async () => {
  const opening = open(async () => 'secret', 1_000)
  await expect.poll(() => sockets.length).toBe(1)
  sockets[0]!.receive({ type: 'welcome', version: protocolVersion })
  const link = await opening
  const told: RecallError[] = []
  for (let client = 0; client < 2; client++) link.onFailure((error) => told.push(error))
  const waiting = link.call({ id: 'one', method: 'count', request: { scope: {} }, context: { now: 1 } } as never)
  const refusal = recallError('INVALID_CONFIG', 'must be a token that this server knows', { field: 'token' })
  sockets[0]!.receive({ type: 'refused', reply: { ok: false, error: refusal.toDetails() } })
  expect(told.map(({ code }) => code)).toEqual([refusal.code, refusal.code])
  expect(await waiting).toMatchObject({ ok: false, error: { code: refusal.code } })
  expect(sockets[0]!.isClosed).toBe(true)
})
