/** Tells when the next message may be read [E3]: a client that sends without reading would otherwise fill the memory with its answers. */
import type { Writable } from 'node:stream'
import type { StdioServerTransport } from './sdk.ts'

/** Requests that run at once. A call of the store ends at its deadline, so that their number falls again. */
const mostRunning = 256
/** Bytes of answers that wait for the client. */
const mostUnread = 4 * 1024 * 1024

type Message = Parameters<NonNullable<StdioServerTransport['onmessage']>>[0]

export interface BackPressure {
  /** Null if a message may be read now; otherwise resolves when it may, or when the output has ended. */
  ready(): Promise<void> | null
  /** Takes each message of the client. */
  received(message: Message): void
  /** Takes each message for the client. */
  sent(message: Message): void
}

export function createBackPressure(output: Writable): BackPressure {
  const running = new Set<unknown>()
  let isWaiting: (() => void) | null = null
  const isFree = () => output.destroyed || (running.size < mostRunning && output.writableLength <= mostUnread)
  const check = () => {
    if (!isFree()) return
    isWaiting?.()
    isWaiting = null
  }
  output.on('drain', check)
  output.on('close', check)
  return {
    ready() {
      if (isFree()) return null
      return new Promise((resolve) => {
        isWaiting = resolve
      })
    },
    received(message) {
      if (!('method' in message)) return
      if ('id' in message) running.add(message.id)
      // A cancelled request gets no answer.
      else if (message.method === 'notifications/cancelled') running.delete(message.params?.['requestId'])
      check()
    },
    sent(message) {
      if ('id' in message && !('method' in message)) running.delete(message.id)
      check()
    },
  }
}
