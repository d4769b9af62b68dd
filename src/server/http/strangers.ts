/**
 * Limits what peers without a token can hold: a stranger is a connection that has not yet given a valid token. A connection stops being one
 * with its first valid token.
 */
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ResolvedLimits } from '../common/options.ts'

export interface Strangers {
  /** A connection was opened. It is ended after `strangerMs`, or when too many strangers came after it. */
  greet(socket: Socket): void
  /** Ends the stranger when it has sent more than `strangerBytes` from now on. */
  limitBytes(socket: Duplex): void
  /** The connection gave a valid token. */
  admit(socket: Duplex): void
  /** Number of strangers that are connected. */
  count(): number
  close(): void
}

/** ms in which a peer must give a token. */
export const strangerMs = 10_000
/** Bytes that a peer without a token can send. */
export const strangerBytes = 65_536

export function createStrangers({ strangers: most }: Pick<ResolvedLimits, 'strangers'>): Strangers {
  /** Oldest first. */
  const timers = new Map<Duplex, ReturnType<typeof setTimeout>>()
  const admit = (socket: Duplex) => {
    clearTimeout(timers.get(socket))
    timers.delete(socket)
  }
  return {
    greet(socket) {
      // Without a listener, a reset connection would end the process.
      socket.on('error', () => socket.destroy())
      socket.on('close', () => admit(socket))
      timers.set(
        socket,
        setTimeout(() => socket.destroy(), strangerMs),
      )
      // The oldest has had the longest time. So peers that stay silent keep no place from those that speak.
      for (const oldest of timers.keys()) {
        if (timers.size <= most) break
        oldest.destroy()
        admit(oldest)
      }
    },
    limitBytes(socket) {
      let bytes = 0
      socket.on('data', function count(data: Buffer) {
        bytes += data.length
        if (!timers.has(socket)) socket.off('data', count)
        else if (bytes > strangerBytes) socket.destroy()
      })
    },
    admit,
    count: () => timers.size,
    close() {
      for (const timer of timers.values()) clearTimeout(timer)
    },
  }
}
