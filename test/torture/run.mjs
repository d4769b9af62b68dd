/**
 * Runs torture suites. One: `node test/torture/run.mjs t3 --crashes 1000`; it gets the remaining arguments. All of
 * them, at the size of a long run: `node test/torture/run.mjs`, with `--only t1,t2` some, with `--short` at the size
 * of CI, with `--at-once 2` two at a time; each in a process of its own, and at the end one table. The suites are
 * TypeScript, so a loader comes first.
 */
import { execFileSync } from 'node:child_process'
import { register } from 'node:module'
import { register as registerTypeScript } from 'tsx/esm/api'

/** @typedef {import('./outcome.ts').Outcome} Outcome */
/**
 * @typedef {object} Suite
 * @property {string} title
 * @property {(args: string[]) => Promise<Outcome>} run
 * @property {string[]} [short] arguments in CI; without them it runs only at the size of a long run
 * @property {string[]} long
 * @property {boolean} [isBrowserSqlite] runs the browser's build of SQLite in Node, which alone has the OPFS layer
 */

/** @type {Record<string, Suite>} */
const suites = {
  t1: {
    title: 'renderer killed',
    run: async (args) => (await import('./t1/run.ts')).runRendererKills(args),
    short: ['--kills', '6', '--base', '300'],
    long: ['--kills', '1000', '--recovery', '500'],
  },
  t2: {
    title: 'browser killed',
    run: async (args) => (await import('./t2/run.ts')).runBrowserKills(args),
    short: ['--kills', '4', '--base', '300'],
    long: ['--kills', '250', '--browsers', 'chromium,firefox', '--recovery', '500'],
  },
  t3: {
    title: 'power loss',
    run: async (args) => (await import('./t3/run.ts')).runPowerLoss(args),
    // The rarest control, MEMORY under `prefix`, fails within the first 25 seeds from here.
    short: ['--crashes', '64', '--control-from', '276'],
    long: ['--crashes', '100000'],
  },
  t4: {
    title: 'an I/O call fails',
    run: async (args) => (await import('./t4/run.ts')).runFaults(args),
    // Other calls for each commit, and the same ones for the same commit.
    short: ['--stride', '300', '--seed', seedOfCommit()],
    long: ['--names', 'NotReadableError,QuotaExceededError'],
    isBrowserSqlite: true,
  },
  t5: {
    title: 'memory runs out',
    run: async (args) => (await import('./t5/run.ts')).runMemory(args),
    short: ['--trials', '20'],
    long: ['--trials', '1000'],
    isBrowserSqlite: true,
  },
  t6: {
    title: 'tabs',
    run: async (args) => (await import('./t6/run.ts')).runTabs(args),
    short: ['--changes', '6'],
    long: ['--changes', '5000'],
  },
  t7: {
    title: 'hostile bytes',
    run: async (args) => (await import('./t7/run.ts')).runHostileBytes(args),
    // Hundreds of mutants of exports are part of `npm run test:all`.
    short: ['--mutants', '14', '--stored', '14'],
    long: ['--mutants', '100000', '--stored', '5000'],
    isBrowserSqlite: true,
  },
  t8: {
    title: 'no more space',
    run: async (args) => (await import('./t8/run.ts')).runQuota(args),
    short: ['--sizes', '4'],
    long: ['--sizes', '400'],
  },
  t10: {
    title: 'wrong clocks',
    run: async (args) => (await import('./t10/run.ts')).runClocks(args),
    short: ['--runs', '30'],
    long: ['--runs', '1000'],
  },
  t11: {
    title: 'soak',
    run: async (args) => (await import('./t11/run.ts')).runSoak(args),
    short: ['--writes', '4000', '--live', '1000'],
    long: ['--writes', '1000000'],
    isBrowserSqlite: true,
  },
  t14: {
    title: 'extension stopped',
    run: async (args) => (await import('./t14/run.ts')).runExtensionStops(args),
    short: ['--stops', '4'],
    long: ['--stops', '50'],
  },
  t15: {
    title: 'killed without OPFS',
    run: async (args) => (await import('./t15/run.ts')).runFallbackKills(args),
    // In one of the browsers: another for other commits, and the same one for the same commit.
    short: ['--kills', '2', '--browsers', ['chromium', 'firefox', 'webkit'][Number(seedOfCommit()) % 3] ?? 'chromium'],
    long: ['--kills', '100'],
  },
  t16: {
    title: 'processes of one file killed',
    run: async (args) => (await import('./t16/run.ts')).runProcessKills(args),
    long: ['--kills', '1000'],
  },
  t17: {
    title: 'power loss, a file of Node',
    run: async (args) => (await import('./t3/run.ts')).runPowerLoss(['--place', 'file', ...args]),
    long: ['--crashes', '3000'],
  },
  t18: {
    title: 'more random cases',
    run: async (args) => (await import('./t18/run.ts')).runRandomCases(args),
    long: ['--size', '10'],
  },
  t19: {
    title: 'MCP clients and the command line on one store',
    run: async (args) => (await import('./t19/run.ts')).runMixedClients(args),
    long: ['--seconds', '600'],
  },
  t20: {
    title: 'eight processes of one file, one killed every 50 ms',
    run: async (args) => (await import('./t16/run.ts')).runProcessKills(['--processes', '8', '--every', '50', ...args]),
    long: ['--seconds', '300'],
  },
  t21: {
    title: 'files exchanged under processes',
    run: async (args) => (await import('./t21/run.ts')).runGround(args),
    // Most of their time is waiting for stopped owners.
    short: ['--histories', '8', '--at-once', '8'],
    long: ['--histories', '300'],
  },
}

/** A number from the checked-out commit, as text; 0 without one. */
function seedOfCommit() {
  try {
    const hash = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return String(Number.parseInt(hash.slice(0, 6), 16))
  } catch {
    return '0'
  }
}

const [first = '', ...rest] = process.argv.slice(2)
if (first === '' || first.startsWith('--')) {
  registerTypeScript()
  const { runAll } = await import('./run-all.ts')
  process.exitCode = await runAll(suites, process.argv.slice(2))
} else {
  const suite = suites[first]
  if (suite === undefined) {
    process.stderr.write(`"${first}" must be the name of a suite: ${Object.keys(suites).join(', ')}.\n`)
    process.exit(2)
  }
  if (suite.isBrowserSqlite) register('./node-opfs/use-browser-sqlite.mjs', import.meta.url)
  registerTypeScript()
  const outcome = await suite.run(rest)
  process.stdout.write(`${first.toUpperCase()} ${outcome.size}, seed ${outcome.seeds}: ${outcome.result}\n`)
  process.stdout.write(`control: ${outcome.control}\n${outcome.isGreen ? 'green' : 'RED'}\n`)
  process.send?.(outcome)
  process.exitCode = outcome.isGreen ? 0 : 1
}
