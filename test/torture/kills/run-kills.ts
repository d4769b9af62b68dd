/** Runs lines of kills with their controls, and sums up the results. */
import { parseArgs } from 'node:util'
import { type Outcome, print, quantile } from '../outcome.ts'
import { controlKills, type LineOptions, printHead, runLine, type Tally } from './run-line.ts'
import { openSite } from './site.ts'
import type { Victims } from './victim.ts'

export interface KillOptions {
  readonly kills: number
  readonly browsers: readonly string[] | null
  readonly base: number
  readonly seed: number
  /**
   * Slowest allowed p95 of opening after a kill, in ms, without loading SQLite; null: no limit. Only meaningful on an
   * idle machine.
   */
  readonly recoveryMs: number | null
}

export function killOptions(args: readonly string[], defaults: { readonly kills: string }): KillOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      kills: { type: 'string', default: defaults.kills },
      browsers: { type: 'string' },
      base: { type: 'string', default: '10000' },
      seed: { type: 'string', default: '1' },
      recovery: { type: 'string' },
    },
  })
  return {
    kills: Number(values.kills),
    browsers: values.browsers?.split(',') ?? null,
    base: Number(values.base),
    seed: Number(values.seed),
    recoveryMs: values.recovery === undefined ? null : Number(values.recovery),
  }
}

/** Each kind of victim in turn: as shipped, then its control over a small store. */
export async function runKills(
  kinds: readonly (() => Promise<Victims>)[],
  options: Omit<LineOptions, 'mode'>,
): Promise<readonly Tally[]> {
  const site = await openSite()
  const tallies: Tally[] = []
  try {
    printHead()
    for (const open of kinds) {
      const victims = await open()
      try {
        tallies.push(await runLine(site, victims, { ...options, mode: 'shipped' }))
        tallies.push(
          await runLine(site, victims, {
            ...options,
            mode: 'early',
            kills: controlKills,
            base: Math.min(100, options.base),
          }),
        )
      } finally {
        await victims.close()
      }
    }
  } finally {
    await site.close()
  }
  return tallies
}

export function conclude(tallies: readonly Tally[], seed: number, slowestP95Ms: number | null): Outcome {
  const shipped = tallies.filter(({ mode }) => mode === 'shipped')
  const control = tallies.filter(({ mode }) => mode === 'early')
  const sum = (measure: (tally: Tally) => number) => shipped.reduce((total, tally) => total + measure(tally), 0)
  const p95Ms = Math.max(...shipped.map(({ openMs }) => Math.round(quantile(openMs, 0.95))))
  const isSound = sum(({ lost, torn }) => lost + torn) === 0
  const isFast = slowestP95Ms === null || p95Ms <= slowestP95Ms
  const isProof = control.every(({ lost }) => lost > 0)
  if (!isFast) print(`  recovery took too long: p95 ${p95Ms} ms, more than ${slowestP95Ms} ms`)
  if (!isProof) print('  a control lost nothing: these kills prove nothing')
  const isGreen = isSound && isFast && isProof
  const vanished = sum((tally) => tally.vanished)
  return {
    isGreen,
    size: `${sum(({ kills }) => kills)} kills`,
    seeds: String(seed),
    result: [
      `${sum(({ acknowledged }) => acknowledged)} steps acknowledged`,
      `${sum(({ inLongStep }) => inLongStep)} kills in long ones`,
      `${sum(({ partKept }) => partKept)} between slices`,
      `${sum(({ lost }) => lost)} lost`,
      `${sum(({ torn }) => torn)} torn`,
      ...(vanished > 0 ? [`${vanished} vanished`] : []),
      `recovery p95 ${p95Ms} ms`,
    ].join(', '),
    control: control.map(({ label, lost, kills }) => `early: ${label} lost after ${kills} kills (${lost})`).join(', '),
    browsers: shipped.map(({ label, version }) => `${label} ${version}`).join(', '),
  }
}
