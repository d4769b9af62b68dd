/**
 * A link to a store on a server, over one WebSocket. A lost connection is opened again, and the calls that wait are sent again: a write has an
 * operation id, so it is done once. Loaded if an app opens a remote store.
 */
import { RecallError, recallError } from '../../core/model/errors.ts'
import type { CallRequest } from '../../protocol/engine-host.ts'
import { type Reply, unwrap } from '../../protocol/envelope.ts'
import type { EngineEvent, EventListener } from '../../protocol/events.ts'
import { checkVersion, protocolVersion } from '../../protocol/handshake.ts'
import { mayRepeat } from '../../protocol/methods.ts'
import { type ClientMessage, decodeMessage, encodeMessage, type ServerMessage } from '../../protocol/wire.ts'
import type { EngineLink } from './engine-link.ts'

export interface RemoteSettings {
  readonly url: string
  readonly token: () => string | Promise<string>
  readonly WebSocket: typeof WebSocket
  /** ms until opening gives up. */
  readonly openMs: number
}

interface Waiting {
  readonly request: CallRequest
  readonly resolve: (reply: Reply<unknown>) => void
}

const firstPauseMs = 100
const longestPauseMs = 5_000

/** Rejects with the server's error if it refuses the token, or with STORAGE_UNAVAILABLE if it is out of reach for `openMs`. */
export async function openRemoteLink({ url, token, WebSocket, openMs }: RemoteSettings): Promise<EngineLink> {
  const listeners = new Set<EventListener>()
  const failureListeners: ((error: RecallError) => void)[] = []
  const waiting = new Map<string, Waiting>()
  let socket: WebSocket | null = null
  let isReady = false
  let isEnded = false
  let failure: RecallError | null = null
  let pauseMs = firstPauseMs
  let timer: ReturnType<typeof setTimeout> | undefined
  let opened: () => void = () => undefined
  let refuse: (error: RecallError) => void = () => undefined
  let wasOpen = false

  const tell = (event: EngineEvent) => {
    for (const listener of listeners) listener(event)
  }
  const send = (message: ClientMessage) => socket?.send(encodeMessage(message))
  const fail = (error: RecallError) => {
    if (failure !== null) return
    failure = error
    isEnded = true
    clearTimeout(timer)
    socket?.close()
    for (const { resolve } of waiting.values()) resolve({ ok: false, error: error.toDetails() })
    waiting.clear()
    refuse(error)
    for (const listener of failureListeners) listener(error)
  }
  const receive = (message: ServerMessage) => {
    if (message.type === 'reply') {
      waiting.get(message.id)?.resolve(message.reply)
      waiting.delete(message.id)
    } else if (message.type === 'event') tell(message.event)
    else if (message.type === 'refused') fail(errorOf(message.reply))
    else {
      try {
        checkVersion(message.version)
      } catch (error) {
        return fail(error as RecallError)
      }
      isReady = true
      pauseMs = firstPauseMs
      for (const { request } of waiting.values()) send({ type: 'call', call: request })
      // What changed meanwhile is unknown.
      if (wasOpen) tell({ type: 'ready' })
      wasOpen = true
      opened()
    }
  }
  const connect = async () => {
    const given = await token()
    if (isEnded) return
    const own = new WebSocket(url, 'scrubjay')
    own.binaryType = 'arraybuffer'
    socket = own
    own.onopen = () => send({ type: 'hello', version: protocolVersion, token: given })
    own.onmessage = ({ data }: MessageEvent<ArrayBuffer>) =>
      receive(decodeMessage(new Uint8Array(data)) as ServerMessage)
    own.onerror = () => undefined
    own.onclose = () => {
      if (socket !== own || isEnded) return
      socket = null
      isReady = false
      for (const [id, { request, resolve }] of waiting) {
        if (mayRepeat(request.method as 'put', request.context.operation)) continue
        waiting.delete(id)
        resolve({ ok: false, error: lost().toDetails() })
      }
      again()
    }
  }
  const again = () => {
    timer = setTimeout(() => void connect().catch(again), pauseMs * (0.5 + Math.random() / 2))
    pauseMs = Math.min(longestPauseMs, 2 * pauseMs)
  }

  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => fail(outOfReach(url)), openMs)
    opened = () => {
      clearTimeout(late)
      resolve()
    }
    refuse = (error) => {
      clearTimeout(late)
      reject(error)
    }
    connect().catch((error: unknown) => fail(error instanceof RecallError ? error : noToken(error)))
  })
  return {
    call(request) {
      // Copied at once, so that later changes of the caller have no effect. Throws if a value cannot be copied.
      const copy = structuredClone(request)
      if (failure !== null) return Promise.resolve({ ok: false, error: failure.toDetails() })
      return new Promise((resolve) => {
        waiting.set(request.id, { request: copy, resolve })
        if (isReady) send({ type: 'call', call: copy })
      })
    },
    cancel(id) {
      if (isReady) send({ type: 'cancel', id })
      else if (waiting.delete(id)) return
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onFailure: (listener) => void failureListeners.push(listener),
    end() {
      isEnded = true
      clearTimeout(timer)
      socket?.close()
    },
  }
}

function errorOf(reply: Reply<never>): RecallError {
  try {
    unwrap(reply)
  } catch (error) {
    return error as RecallError
  }
  return lost()
}

function outOfReach(url: string): RecallError {
  return recallError('STORAGE_UNAVAILABLE', 'must be the URL of a server that answers', {
    field: 'remote',
    value: url,
    hint: 'Check the URL and the network, then open the store again.',
  })
}

function noToken(error: unknown): RecallError {
  const reason = error instanceof Error ? error.message : String(error)
  return recallError('INVALID_CONFIG', `must give a token, but failed: ${reason}`, {
    field: 'token',
    hint: 'Give a string, or a function that resolves to one.',
  })
}

function lost(): RecallError {
  return recallError('LEADER_LOST', 'The connection to the server ended', {
    hint: 'Repeat the call. A write may already be done.',
  })
}
