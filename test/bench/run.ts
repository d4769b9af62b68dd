/**
 * `npm run bench write [answers | speed | peers-10000 | graphs-10000 | peers-100000 | graphs-100000 | waits …]` measures these tables of
 * `docs/benchmarks.md`, each in a run of its own, writes each into the page with the commit, and draws the plots. It leaves out those that
 * the page has from this commit, unless they are named. `npm run bench [-- --quick --only put,open --peers orama --sizes 10000 --browser firefox --out results.json
 * --no-build]`: measures the speed of the built library in a browser next to its peers, with the quality of each.
 * Tables to stdout, progress to stderr, raw data to JSON. `-- --plot` draws the tables of
 * `docs/benchmarks.md`.
 */
import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildLibrary, isLibraryStale } from '../../demo/build.mjs'
import { explainMissing } from '../support/browsers/find-browser.ts'
import { serveFolder } from '../support/pages/static-server.ts'
import { bundlePage } from './bundle-page.ts'
import {
  generatedCollection,
  judgedCollection,
  measuredCollection,
  missingSets,
  writeCollection,
} from './collections.ts'
import { exactNeighbours } from './exact-neighbours.ts'
import { plotGrowth } from './growth.ts'
import { guardedPasses, guardsOf, isKept } from './guards.ts'
import { measureOurs } from './measure-ours.ts'
import { measurePeers } from './measure-peers.ts'
import { measureQuality } from './measure-quality.ts'
import type { BenchSite } from './open-bench-page.ts'
import { type BenchOptions, parseOptions } from './options.ts'
import { type PeerName, traitsOf } from './page/peer-table.ts'
import { installedVersion, peerPackages, peersFolder } from './peer-packages.mjs'
import type { BenchResult, QualityResult, SizeResult } from './results.ts'
import { toMarkdown, toRatio } from './tables/table.ts'
import { isWritten, type Measured, measuredNow, writeTables } from '../support/pages/page-tables.ts'
import { type PagePart, pageParts } from './tables/page-parts.ts'
import { writeReadme } from './tables/readme-rows.ts'

/** An isolated page may read a clock of 5 µs instead of 100 µs, and measure memory. */
const isolation = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' }

/** Where the table of a part is written; some are too long for the page. */
const pageOf = (name: string) => (/^answers|^graphs|^waits/.test(name) ? `docs/data/${name}.tsv` : 'docs/benchmarks.md')
/** Packages of the versions that have other names. */
const packageOf: Readonly<Record<string, string>> = { MiniSearch: 'minisearch', Orama: '@orama/orama' }

