/**
 * The program of `npm run mutants`: changes one line of the sources at a time, in a scratch copy of this tree, and runs the tests that
 * reach it. A mutant that no test notices survives. Results are kept in a file, so that a run can be ended and taken up again.
 *
 * Options: `--count 200`, `--seed 1`, `--folders src/mcp,src/tools` (else all that ships), `--seconds 90` of tests for each mutant (by
 * their usual times), `--wall 300` seconds by the clock for each mutant, `--minutes 0` by the clock for the whole run (0: no limit),
 * `--until 14:30` (UTC), `--part 1/2` (every second of the list, for two runs at once), `--results FILE`, `--scratch FOLDER`,
 * `--only ID,ID` (again, even if known), `--again survived`, `--list`.
 */
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { setPriority, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { applyMutant, mutantsOf } from './candidates.ts'
import { type ChosenMutant, chooseMutants } from './choose.ts'
import { affinitiesTo, importersOf, readFrom, testsReaching } from './related-tests.ts'
import { createTestRunner, type Limits, type Outcome } from './run-tests.ts'
import { type PackageFiles, shippedRoots, shippedSources } from './shipped.ts'
import { writeMutant } from './write-mutant.ts'

interface Result {
  readonly id: string
  readonly verdict: 'killed' | 'survived'
  readonly file: string
  readonly line: number
  readonly operator: string
  readonly was: string
  readonly becomes: string
  readonly killer: string | null
  readonly reason: string
  /** Test files that ran, of those that reach the source. */
  readonly ran: number
  readonly related: number
}

const root = resolve(import.meta.dirname, '../..')
const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    folders: { type: 'string', default: '' },
    seconds: { type: 'string', default: '90' },
    wall: { type: 'string', default: '300' },
    minutes: { type: 'string', default: '0' },
    part: { type: 'string', default: '1/1' },
    until: { type: 'string', default: '' },
    results: { type: 'string', default: join(root, 'node_modules/.cache/scrubjay/mutants.jsonl') },
    scratch: { type: 'string', default: join(tmpdir(), 'scrubjay-mutants') },
    only: { type: 'string', default: '' },
    again: { type: 'string', default: '' },
    list: { type: 'boolean', default: false },
  },
})
const scratch = resolve(options.scratch)
const durationsFile = `${options.results}.durations.json`
const budgetMs = Number(options.seconds) * 1000
/** For one file alone: a test that needs longer does not end. */
const hangMs = 100_000
const wallMs = Number(options.wall) * 1000
/** For runs without a mutant. */
const patient: Limits = { processorMs: 1_000_000, clockMs: 3_600_000 }
const startedMs = performance.now()
const runner = createTestRunner(scratch)

async function main(): Promise<void> {
  const paths = listSources()
  const read = readFrom(root)
  const importers = importersOf(paths, read)
  const folders = options.folders.split(',').filter(Boolean)
  const candidates = shippedSources(paths, shippedRoots(listPackages()))
    .filter((path) => folders.length === 0 || folders.some((folder) => path.startsWith(`${folder}/`)))
    .flatMap((path) => mutantsOf(path, read(path)))
  const [part = 1, parts = 1] = options.part.split('/').map(Number)
  const chosen = chooseMutants(candidates, Number(options.count), Number(options.seed), read).filter(
    (_, i) => i % parts === part - 1,
  )
  process.stdout.write(`${candidates.length} candidates, ${chosen.length} chosen with seed ${options.seed}\n`)
  if (options.list) for (const mutant of chosen) process.stdout.write(`${describe(mutant)}\n`)
  else await runAll(chosen, importers)
}

