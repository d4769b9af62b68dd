/**
 * T1: the renderer is SIGKILLed while it writes text, FTS and vectors into a store in OPFS. The browser goes on, and
 * the next tab opens what is left. Red when an acknowledged write is lost or torn, when recovery is slower than the
 * limit, and when the control, which acknowledges too early, loses nothing.
 */
import { conclude, killOptions, runKills } from '../kills/run-kills.ts'
import { renderersToKill } from '../kills/victim.ts'
import { type Outcome, print } from '../outcome.ts'

/** `--kills`, `--base` records before the first step, `--seed`, `--recovery 500` its p95 in ms. */
export async function runRendererKills(args: readonly string[]): Promise<Outcome> {
  const { kills, base, seed, recoveryMs } = killOptions(args, { kills: '20' })
  // A measured opening is that of users.
  const compilesLate = recoveryMs === null
  print('T1 renderers killed, OPFS')
  const lines = await runKills([() => renderersToKill(compilesLate)], {
    storage: 'opfs',
    base,
    kills,
    seed,
    mostSteps: 4,
  })
  return conclude(lines, seed, recoveryMs)
}