process.exitCode = await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<number> {
  if (args[0] === 'write') return writePage(args.slice(1))
  const options = parseOptions(args)
  if (options.plot) {
    for (const path of await plotGrowth()) process.stdout.write(`${path}\n`)
    return 0
  }
  const missingBrowser = explainMissing(options.browser)
  if (missingBrowser !== null) throw new Error(`The bench needs ${options.browser}: ${missingBrowser}`)
  const missing = missingSets()
  if (missing.length > 0 && !options.quick) {
    process.stdout.write(
      `skipped: the measuring sets ${missing.join(', ')} are not here. Set SCRUBJAY_EVAL_DATA to their folder, or run with --quick, which makes up its own text.\n`,
    )
    return 0
  }
  if (!options.built && isLibraryStale() && !(await buildLibrary())) return 1

  const folder = await mkdtemp(join(tmpdir(), 'scrubjay-bench-'))
  try {
    return report(options, await measure(options, folder, missing.length > 0))
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}

async function writePage(names: readonly string[]): Promise<number> {
  const known = [...Object.keys(pageParts), 'waits']
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Error(`write knows ${known.join(', ')}, not ${unknown}`)
  const measured = measuredNow()
  if (isLibraryStale() && !(await buildLibrary())) return 1
  for (const name of names.length > 0 ? names : known) {
    const command = `npm run bench write ${name}`
    const startedMs = performance.now()
    if (isWritten(pageOf(name), command, measured) && names.length === 0) {
      say(`${name}: is of this commit`)
      continue
    }
    const part = pageParts[name]
    if (part === undefined) spawnSync('npx', ['tsx', 'test/bench/measure-waits.ts', '--write'], { stdio: 'inherit' })
    else await writePart(part, pageOf(name), command, measured)
    await plotGrowth()
    writeReadme()
    say(`${name}: ${((performance.now() - startedMs) / 60_000).toFixed(1)} minutes`)
  }
  return 0
}

async function writePart(part: PagePart, page: string, command: string, at: Measured): Promise<void> {
  const { parts, sizes, peers, tableOf } = part
  const left = peers.filter((peer) => !isInstalled(peer))
  if (left.length > 0) throw new Error(`The table needs ${left.join(', ')}. Run node test/bench/install-peers.mjs.`)
  const missing = missingSets()
  if (missing.length > 0) throw new Error(`The table needs the sets ${missing.join(', ')} in SCRUBJAY_EVAL_DATA.`)
  const options = { ...parseOptions(['--no-build']), parts: new Set(parts), sizes, peers }
  const folder = await mkdtemp(join(tmpdir(), 'scrubjay-bench-'))
  try {
    const result = await measure(options, folder, false)
    process.stdout.write(`${toMarkdown(result)}\n\n`)
    writeTables(page, command, tableOf(result), at, noteOf(result, peers))
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}

/** The machine, its load and the versions of what the table names. */
function noteOf({ machine, versions }: BenchResult, peers: readonly PeerName[]): string {
  const packages = new Set(peers.flatMap((peer) => traitsOf(peer).packages))
  const named = Object.entries(versions).filter(
    ([name]) => name === 'Chromium' || packages.has(name) || packages.has(packageOf[name] ?? ''),
  )
  const load = `${machine.loadBefore.toFixed(1)} to ${machine.loadAfter.toFixed(1)}`
  return `, on ${machine.cores} × ${machine.cpu} at load ${load}, with ${named.map((each) => each.join(' ')).join(', ')}.`
}

interface Setting extends BenchOptions {
  readonly site: BenchSite
  readonly folder: string
  readonly generated: boolean
  readonly onBrowser: (version: string) => void
}

async function measure(options: BenchOptions, folder: string, generated: boolean): Promise<BenchResult> {
  const loadBefore = loadavg()[0] ?? Number.NaN
  say('bundling')
  await bundlePage(join(folder, 'page'))
  const server = await serveFolder(join(folder, 'page'), {
    headers: isolation,
    mounts: { '/data': join(folder, 'data') },
  })
  try {
    let browser = 'unknown'
    const onBrowser = (version: string) => {
      browser = version
    }
    const setting = {
      ...options,
      site: { url: server.url, kind: options.browser },
      peers: options.peers.filter(isInstalled),
      folder,
      generated,
      onBrowser,
    }
    const sizes: SizeResult[] = []
    for (const size of options.sizes) sizes.push(await measureSize(size, setting))
    const quality = options.parts.has('quality') && !generated ? await measureSets(setting) : []
    return {
      date: new Date().toISOString(),
      browser: options.browser,
      machine: {
        cpu: cpus()[0]?.model ?? 'unknown',
        cores: cpus().length,
        memoryGb: Math.round(totalmem() / 1e9),
        loadBefore,
        loadAfter: loadavg()[0] ?? Number.NaN,
      },
      versions: { [options.browser === 'chromium' ? 'Chromium' : 'Firefox']: browser, ...(await libraryVersions()) },
      sizes,
      quality,
    }
  } finally {
    await server.close()
  }
}

async function measureSize(size: number, setting: Setting): Promise<SizeResult> {
  const { site, folder, generated, parts, quick, onBrowser } = setting
  const tell = (line: string) => say(`${size.toLocaleString('en-GB')}: ${line}`)
  tell('preparing the records')
  const collection = generated ? generatedCollection(size) : measuredCollection(size)
  await writeCollection(join(folder, 'data'), collection)
  const questions = quick ? 150 : 300
  const passes = quick ? guardedPasses : (['cold', 'warm'] as const)
  const shared = { site, collection, exact: exactNeighbours(collection), questions, passes, say: tell }
  const asksUs = (['put', 'open', 'recall', 'policies', 'in-use', 'change'] as const).some((part) => parts.has(part))
  const own = asksUs
    ? await measureOurs({
        ...shared,
        parts,
        profileDir: join(folder, `profile-${size}`),
        opens: quick ? 1 : 3,
        budgetMs: 20_000,
      })
    : null
  const peers = setting.peers.filter((peer) => size <= traitsOf(peer).most)
  const theirs = parts.has('peers')
    ? await measurePeers({ ...shared, peers, changes: parts.has('change'), budgetMs: quick ? 4_000 : 8_000 })
    : null
  onBrowser(own?.version ?? theirs?.version ?? 'not started')
  await rm(join(folder, 'data', collection.name), { recursive: true })
  return {
    records: size,
    generated,
    put: own?.put ?? [],
    store: own?.store ?? null,
    peers: theirs?.peers ?? [],
    rows: [...(own?.rows ?? []), ...(theirs?.rows ?? [])],
    changes: [...(own?.changes ?? []), ...(theirs?.changes ?? [])],
  }
}

async function measureSets({ site, folder, quick, peers, onBrowser }: Setting): Promise<QualityResult[]> {
  const sets = quick
    ? ([['locomo', 20]] as const)
    : ([
        ['locomo', 1],
        ['scifact', 1],
      ] as const)
  const results: QualityResult[] = []
  for (const [name, step] of sets) {
    const collection = judgedCollection(name, step)
    await writeCollection(join(folder, 'data'), collection)
    results.push(await measureQuality(site, collection, peers, say, onBrowser))
  }
  return results
}

/** Prints the tables, writes the JSON; the exit code says whether a quick run's ratios hold. */
async function report({ quick, out, parts }: BenchOptions, result: BenchResult): Promise<number> {
  process.stdout.write(`${toMarkdown(result)}\n\n`)
  const path = out ?? join(await mkdtemp(join(tmpdir(), 'scrubjay-bench-results-')), 'bench.json')
  await writeFile(path, `${JSON.stringify(result, null, 1)}\n`)
  say(`written to ${path}`)
  const [first] = result.sizes
  if (!quick || first === undefined || !parts.has('recall') || !parts.has('peers')) return 0
  const guards = guardsOf(first)
  for (const guard of guards) {
    const verdict = isKept(guard) ? 'kept' : 'BROKEN'
    process.stdout.write(`guard ${verdict}: ${guard.what} = ${toRatio(guard.ratio)}, at most ${guard.most}\n`)
  }
  return guards.every(isKept) ? 0 : 1
}

async function libraryVersions(): Promise<Record<string, string>> {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const versionIn = async (folder: string) =>
    (JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8')) as { readonly version: string }).version
  return {
    Scrubjay: await versionIn('.'),
    MiniSearch: await versionIn('node_modules/minisearch'),
    Orama: await versionIn('node_modules/@orama/orama'),
    ...Object.fromEntries(
      Object.keys(peerPackages).flatMap((name) => {
        const version = installedVersion(name)
        return version === null ? [] : [[name, version]]
      }),
    ),
  }
}

/** Names the peers that are left out, and how to install them. */
function isInstalled(peer: PeerName): boolean {
  const further = traitsOf(peer).packages.filter((name) => Object.hasOwn(peerPackages, name))
  const isThere = further.every((name) => installedVersion(name) !== null)
  if (!isThere) say(`${peer} is left out: not in ${peersFolder}. To have it: node test/bench/install-peers.mjs`)
  return isThere
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}
