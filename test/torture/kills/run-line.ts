/**
 * Runs one line of kills: a store of one origin is opened, written and killed again and again, and judged at each
 * opening.
 */
import { until } from '../../support/browsers/within.ts'
import { print, quantile } from '../outcome.ts'
import { createRandom } from '../t3/random.ts'
import type { Found, Site } from './site.ts'
import type { Victim, Victims } from './victim.ts'
import type { Order } from './worker.ts'

export interface LineOptions {
  readonly storage: Order['storage']
  readonly mode: Order['mode']
  readonly base: number
  readonly kills: number
  readonly seed: number
  /** A victim lives until it has acknowledged at most so many steps: some are killed at their first write. */
  readonly mostSteps: number
}

export interface Tally {
  readonly label: string
  readonly mode: Order['mode']
  version: string
  kills: number
  acknowledged: number
  /** Steps that were in flight and turned out to be durable. */
  wholeKept: number
  /** Steps in flight of which some slices are there, acknowledged or not. */
  partKept: number
  /** Kills in a long step. */
  inLongStep: number
  lost: number
  torn: number
  vanished: number
  readonly openMs: number[]
}

/** Ends a victim on a machine where nothing happens. */
const longestLifeMs = 8_000
const longestControlLifeMs = 60_000
/** The kill falls anywhere in the step after the last awaited one. */
const longestStepMs = 60
const longestLongStepMs = 900
/** The position of the kill in the script; drawn for each victim. */
const places = ['anywhere', 'in a long step', 'between slices'] as const

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
    wholeKept: 0,
    partKept: 0,
    inLongStep: 0,
    lost: 0,
    torn: 0,
    vanished: 0,
    openMs: [],
  }
  let generation = 0
  const begin = () => site.begin({ name: `kills ${mode} ${(generation += 1)}`, storage, mode, base, progress: null })
  begin()
  while (tally.kills < kills && !(mode === 'early' && tally.lost > 0)) {
    const victim = await startVictim(site, victims)
    tally.version = victim.version
    let found: Found
    try {
      found = await until(120_000, `${victims.kind}: opening after kill ${tally.kills}`, async () =>
        site.found(),
      ).catch((error: Error) => {
        throw new Error(`${error.message}; its last request was ${site.lastRequest()}`, { cause: error })
      })
      if (found.verdict === 'sound') {
        const steps = random.between(0, mostSteps)
        const where = random.pick(places)
        const isThere = {
          anywhere: () => true,
          'in a long step': site.isInLongStep,
          'between slices': site.isBetweenSlices,
        }
        if (mode === 'early') {
          // The control acknowledges writes before they are durable: it is killed right after an acknowledgement.
          await waitUntil(() => site.acknowledged() > 0, longestControlLifeMs)
        } else {
          await waitUntil(() => site.acknowledged() >= steps && isThere[where](), longestLifeMs)
          await pause(random.between(0, where === 'in a long step' ? longestLongStepMs : longestStepMs))
        }
        tally.inLongStep += Number(site.isInLongStep())
      }
    } finally {
      await victim.kill()
    }
    tally.kills += 1
    if (found.tookMs !== null) tally.openMs.push(found.tookMs)
    if (found.verdict === 'sound') {
      tally.wholeKept += Number(found.kept === 'whole')
      tally.partKept += Number(found.kept === 'part')
    } else {
      tally[found.verdict] += 1
      if (mode === 'shipped') print(`  ${victims.kind}, kill ${tally.kills}: ${found.verdict}: ${found.reason}`)
    }
    tally.acknowledged += site.takeAcknowledged()
    if (found.verdict !== 'sound') begin()
  }
  print(rowOf(tally))
  return tally
}

/** A browser whose page does not run within this time is started again: it has not touched the store. */
const loadMs = 20_000
const mostStarts = 5

async function startVictim(site: Site, victims: Victims): Promise<Victim> {
  for (let start = 1; ; start += 1) {
    site.expectVictim()
    const victim = await victims.start(site.url)
    await waitUntil(site.isRunning, loadMs)
    if (site.isRunning()) return victim
    await victim.kill()
    print(
      `  ${victims.kind}: start ${start} ran no page within ${loadMs} ms; its last request was ${site.lastRequest()}`,
    )
    if (start === mostStarts) throw new Error(`${victims.kind} ran no page at ${mostStarts} starts`)
  }
}

async function waitUntil(isDue: () => boolean, mostMs: number): Promise<void> {
  const endMs = performance.now() + mostMs
  while (!isDue() && performance.now() < endMs) await pause(5)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

export function printHead(): void {
  print(
    row([
      'browser',
      'mode',
      'kills',
      'steps',
      'in long steps',
      'kept whole',
      'kept in part',
      'lost',
      'torn',
      'vanished',
      'open p50',
      'p95',
    ]),
  )
}

function rowOf(tally: Tally): string {
  const { label, mode, kills, acknowledged, inLongStep, wholeKept, partKept, lost, torn, vanished, openMs } = tally
  const counts = [kills, acknowledged, inLongStep, wholeKept, partKept, lost, torn, vanished].map(String)
  const times = [0.5, 0.95].map((share) => (openMs.length === 0 ? '' : String(Math.round(quantile(openMs, share)))))
  return row([label, mode, ...counts, ...times])
}

function row(cells: readonly string[]): string {
  return cells.map((cell, i) => (i < 2 ? cell.padEnd(10) : cell.padStart(15))).join(' ')
}
