/**
 * T2: a whole browser is SIGKILLed, all processes of its group, while it writes into a store in OPFS; the next one
 * opens the same profile. Red as in T1.
 */
import type { BrowserKind } from '../../support/browsers/browsers.ts'
import { conclude, killOptions, runKills } from '../kills/run-kills.ts'
import { browsersToKill } from '../kills/victim.ts'
import { type Outcome, print } from '../outcome.ts'

/** `--kills` in each browser, `--browsers chromium,firefox`, `--base` records before the first step, `--seed`, `--recovery 500` its p95 in ms. */
export async function runBrowserKills(args: readonly string[]): Promise<Outcome> {
  const { kills, browsers, base, seed, recoveryMs } = killOptions(args, { kills: '10' })
  const kinds = (browsers as readonly BrowserKind[] | null) ?? (['chromium'] as const)
  // A measured opening is that of users.
  const compilesLate = recoveryMs === null
  print('T2 whole browsers killed, OPFS')
  const lines = await runKills(
    kinds.map((kind) => () => browsersToKill(kind, compilesLate)),
    { storage: 'opfs', base, kills, seed, mostSteps: 4 },
  )
  return conclude(lines, seed, recoveryMs)
}
