/** One line of kills: a store of one origin is opened, written and killed again and again, and judged at each opening. */
import { until } from '../../support/within.ts'
import { print, quantile } from '../outcome.ts'
import { createRandom } from '../t3/random.ts'
import type { Found, Site } from './site.ts'
import type { Victims } from './victim.ts'
import type { Order } from './worker.ts'

export interface LineOptions {
  readonly storage: Order['storage']
  readonly mode: Order['mode']
  readonly base: number
  readonly kills: number
  readonly seed: number
  /** A victim lives until it has acknowledged up to so many steps: some are killed at their first write. */
  readonly mostSteps: number
}

export interface Tally {
  readonly label: string
  readonly mode: Order['mode']
  version: string
  kills: number
  acknowledged: number
  inFlightKept: number
  lost: number
  torn: number
  vanished: number
  readonly openMs: number[]
}

/** A victim on a machine that does nothing ends too. */
const longestLifeMs = 5_000
/** The kill falls anywhere in the step after the last one that was waited for. */
const longestStepMs = 60

/** The control must fail within so many kills. */
export const controlKills = 12

/** A control ends with the first loss. */
export async function runLine(site: Site, victims: Victims, options: LineOptions): Promise<Tally> {
  const { storage, mode, base, kills, seed, mostSteps } = options
  const random = createRandom(Math.imul(seed + victims.kind.length, 2_654_435_761))
  const tally: Tally = {
    label: victims.kind,
    mode,
    version: '',
    kills: 0,
    acknowledged: 0,
    inFlightKept: 0,
    lost: 0,
    torn: 0,
    vanished: 0,
    openMs: [],
  }
  let generation = 0
  const begin = () => site.begin({ name: `kills ${mode} ${(generation += 1)}`, storage, mode, base, steps: null })
  begin()
  while (tally.kills < kills && !(mode === 'early' && tally.lost > 0)) {
    site.expectVictim()
    const victim = await victims.start(site.url)
    tally.version = victim.version
    let found: Found
    try {
      found = await until(120_000, `${victims.kind}: opening after kill ${tally.kills}`, async () => site.found())
      if (found.verdict === 'sound') {
        const steps = random.between(0, mostSteps)
        const endMs = performance.now() + longestLifeMs
        while (site.acknowledged() < steps && performance.now() < endMs) await pause(5)
        await pause(random.between(0, longestStepMs))
      }
    } finally {
      await victim.kill()
    }
    tally.kills += 1
    if (found.tookMs !== null) tally.openMs.push(found.tookMs)
    if (found.verdict === 'sound') tally.inFlightKept += Number(found.isInFlightKept)
    else {
      tally[found.verdict] += 1
      if (mode === 'shipped') print(`  ${victims.kind}, kill ${tally.kills}: ${found.verdict}: ${found.reason}`)
    }
    tally.acknowledged += site.takeAcknowledged()
    if (found.verdict !== 'sound') begin()
  }
  print(rowOf(tally))
  return tally
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

export function printHead(): void {
  print(row(['browser', 'mode', 'kills', 'steps', 'in flight kept', 'lost', 'torn', 'vanished', 'open p50', 'p95']))
}

function rowOf({ label, mode, kills, acknowledged, inFlightKept, lost, torn, vanished, openMs }: Tally): string {
  const counts = [kills, acknowledged, inFlightKept, lost, torn, vanished].map(String)
  const times = [0.5, 0.95].map((share) => (openMs.length === 0 ? '' : String(Math.round(quantile(openMs, share)))))
  return row([label, mode, ...counts, ...times])
}

function row(cells: readonly string[]): string {
  return cells.map((cell, i) => (i < 2 ? cell.padEnd(10) : cell.padStart(15))).join(' ')
}
