/**
 * Runs trials one after the other with the shipped storage code over the fake file system, and returns their results.
 */
import { initSqlite } from '../../../worker/sqlite/init-sqlite.ts'
import type { LossModel } from './fake-opfs.ts'
import type { TrialResult } from './judge-trial.ts'
import { type Mode, type Place, runTrial } from './trial.ts'

export interface TrialBatch {
  readonly firstSeed: number
  readonly count: number
  readonly model: LossModel
  readonly mode: Mode
  readonly place: Place
}

self.onmessage = async ({ data }: MessageEvent<TrialBatch>) => {
  try {
    const sqlite3 = await initSqlite()
    const results: TrialResult[] = []
    for (let seed = data.firstSeed; seed < data.firstSeed + data.count; seed++) {
      results.push(await runTrial(sqlite3, seed, data.model, data.mode, data.place))
    }
    self.postMessage({ value: results })
  } catch (error) {
    self.postMessage({
      error: { code: 'TRIAL', message: error instanceof Error ? `${error.message}\n${error.stack}` : String(error) },
    })
  }
}
