/**
 * Runs apps built with other tools: packs the package once, installs it with each fixture's own tools from the
 * registry into a temporary folder, builds and starts the app there, and asks it. `npm run hosts [name…]`, `--quick`
 * for those that `.ci/run` runs. Prints one line per host; the last line has the counts. `mcp-conformance` is a public
 * suite instead of an app, and is installed in the same way. `create-…` are the apps of `npm create scrubjay`: from an
 * empty folder to the last answer in a browser each must take at most two minutes.
 */
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { openTools, type Tools } from './tools.ts'

/** The value that `host.mjs` of a fixture exports as `host`. */
interface Host {
  /** Whether `.ci/run` runs it. */
  readonly quick?: boolean
  /** The app is the one that `npm create scrubjay` makes of this template, not the files of the folder. */
  readonly template?: string
  /** The reason why it cannot run on this machine, or null. */
  skip?(): string | null
  /** Rejects with what went wrong. */
  run(tools: Tools, isQuick: boolean): Promise<void>
}

const here = fileURLToPath(new URL('.', import.meta.url))
const execute = promisify(execFile)
const mostMsOfTemplate = 120_000

const requested = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const isQuick = process.argv.includes('--quick')
const all = (await readdir(here, { withFileTypes: true }))
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
const unknown = requested.filter((name) => !all.includes(name))
if (unknown.length > 0) {
  process.stderr.write(`Unknown: ${unknown.join(', ')}. Use one of ${all.join(', ')}.\n`)
  process.exit(2)
}

const folder = await mkdtemp(join(tmpdir(), 'scrubjay-hosts-'))
const counts = { passed: 0, failed: 0, skipped: 0 }
try {
  const tarball = await pack()
  for (const name of requested.length > 0 ? requested : all) {
    const { host } = (await import(pathToFileURL(join(here, name, 'host.mjs')).href)) as { readonly host: Host }
    if (isQuick && !host.quick) continue
    const reason = host.skip?.() ?? null
    const startedMs = performance.now()
    if (reason !== null) tell('skipped', name, reason)
    else {
      const app = join(folder, name)
      try {
        await prepare(name, host.template, app, tarball)
        await host.run(openTools(app), isQuick)
        if (host.template !== undefined && performance.now() - startedMs > mostMsOfTemplate)
          throw new Error(`must take at most ${mostMsOfTemplate / 1000} s`)
        tell('passed', name, seconds(startedMs))
      } catch (error) {
        tell('failed', name, `${seconds(startedMs)}\n${error instanceof Error ? error.stack : error}`)
      } finally {
        await rm(app, { recursive: true, force: true, maxRetries: 5 })
      }
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}
const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
process.stdout.write(`${counts.passed} passed, ${counts.failed} failed${skipped}\n`)
process.exit(counts.failed > 0 || counts.passed === 0 ? 1 : 0)

function tell(verdict: keyof typeof counts, name: string, more: string): void {
  counts[verdict]++
  process.stdout.write(`${verdict.padEnd(8)} ${name.padEnd(16)} ${more}\n`)
}

function seconds(startedMs: number): string {
  return `${((performance.now() - startedMs) / 1000).toFixed(0)} s`
}

async function pack(): Promise<string> {
  const root = join(here, '../..')
  const { stdout } = await execute('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  })
  return join(folder, JSON.parse(stdout)[0].filename)
}

/** The fixture with ask.js next to its files, or the created app; with the tarball installed. */
async function prepare(name: string, template: string | undefined, app: string, tarball: string): Promise<void> {
  if (template !== undefined) await execute('node', [join(here, '../../create/cli.mjs'), template, app])
  else {
    await cp(join(here, name), app, { recursive: true })
    await rm(join(app, 'host.mjs'))
    await cp(join(here, 'ask.js'), join(app, 'ask.js'))
  }
  const path = join(app, 'package.json')
  const manifest = JSON.parse(await readFile(path, 'utf8'))
  manifest.dependencies = { ...manifest.dependencies, scrubjay: `file:${tarball}` }
  await writeFile(path, JSON.stringify(manifest))
  await execute('npm', ['install', '--no-audit', '--no-fund', '--loglevel', 'error', '--prefer-offline'], {
    cwd: app,
    maxBuffer: 64 * 1024 * 1024,
  })
}
