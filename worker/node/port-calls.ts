/** Calls functions at the other end of a port, and answers its calls. Errors arrive as they were thrown, with all fields. */
import type { MessagePort } from 'node:worker_threads'
import { type ErrorDetails, RecallError, recallError } from '../../src/core/model/errors.ts'

export interface PortCalls {
  ask(name: string, ...given: readonly unknown[]): Promise<unknown>
  /** Whether the other end is gone. */
  hasEnded(): boolean
  end(): void
}

type Message =
  | { readonly call: number; readonly name: string; readonly given: readonly unknown[] }
  | { readonly answer: number; readonly value: unknown }
  | { readonly answer: number; readonly error: ErrorDetails | Error }

export type Functions = Readonly<Record<string, (...given: never[]) => unknown>>

export function connectCalls(port: MessagePort, own: Functions): PortCalls {
  const asked = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>()
  let count = 0
  let hasEnded = false

  const answer = async (call: number, name: string, given: readonly unknown[]): Promise<void> => {
    try {
      const value = await own[name]!(...(given as never[]))
      port.postMessage({ answer: call, value })
    } catch (error) {
      const plain = error instanceof RecallError ? error.toDetails() : new Error(String(error))
      port.postMessage({ answer: call, error: plain })
    }
  }
  const end = () => {
    hasEnded = true
    port.close()
    for (const { reject } of asked.values()) reject(ended())
    asked.clear()
  }
  port.on('message', (message: Message) => {
    if ('call' in message) return void answer(message.call, message.name, message.given)
    const waiting = asked.get(message.answer)
    asked.delete(message.answer)
    if ('value' in message) return waiting?.resolve(message.value)
    const { error } = message
    waiting?.reject(error instanceof Error ? error : new RecallError(error))
  })
  port.on('close', end)
  return {
    ask: (name, ...given) =>
      new Promise((resolve, reject) => {
        if (hasEnded) return reject(ended())
        const call = ++count
        asked.set(call, { resolve, reject })
        port.postMessage({ call, name, given })
      }),
    hasEnded: () => hasEnded,
    end,
  }
}

function ended() {
  return recallError('STORAGE_UNAVAILABLE', 'The thread of this engine ended', { hint: 'Repeat the call.' })
}
