/** T7: hostile bytes of exports. Red when one got in that was not sealed, broke something, or when the control finds nothing. */
import { parseArgs } from 'node:util'
import { runMutants } from './mutants.ts'

/** Returns the exit code. `--mutants` how many, `--from` the first seed. */
export async function runHostileBytes(args: readonly string[]): Promise<number> {
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
  process.stdout.write(`control, all sealed anew: ${control.refused} refused, ${control.landed} landed\n`)
  return failures.length + control.failures.length === 0 && control.landed > 0 ? 0 : 1
}
