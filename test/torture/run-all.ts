/** Runs suites one after the other, each in a process of its own so that a crash is a line of the table too. */
import { fork } from 'node:child_process'
import { cpus, release, type } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Outcome, print } from './outcome.ts'

interface Sizes {
  readonly title: string
  readonly short: readonly string[]
  readonly long: readonly string[]
}

interface Line {
  readonly name: string
  readonly title: string
  readonly outcome: Outcome | null
  readonly seconds: number
}

/** Returns the exit code. `--only t1,t2`; `--short`: the size of CI. */
export async function runAll(suites: Readonly<Record<string, Sizes>>, args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { only: { type: 'string' }, short: { type: 'boolean', default: false } },
  })
  const names = values.only?.split(',') ?? Object.keys(suites).toSorted((a, b) => numberOf(a) - numberOf(b))
  const lines: Line[] = []
  for (const name of names) {
    const suite = suites[name]
    if (suite === undefined) throw new Error(`There is no suite "${name}".`)
    const size = values.short ? suite.short : suite.long
    print(`\n== ${name.toUpperCase()} ${suite.title}: node test/torture/run.mjs ${[name, ...size].join(' ')}`)
    const startedMs = performance.now()
    const outcome = await runOne([name, ...size])
    lines.push({ name, title: suite.title, outcome, seconds: Math.round((performance.now() - startedMs) / 1000) })
  }
  printTable(lines)
  return lines.every(({ outcome }) => outcome?.isGreen) ? 0 : 1
}

function runOne(args: readonly string[]): Promise<Outcome | null> {
  const child = fork(fileURLToPath(new URL('./run.mjs', import.meta.url)), args)
  let outcome: Outcome | null = null
  child.on('message', (told) => {
    outcome = told as Outcome
  })
  return new Promise((resolve) => child.once('exit', () => resolve(outcome)))
}

/** As Markdown, to be quoted. */
function printTable(lines: readonly Line[]): void {
  const day = new Date().toISOString().slice(0, 10)
  const versions = [...new Set(lines.flatMap(({ outcome }) => outcome?.browsers.split(', ') ?? []))].filter(Boolean)
  print(
    `\n${day}, ${type()} ${release()}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.versions.node}, ${versions.join(', ')}\n`,
  )
  const head = ['test', 'size', 'seed', 'found', 'control', 'time', '']
  print(cells(head))
  print(cells(head.map(() => '---')))
  for (const { name, title, outcome, seconds } of lines) {
    const test = `${name.toUpperCase()} ${title}`
    const { size = '', seeds = '', result = 'it crashed', control = '', isGreen = false } = outcome ?? {}
    print(cells([test, size, seeds, result, control, `${seconds} s`, isGreen ? 'green' : 'RED']))
  }
}

function cells(row: readonly string[]): string {
  return `| ${row.join(' | ')} |`
}

function numberOf(name: string): number {
  return Number(name.slice(1))
}
