/** Some power losses under a store in a file, over a simulated disk; `node test/torture/run.mjs t17` runs thousands. */
import { expect, test } from 'vitest'
import { initSqlite } from '../../../worker/sqlite/init-sqlite.ts'
import type { LossModel } from '../../torture/t3/fake-opfs.ts'
import type { TrialResult } from '../../torture/t3/judge-trial.ts'
import { type Mode, type Place, runTrial } from '../../torture/t3/trial.ts'

// 983: the creation of the store is undone, and the power fails again before it is repeated.
const seeds = [...Array.from({ length: 6 }, (_, i) => 101 + i), 983]

async function* trials(model: LossModel, mode: Mode, place: Place = 'file'): AsyncGenerator<TrialResult> {
  const sqlite3 = await initSqlite()
  for (const seed of seeds) yield runTrial(sqlite3, seed, model, mode, place)
}

test.each([
  ['sector', 'file'],
  ['prefix', 'file'],
  ['sector', 'locked'],
  ['prefix', 'locked'],
] as const)('[P1] [K2] a power loss keeps every acknowledged transaction: %s, %s', async (model, place) => {
  let acknowledged = 0
  for await (const { seed, verdict, reason, acknowledged: count } of trials(model, 'shipped', place)) {
    expect({ seed, verdict, reason }).toEqual({ seed, verdict: 'sound', reason: '' })
    acknowledged += count
  }
  expect(acknowledged).toBeGreaterThan(20)
})

test('control: without syncing, a power loss is found', async () => {
  for await (const { verdict } of trials('sector', 'synchronous=OFF')) if (verdict !== 'sound') return
  expect.unreachable('the simulator found nothing')
})
