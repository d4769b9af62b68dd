/**
 * Timers for engines whose embedder runs in their own thread. On a busy machine such an embedder can miss its deadline; the answers
 * then come from words alone, and a test that compares them would fail.
 */
import { tuning } from '../../../src/core/model/tuning.ts'
import { realTimers, type Timers } from '../../../src/protocol/timers.ts'

export const patientTimers: Timers = {
  after: (ms, work) => realTimers.after(ms === tuning.builtInEmbedMs ? 100 * ms : ms, work),
}
