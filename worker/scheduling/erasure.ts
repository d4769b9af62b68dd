/**
 * Erases text that was replaced [P4]: it stays in the journal until that is emptied, which is done once nothing was replaced
 * for a second, when the page goes, and when the store closes. What a killed tab left there goes a second after the store opens.
 */
import type { Timers } from '../../src/protocol/timers.ts'
import type { OpenStorage } from '../storage/common/port.ts'
import type { Serial } from './write-queue.ts'

export interface Erasure {
  /** Told before a commit is flushed: it replaced or removed text. */
  due(): void
  /** At once, as far as it can be done without waiting: the thread may end at any moment. */
  now(): void
  /** The store closes, which erases too. */
  stop(): void
}

/** ms of rest after the last replacement, and at most so many after the first. */
const restMs = 1_000
const longestMs = 10_000

export function createErasure(storage: OpenStorage, serial: Serial, timers: Timers): Erasure {
  let isDue = false
  let firstDueMs = 0
  let callOff = () => {}

  const erase = async () => {
    if (!isDue) return
    isDue = false
    try {
      await storage.checkpoint()
    } catch {
      // On a full disk, or beside a read: nothing was lost, and it is tried again.
      isDue = true
      wait(longestMs)
    }
  }
  const wait = (ms: number) => {
    callOff()
    callOff = timers.after(ms, () => void serial.write(erase).catch(() => undefined))
  }

  const erasure: Erasure = {
    due() {
      // Nothing is stored.
      if (storage.durability === 'memory') return
      storage.mustErase?.()
      const nowMs = performance.now()
      if (!isDue) firstDueMs = nowMs
      isDue = true
      wait(Math.min(restMs, Math.max(0, firstDueMs + longestMs - nowMs)))
    },
    now: () => void erase(),
    stop() {
      callOff()
      isDue = false
    },
  }
  if (storage.isUnerased === true) erasure.due()
  return erasure
}
