/** Asks which tab leads, until a leader is known: a message may be lost or false. */

export interface Seeking {
  /** Asks now, and each second from now on. */
  start(): void
  /** Asks in a second, and each second from then on: a tab that opens the store announces itself before that. */
  startLater(): void
  stop(): void
}

/** `ask`: sends the question. `isNeeded`: whether no leader is known. */
export function createSeeking(isNeeded: () => boolean, ask: () => void): Seeking {
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => clearTimeout(timer)
  const startLater = () => {
    stop()
    timer = setTimeout(start, againMs)
  }
  const start = () => {
    stop()
    if (!isNeeded()) return
    ask()
    startLater()
  }
  return { start, startLater, stop }
}

const againMs = 1_000
