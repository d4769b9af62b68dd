/** Opens a store on a server (`scrubjay/server`): checks the options, connects, and creates a client. Loaded if `remote` is set. */
import { recallError } from '../core/model/errors.ts'
import { closed } from '../core/model/shared-errors.ts'
import { tuning } from '../core/model/tuning.ts'
import type { OpenOptions } from './api/open-options.ts'
import type { Recall } from './api/recall.ts'
import { createCalls } from './calls/run-calls.ts'
import { createRecallClient } from './recall-client.ts'
import { zoneOf } from './link/resolve-options.ts'
import { openRemoteLink } from './link/remote-link.ts'

/** ms: a server may have to wake a store that no one used for long. */
const openMs = 30_000
const allowed: ReadonlySet<string> = new Set<keyof OpenOptions>(['remote', 'token', 'policy', 'now', 'timeZone'])

export async function openRemote(options: OpenOptions, clientId: string): Promise<Recall> {
  for (const [name, value] of Object.entries(options)) {
    if (allowed.has(name) || value === undefined) continue
    if (name === 'lock')
      throw recallError('INVALID_CONFIG', 'must be absent where `remote` is set', {
        field: name,
        hint: 'Leave it out.',
      })
    throw invalid(name, value, 'must be absent where `remote` is set', 'Leave it out: the server decides it.')
  }
  const { now = Date.now, policy, token } = options
  if (typeof now !== 'function')
    throw invalid('now', now, 'must be a function', 'Give a function that returns milliseconds since the epoch.')
  const link = await openRemoteLink({
    url: urlOf(options.remote),
    token: async () => checkToken(typeof token === 'function' ? await token() : token),
    WebSocket: await findWebSocket(),
    openMs,
  })
  const clock = () => Math.trunc(now())
  const { deadlineMs } = tuning
  const client = createRecallClient({
    link,
    name: String(options.remote),
    now: clock,
    deadlineMs,
    clientId,
    embedder: null,
    policy,
    timeZone: zoneOf(options.timeZone, { isNode: true }),
    authority: null,
    release: async () => link.end(),
    async destroy() {
      const calls = createCalls({ link, now: clock, deadlineMs, clientId: `${clientId}-end` })
      await calls.run(undefined, (send) => send('destroy', {}))
      client.end(closed(String(options.remote)))
      link.end()
    },
  })
  link.onFailure(client.end)
  return client.recall
}

function urlOf(remote: unknown): string {
  try {
    const url = new URL(String(remote))
    const secure = url.protocol === 'https:' || url.protocol === 'wss:'
    if (secure || url.protocol === 'http:' || url.protocol === 'ws:') {
      url.protocol = secure ? 'wss:' : 'ws:'
      url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/live`
      return url.href
    }
  } catch {
    // The error below says what is wrong.
  }
  throw invalid('remote', remote, 'must be an absolute URL of http or https', 'Give the URL of a scrubjay server.')
}

function checkToken(token: unknown): string {
  if (typeof token === 'string' && token !== '') return token
  throw recallError('INVALID_CONFIG', 'must be a string that is not empty', {
    field: 'token',
    hint: 'Give the token of the store, or a function that resolves to it.',
  })
}

/** Browsers and Node from 22 have one; older Node needs the package `ws`. */
async function findWebSocket(): Promise<typeof WebSocket> {
  if (typeof WebSocket === 'function') return WebSocket
  try {
    return ((await load('ws')) as { readonly WebSocket: typeof WebSocket }).WebSocket
  } catch {
    throw recallError('INVALID_CONFIG', 'must be absent where there is no WebSocket', {
      field: 'remote',
      hint: 'Install the package ws, or use Node 22 or newer.',
    })
  }
}

/** Bundlers do not follow an import whose name is a parameter. */
function load(name: string): Promise<unknown> {
  return import(/* @vite-ignore */ /* webpackIgnore: true */ name)
}

function invalid(field: string, value: unknown, problem: string, hint: string) {
  return recallError('INVALID_CONFIG', problem, { field, value, hint })
}
