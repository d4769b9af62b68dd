/** T7: hostile bytes of exports. Red when one got in that was not sealed, broke something, or when the control finds nothing. */
import { parseArgs } from 'node:util'
import { type Outcome, seedsFrom } from '../outcome.ts'
import { runMutants } from './mutants.ts'

/** `--mutants` how many, `--from` the first seed. */
export async function runHostileBytes(args: readonly string[]): Promise<Outcome> {
  const { values } = parseArgs({
    args: [...args],
    options: { mutants: { type: 'string', default: '2000' }, from: { type: 'string', default: '1' } },
  })
  const [count, from] = [Number(values.mutants), Number(values.from)]
  const startedMs = performance.now()
  const { refused, landed, failures, codes } = await runMutants({ from, count })
  const seconds = Math.round((performance.now() - startedMs) / 1000)
  process.stdout.write(`T7 exports: ${refused} refused, ${landed} sealed anew landed whole, ${seconds} s\n`)
  process.stdout.write(`${JSON.stringify(codes)}\n`)
  for (const failure of failures) process.stdout.write(`${failure}\n`)
  // Without checksums some mutants are sound records: were there none, nothing behind the checksums was tried.
  const control = await runMutants({ from, count: Math.min(count, 500), onlySealed: true })
  for (const failure of control.failures) process.stdout.write(`${failure}\n`)
  return {
    isGreen: failures.length + control.failures.length === 0 && control.landed > 0,
    size: `${count} mutants`,
    seeds: seedsFrom(from, count),
    result: `${refused} refused, ${landed} sealed anew landed whole, ${failures.length} got in or broke something`,
    control: `all sealed anew: ${control.landed} of ${control.refused + control.landed} landed`,
    browsers: '',
  }
}
