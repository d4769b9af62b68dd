/**
 * Erases replaced text from the journal [P4] by emptying the journal: one second after the last replacement, when the page
 * is left, and when the store closes. Text that a killed tab left there is erased one second after the store opens.
 */
import type { Durability } from '../../src/core/model/receipts.ts'
import type { Timers } from '../../src/protocol/timers.ts'
import type { WriteQueue } from './write-queue.ts'

export interface Erasure {
  /** Call before a commit that replaced or removed text is flushed. */
  due(): void
  /** Erases synchronously, as far as possible: the thread may end at any moment. */
  now(): void
  /** Cancels the timer. Call it when the store closes: closing erases, too. */
  stop(): void
}

/** The part of `OpenStorage` that erasing uses. */
export interface ErasableStorage {
  readonly durability: Durability
  checkpoint(): void | Promise<void>
  readonly isUnerased?: boolean
  mustErase?(): void
}

/** ms: erase after this long without a replacement, and at latest this long after the first one. */
const restMs = 1_000
const longestMs = 10_000

export function createErasure(storage: ErasableStorage, writeQueue: WriteQueue, timers: Timers): Erasure {
  let isDue = false
  let firstDueMs = 0
  let cancelTimer = () => {}

  const erase = async () => {
    if (!isDue) return
    isDue = false
    try {
      await storage.checkpoint()
    } catch {
      // The disk is full, or a read is running. The journal is unchanged; try again later.
      isDue = true
      wait(longestMs)
    }
  }
  const wait = (ms: number) => {
    cancelTimer()
    cancelTimer = timers.after(ms, () => void writeQueue.write(erase).catch(() => undefined))
  }

  const erasure: Erasure = {
    due() {
      // A store in memory has no journal.
      if (storage.durability === 'memory') return
      storage.mustErase?.()
      const nowMs = performance.now()
      if (!isDue) firstDueMs = nowMs
      isDue = true
      wait(Math.min(restMs, Math.max(0, firstDueMs + longestMs - nowMs)))
    },
    now: () => void erase(),
    stop() {
      cancelTimer()
      isDue = false
    },
  }
  if (storage.isUnerased === true) erasure.due()
  return erasure
}