async function runAll(
  chosen: readonly ChosenMutant[],
  importers: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  mkdirSync(dirname(options.results), { recursive: true })
  setPriority(10)
  copyTree()
  const results = readResults()
  const only = options.only.split(',').filter(Boolean)
  for (const mutant of chosen) {
    const known = results.get(mutant.id)
    const isWanted = only.length > 0 ? only.includes(mutant.id) : known === undefined || known.verdict === options.again
    if (!isWanted) continue
    if (isOver()) break
    const result = await tryMutant(mutant, importers, [...results.values()])
    results.set(mutant.id, result)
    appendFileSync(options.results, `${JSON.stringify(result)}\n`)
    process.stdout.write(
      `${result.verdict} ${result.ran}/${result.related} ${describe(mutant)} ${result.killer ?? ''}\n`,
    )
  }
  const tried = chosen.flatMap(({ id }) => results.get(id) ?? [])
  if (isOver()) return report(tried, chosen.length, new Set())
  const unreliable = new Set(await findUnreliable([...new Set(tried.flatMap(({ killer }) => killer ?? []))]))
  report(tried, chosen.length, unreliable)
}

async function tryMutant(
  mutant: ChosenMutant,
  importers: ReadonlyMap<string, readonly string[]>,
  earlier: readonly Result[],
): Promise<Result> {
  const related = orderTests(mutant.file, importers, earlier)
  const files = withinBudget(related)
  const path = join(scratch, mutant.file)
  const source = readFileSync(path, 'utf8')
  const { id, file, line, operator, was, becomes } = mutant
  const change = { id, file, line, operator, was: was.slice(0, 300), becomes: becomes.slice(0, 300) }
  const counts = { ran: files.length, related: related.length }
  let killer: Outcome | null
  const restore = writeMutant(scratch, file, applyMutant(source, mutant), files)
  runner.change(path)
  try {
    killer = await findKiller(files)
  } finally {
    restore()
    runner.change(path)
  }
  if (killer === null) return { ...change, verdict: 'survived', killer: null, reason: '', ...counts }
  const reason = killer.verdict === 'too long' ? `took more than ${hangMs} ms` : killer.reason
  return { ...change, verdict: 'killed', killer: killer.file, reason, ...counts }
}

/** Test files share a process, for speed. So a file that fails after others must fail alone, too; otherwise the rest runs. */
async function findKiller(files: readonly string[]): Promise<Outcome | null> {
  const startMs = 8000
  const endMs = performance.now() + wallMs
  let rest = files
  while (rest.length > 0) {
    const limits = { processorMs: startMs + 2 * budgetMs, clockMs: endMs - performance.now() }
    if (limits.clockMs < startMs) return null
    const outcome = await runner.run(rest, limits)
    keepDurations(outcome.durations)
    if (outcome.verdict === 'passed' || outcome.file === null) return outcome.verdict === 'failed' ? outcome : null
    if (outcome.verdict === 'failed' && outcome.file === rest[0]) return outcome
    // A file that ran when a short budget ended says nothing; one that alone waits as long as a whole mutant may does not end.
    const alone = await runner.run([outcome.file], { processorMs: hangMs, clockMs: wallMs })
    // A file whose usual time is unknown may just be long.
    if (alone.verdict === 'failed' || (alone.verdict === 'too long' && durations.has(outcome.file))) return alone
    rest = rest.slice(rest.indexOf(outcome.file) + 1)
  }
  return null
}

/** Files that fail without a mutant, too: what they killed does not count. */
async function findUnreliable(files: readonly string[]): Promise<readonly string[]> {
  const unreliable: string[] = []
  let rest = files
  while (rest.length > 0) {
    const { verdict, file } = await runner.run(rest, patient)
    if (verdict === 'passed') break
    const failed = file ?? (rest[0] as string)
    if ((await runner.run([failed], patient)).verdict !== 'passed') unreliable.push(failed)
    rest = rest.slice(rest.indexOf(failed) + 1)
  }
  return unreliable
}

/** Test files on the same subject, near and fast first; a file that killed a mutant of the same folder is taken as nearer. */
function orderTests(
  file: string,
  importers: ReadonlyMap<string, readonly string[]>,
  earlier: readonly Result[],
): readonly string[] {
  const killers = new Set(
    earlier.filter((result) => dirname(result.file) === dirname(file)).map(({ killer }) => killer),
  )
  const reaching = new Map([...testsReaching(file, importers)].filter(([path]) => !unfit.has(path)))
  const read = readFrom(root)
  const texts = new Map([...reaching.keys()].map((path) => [path, read(path)]))
  const affinities = affinitiesTo(`${file} ${read(file)}`, texts)
  const rank = ([path, distance]: readonly [string, number]) =>
    distance / 2 + expectedMs(path) / 4000 - 8 * (affinities.get(path) ?? 0) - (killers.has(path) ? 2 : 0)
  return [...reaching].toSorted((a, b) => rank(a) - rank(b) || (a[0] < b[0] ? -1 : 1)).map(([path]) => path)
}

