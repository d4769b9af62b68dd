/**
 * T16: processes that share a store in a file of Node are killed right after an acknowledgement. Red when an acknowledged write is missing,
 * was done twice or a forgotten record is back, when the integrity check finds a problem, and when the control loses nothing.
 */
import { parseArgs } from 'node:util'
import { killWriters } from '../../support/processes/kill-writers.ts'
import { type Outcome, print } from '../outcome.ts'

/** `--kills`, `--seed`. */
export async function runProcessKills(args: readonly string[]): Promise<Outcome> {
  const { values } = parseArgs({
    args: [...args],
    options: { kills: { type: 'string', default: '100' }, seed: { type: 'string', default: '1' } },
  })
  const seed = Number(values.seed)
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
