/**
 * T15: a whole browser is SIGKILLed while it writes in fallback mode, again and again over one profile. Red when an
 * acknowledged write is lost or torn, and when the control, which acknowledges too early, loses nothing. A store that
 * the browser lost completely must answer DATA_MISSING; the number of such losses is printed.
 */

import { availableBrowsers, type BrowserKind } from '../../support/browsers/browsers.ts'
import { conclude, killOptions, runKills } from '../kills/run-kills.ts'
import { browsersToKill } from '../kills/victim.ts'
import { type Outcome, print } from '../outcome.ts'

/** `--kills` in each browser, `--browsers chromium,webkit`, `--seed`. */
export async function runFallbackKills(args: readonly string[]): Promise<Outcome> {
  const { kills, browsers, seed } = killOptions(args, { kills: '20' })
  const kinds = (browsers as readonly BrowserKind[] | null) ?? availableBrowsers()
  print('T15 whole browsers killed, IndexedDB')
  const lines = await runKills(
    kinds.map((kind) => () => browsersToKill(kind, true)),
    { storage: 'indexeddb', base: 0, kills, seed, mostSteps: 20 },
  )
  return conclude(lines, seed, null)
}
