/**
 * Passes only calls of named methods with plain arguments, and RELEASE, to Comlink. Comlink's other message types
 * (reading, setting, constructing, deep paths) would let a peer reach this thread's prototypes (comlink#603).
 */
import type { Endpoint } from 'comlink'

/** Wraps an endpoint for `expose`. Refused messages never reach Comlink; their sender gets an error. */
export function filterEndpoint(endpoint: Endpoint, methods: readonly string[]): Endpoint {
  const wrapped = new WeakMap<object, (event: Event) => void>()
  return {
    postMessage: (message, transfer) => endpoint.postMessage(message, transfer ?? []),
    addEventListener(type, listener) {
      const deliver = typeof listener === 'function' ? listener : listener.handleEvent.bind(listener)
      const filtered = (event: Event) => {
        const { data } = event as MessageEvent<unknown>
        const allowed = allowedMessage(data, methods)
        if (allowed === null) return refuse(endpoint, data)
        deliver(new MessageEvent('message', { data: allowed, origin: (event as MessageEvent).origin }))
      }
      wrapped.set(listener, filtered)
      endpoint.addEventListener(type, filtered)
    },
    removeEventListener(type, listener) {
      const filtered = wrapped.get(listener)
      if (filtered) endpoint.removeEventListener(type, filtered)
    },
    ...(endpoint.start ? { start: () => endpoint.start?.() } : {}),
  }
}

/** A new message with only the fields that Comlink needs; null if the message is refused. */
function allowedMessage(message: unknown, methods: readonly string[]): object | null {
  if (typeof message !== 'object' || message === null) return null
  const { id, type, path, argumentList } = message as Readonly<Record<string, unknown>>
  if (typeof id !== 'string') return null
  if (type === 'RELEASE') return { id, type }
  if (type !== 'APPLY' || !Array.isArray(path) || path.length !== 1 || !Array.isArray(argumentList)) return null
  const [method] = path as readonly unknown[]
  // Handlers would revive other wire types: a port to proxy, an error to throw.
  const isPlain = argumentList.every((wire) => typeof wire === 'object' && wire !== null && wire.type === 'RAW')
  return isPlain && methods.some((name) => name === method) ? { id, type, path: [method], argumentList } : null
}

/** Replies with an error in Comlink's format, so that the caller does not wait forever. */
function refuse(endpoint: Endpoint, message: unknown): void {
  const id = typeof message === 'object' && message !== null ? (message as { readonly id?: unknown }).id : undefined
  if (typeof id !== 'string') return
  const value = { name: 'TypeError', message: 'This endpoint accepts calls of its own methods only.', stack: '' }
  endpoint.postMessage({ id, type: 'HANDLER', name: 'throw', value: { isError: true, value } })
}
