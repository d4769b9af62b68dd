/** Starts the engine in a thread of its own, so that a long write does not block the thread of the app. */
import { MessageChannel, Worker } from 'node:worker_threads'
import type { Endpoint } from 'comlink'

export interface EngineThread {
  readonly endpoint: Endpoint
  /** Adds a listener that is called when the thread cannot be loaded or fails. */
  onFailure(listener: (problem: string) => void): void
  /** From now on the process does not wait for the thread. Call it after the last listener is added, because adding one undoes it. */
  unref(): void
  end(): void
}

/** `program`: the file that runs in the thread. */
export function startThread(program: URL): EngineThread {
  const { port1, port2 } = new MessageChannel()
  // Flags of the process may be for its own program, as --input-type is.
  const thread = new Worker(program, { workerData: port2, transferList: [port2], execArgv: [] })
  let hasEnded = false
  return {
    endpoint: port1 as unknown as Endpoint,
    onFailure(listener) {
      thread.on('error', (error) => listener(messageOf(error)))
      thread.on('exit', () => hasEnded || listener('its thread ended'))
      port1.on('messageerror', (error) => listener(messageOf(error)))
    },
    unref() {
      thread.unref()
      port1.unref()
    },
    end() {
      hasEnded = true
      port1.close()
      void thread.terminate()
    },
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
