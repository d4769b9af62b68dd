/**
 * Runs one torture suite: `node test/torture/run.mjs t3 --crashes 1000`. The suites are TypeScript, so a loader comes
 * first. A suite joins by one line in the table; it gets the remaining arguments and returns the exit code.
 */
import { register } from 'tsx/esm/api'

register()

/** @type {Record<string, (args: string[]) => Promise<number>>} */
const suites = {
  t7: async (args) => (await import('./t7/run.ts')).runHostileBytes(args),
  t6: async (args) => (await import('./t6/run.ts')).runTabs(args),
  t3: async (args) => (await import('./t3/run.ts')).runPowerLoss(args),
  t15: async (args) => (await import('./t15/run.ts')).runKills(args),
}

const [name = '', ...args] = process.argv.slice(2)
const suite = suites[name]
if (suite === undefined) {
  process.stderr.write(`There is no suite "${name}"; there are: ${Object.keys(suites).join(', ')}.\n`)
  process.exit(2)
}
process.exitCode = await suite(args)
