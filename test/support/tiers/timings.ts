/**
 * The program of `npm run timings`: runs the tests of `npm test` (`--all`: every test) and prints what they took, the slowest files
 * first. `--write` keeps the times of the files in Node, by which `npm run test:changed` chooses.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

interface Time {
  readonly file: string
  readonly cpuMs: number
  readonly wallMs: number
}

const root = resolve(import.meta.dirname, '../../..')
const kept = new URL('durations.json', import.meta.url)
const { values } = parseArgs({ options: { all: { type: 'boolean' }, write: { type: 'boolean' } } })

const folder = mkdtempSync(join(tmpdir(), 'scrubjay-timings-'))
const target = join(folder, 'times.jsonl')
const load = loadavg()[0] as number
const from = performance.now()
const { status } = spawnSync(
  process.execPath,
  [join(root, 'test/support/run-tests.mjs'), ...(values.all ? ['--all'] : [])],
  { cwd: root, stdio: 'inherit', env: { ...process.env, SCRUBJAY_TIMES: target } },
)
const seconds = (performance.now() - from) / 1000
const lines = existsSync(target) ? readFileSync(target, 'utf8').split('\n').filter(Boolean) : []
const times = lines.map((line) => JSON.parse(line) as Time).toSorted((a, b) => b.wallMs - a.wallMs)
rmSync(folder, { recursive: true })

for (const { file, cpuMs, wallMs } of times.slice(0, 20))
  print(`${inSeconds(wallMs)} s, ${inSeconds(cpuMs)} s of processor time  ${file}`)
const sum = times.reduce((total, { cpuMs }) => total + cpuMs, 0)
print(
  `${times.length} files in ${seconds.toFixed(0)} s, ${inSeconds(sum)} s of processor time; load at the start: ${load.toFixed(1)}`,
)
if (values.write) {
  const inNode = times.filter(({ file }) => !file.endsWith('.browser.test.ts'))
  const known = { ...JSON.parse(readFileSync(kept, 'utf8')), ...Object.fromEntries(inNode.map(entryOf)) }
  const sorted = Object.fromEntries(Object.entries(known).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(kept, `${JSON.stringify(sorted, null, 2)}\n`)
}
process.exitCode = status ?? 1

function entryOf({ file, cpuMs }: Time): [string, number] {
  return [file, Number(inSeconds(cpuMs))]
}

function inSeconds(ms: number): string {
  return (ms / 1000).toFixed(1)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
