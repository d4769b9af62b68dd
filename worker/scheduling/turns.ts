/**
 * Turns: the engine's thread does one piece of synchronous work at a time, in the order asked for, and between two pieces it hears
 * messages and timers. So a call whose caller gave up is found out before its turn, and a long write lets reads come between its
 * steps. The first piece after a rest begins at once.
 */

export interface Turns {
  /** Resolves when the caller may begin. Rejects with the signal's reason where that aborted first. */
  take(signal?: AbortSignal): Promise<void>
}

interface Waiting {
  readonly signal: AbortSignal | undefined
  readonly begin: () => void
  readonly giveUp: (reason: unknown) => void
}

/** `nextTask` runs its argument once what waits in the event loop has been heard. */
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
    const gone = begins === -1 ? waiting : waiting.slice(0, begins)
    const first = waiting[begins]
    waiting = begins === -1 ? [] : waiting.slice(begins + 1)
    for (const { giveUp, signal } of gone) giveUp(signal?.reason)
    if (first !== undefined) give(first)
  }

  return {
    take: (signal) =>
      new Promise<void>((begin, giveUp) => {
        const asked = { signal, begin, giveUp }
        if (signal?.aborted === true) giveUp(signal.reason)
        else if (isTaken) waiting.push(asked)
        else give(asked)
      }),
  }
}

/** Read once: a test may put a clock of its own in their place later. */
const { setImmediate } = globalThis as { readonly setImmediate?: (work: () => void) => unknown }

let tasks: { readonly port: MessagePort; readonly waiting: (() => void)[] } | undefined

/**
 * Node: after timers and messages. A worker: behind the messages that wait, without the 4 ms that a chain of timers is held
 * back by.
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
