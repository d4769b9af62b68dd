/**
 * T16: processes that share a store in a file of Node are killed. Two processes, right after an acknowledgement; with `--processes`, so many at any
 * time. Red when an acknowledged write is missing, was done twice or a forgotten record is back, when the integrity check finds a problem, and when a
 * control finds nothing.
 */
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { killWriters } from '../../support/processes/kill-writers.ts'
import { type Outcome, print } from '../outcome.ts'
import { runStorm, type StormMode, type StormOptions, type StormTally } from './storm.ts'

/** `--kills`, `--seed`; or `--processes`, `--every` (ms), `--seconds`, `--seed`. */
export async function runProcessKills(args: readonly string[]): Promise<Outcome> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      kills: { type: 'string', default: '100' },
      processes: { type: 'string' },
      every: { type: 'string', default: '50' },
      seconds: { type: 'string', default: '300' },
      seed: { type: 'string', default: '1' },
    },
  })
  const seed = Number(values.seed)
  if (values.processes !== undefined) {
    const [processes, every, seconds] = [values.processes, values.every, values.seconds].map(Number)
    return runManyProcesses({ processes: processes!, every: every!, seconds: seconds!, seed })
  }
  const shipped = await killWriters({ kills: Number(values.kills), seed, mode: 'shipped', judgeEvery: 20 })
  const { kills, leaders, acknowledged, lost, returned, errors } = shipped
  for (const line of [...lost, ...returned, ...errors].slice(0, 20)) print(line)
  const control = await killWriters({ kills: 100, seed, mode: 'early', judgeEvery: 2 })
  return {
    isGreen: lost.length + returned.length + errors.length === 0 && control.lost.length > 0,
    size: `${kills} kills, ${leaders} of the owner`,
    seeds: values.seed,
    result: `${acknowledged} acknowledged, ${lost.length} lost, ${returned.length} came back, ${errors.length} errors`,
    control: `${control.lost.length} lost after ${control.kills} kills`,
    browsers: '',
  }
}

async function runManyProcesses(options: Omit<StormOptions, 'mode'>): Promise<Outcome> {
  const shipped = await runStorm({ ...options, mode: 'shipped' })
  const { kills, skipped, leaders, opening, acknowledged, lost, twice, returned, errors } = shipped
  for (const line of [...lost, ...twice, ...returned, ...errors].slice(0, 20)) print(line)
  print(
    `load ${loadavg()[0]!.toFixed(1)}; ${opening} killed while they opened the store; ${skipped} ticks without a kill`,
  )
  print(resultOf(shipped))
  const early = await runControl({ ...options, mode: 'early' }, 'lost')
  const anonymous = await runControl({ ...options, mode: 'anonymous' }, 'twice')
  const faults = lost.length + twice.length + returned.length + errors.length
  return {
    isGreen: faults === 0 && acknowledged > 0 && leaders > 0 && early > 0 && anonymous > 0,
    size: `${options.processes} processes, ${options.seconds} s, ${kills} kills, ${leaders} of the owner`,
    seeds: String(options.seed),
    result: resultOf(shipped),
    control: `early: ${early} lost; no operation ids: ${anonymous} twice`,
    browsers: '',
  }
}

function resultOf({ acknowledged, inFlight, lost, twice, returned, errors }: StormTally): string {
  const faults = `${lost.length} lost, ${twice.length} twice, ${returned.length} came back, ${errors.length} errors`
  return `${acknowledged} acknowledged, ${inFlight} in flight, ${faults}`
}

const controlSeconds = 10
const controlRounds = 6

/** Runs short rounds until one finds such a fault. Returns how many it found. */
async function runControl(
  options: StormOptions & { readonly mode: Exclude<StormMode, 'shipped'> },
  fault: 'lost' | 'twice',
): Promise<number> {
  for (let round = 0; round < controlRounds; round += 1) {
    const found = await runStorm({ ...options, seconds: controlSeconds, seed: options.seed + round })
    if (found[fault].length > 0) return found[fault].length
  }
  return 0
}
