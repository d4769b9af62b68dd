/**
 * Turns: the engine's thread does one piece of synchronous work at a time, in the order of the requests. Between two
 * pieces it handles messages and timers. So an aborted call is dropped before its turn, and reads run between the steps of a
 * long write. An idle engine begins at once.
 */

export interface Turns {
  /** Resolves when the caller may begin. Rejects with the signal's reason if the signal aborts first. */
  take(signal?: AbortSignal): Promise<void>
}

interface Waiting {
  readonly signal: AbortSignal | undefined
  readonly begin: () => void
  readonly giveUp: (reason: unknown) => void
}

/** `nextTask` runs its argument after the waiting messages and timers of the event loop. */
export function createTurns(nextTask: (work: () => void) => void = inNextTask): Turns {
  let waiting: Waiting[] = []
  let isTaken = false

  const give = ({ begin }: Waiting) => {
    isTaken = true
    nextTask(next)
    begin()
  }
  const next = () => {
    isTaken = false
    const begins = waiting.findIndex(({ signal }) => signal?.aborted !== true)
    const aborted = begins === -1 ? waiting : waiting.slice(0, begins)
    const first = waiting[begins]
    waiting = begins === -1 ? [] : waiting.slice(begins + 1)
    for (const { giveUp, signal } of aborted) giveUp(signal?.reason)
    if (first !== undefined) give(first)
  }

  return {
    take: (signal) =>
      new Promise<void>((begin, giveUp) => {
        const call = { signal, begin, giveUp }
        if (signal?.aborted === true) giveUp(signal.reason)
        else if (isTaken) waiting.push(call)
        else give(call)
      }),
  }
}

/** Read at load time: a test may replace the global timers later. */
const { setImmediate } = globalThis as { readonly setImmediate?: (work: () => void) => unknown }

let tasks: { readonly port: MessagePort; readonly waiting: (() => void)[] } | undefined

/**
 * Node: runs after timers and messages. Worker: runs after the waiting messages; a MessageChannel avoids the 4 ms delay of
 * nested timers.
 */
function inNextTask(work: () => void): void {
  if (setImmediate !== undefined) return void setImmediate(work)
  if (typeof MessageChannel === 'undefined') return void setTimeout(work)
  tasks ??= openTasks()
  tasks.waiting.push(work)
  tasks.port.postMessage(null)
}

function openTasks() {
  const { port1, port2 } = new MessageChannel()
  const waiting: (() => void)[] = []
  port1.onmessage = () => waiting.shift()?.()
  return { port: port2, waiting }
}