/** They need the main thread, for a folder or a time zone of the process. All tests run in a thread here. */
const unfit: ReadonlySet<string> = new Set([
  'test/integration/client/node-thread.test.ts',
  'test/integration/client/stores.test.ts',
  'test/integration/recall/times.test.ts',
])

function withinBudget(files: readonly string[]): readonly string[] {
  let sum = 0
  return files.filter((file, i) => {
    const isWithin = i === 0 || sum + expectedMs(file) <= budgetMs
    if (isWithin) sum += expectedMs(file)
    return isWithin
  })
}

const guessedMs: readonly (readonly [folder: string, ms: number])[] = [
  ['test/property/', 15_000],
  ['test/golden/', 5000],
  ['test/integration/project/', 15_000],
]
const durations = new Map<string, number>(
  existsSync(durationsFile) ? JSON.parse(readFileSync(durationsFile, 'utf8')) : [],
)

const expectedMs = (file: string) =>
  durations.get(file) ?? guessedMs.find(([folder]) => file.startsWith(folder))?.[1] ?? 2000

function keepDurations(measured: ReadonlyMap<string, number>): void {
  for (const [file, ms] of measured) durations.set(file, ms)
  writeFileSync(durationsFile, JSON.stringify([...durations]))
}

/** Also what git ignores: the kernel is generated. */
function copyTree(): void {
  rmSync(scratch, { recursive: true, force: true })
  mkdirSync(scratch, { recursive: true })
  const names = new Set(gitFiles().map((path) => path.split('/')[0] as string))
  for (const name of names) cpSync(join(root, name), join(scratch, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(scratch, 'node_modules'))
  if (existsSync(join(root, 'dist'))) cpSync(join(root, 'dist'), join(scratch, 'dist'), { recursive: true })
}

/** Without the kernel, which is compiled to WebAssembly. */
const listSources = () =>
  gitFiles()
    .filter((path) => /(?<!\.d)\.[jt]s$/.test(path) && !path.startsWith('worker/kernel/assembly/'))
    .filter((path) => existsSync(join(root, path)))

const listPackages = (): readonly PackageFiles[] =>
  ['', 'languages'].map((folder) => ({
    folder,
    files: JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).files,
  }))

const gitFiles = (...folders: readonly string[]) =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...folders], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter(Boolean)

function readResults(): Map<string, Result> {
  const lines = existsSync(options.results) ? readFileSync(options.results, 'utf8').split('\n').filter(Boolean) : []
  return new Map(lines.map((line) => JSON.parse(line) as Result).map((result) => [result.id, result]))
}

const isOver = () =>
  (options.until !== '' && new Date().toISOString().slice(11, 16) >= options.until) ||
  (options.minutes !== '0' && performance.now() - startedMs > Number(options.minutes) * 60_000)

function report(results: readonly Result[], count: number, unreliable: ReadonlySet<string>): void {
  const isKilled = ({ verdict, killer }: Result) => verdict === 'killed' && !unreliable.has(killer ?? '')
  const killed = results.filter(isKilled).length
  for (const file of unreliable) process.stdout.write(`fails without a mutant, too: ${file}\n`)
  for (const result of results) {
    const { id, file, line, was, becomes } = result
    if (!isKilled(result))
      process.stdout.write(`survived ${id} ${file}:${line} ${oneLine(was)} → ${oneLine(becomes)}\n`)
  }
  process.stdout.write(`${killed} of ${results.length} killed, ${count - results.length} not tried\n`)
}

const describe = ({ id, file, line, operator, was, becomes }: ChosenMutant) =>
  `${id} ${file}:${line} ${operator}: ${oneLine(was)} → ${oneLine(becomes)}`

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 100)

await main().finally(() => runner.end())
