/**
 * Runs suites one after the other, or some at once, each in a process of its own so that a crash is a line of the
 * table, too.
 */
import { fork } from 'node:child_process'
import { cpus, release, type } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Outcome, print } from './outcome.ts'

interface Sizes {
  readonly title: string
  /** Absent: left out of CI. */
  readonly short?: readonly string[]
  readonly long: readonly string[]
}

export interface Line {
  readonly name: string
  readonly title: string
  readonly outcome: Outcome | null
  readonly seconds: number
  /** The end of its output. */
  readonly tail: readonly string[]
}

/** For a suite that is red, in lines. */
const tailLines = 15

/**
 * Returns the exit code. `--only t1,t2`, in that order; `--short`: the size of CI; `--at-once 2`: every other runner
 * takes the next suite from the end of the list, so that both finish at about the same time when CPU-bound suites come
 * first and those that wait for browsers last.
 */
export async function runAll(suites: Readonly<Record<string, Sizes>>, args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      short: { type: 'boolean', default: false },
      'at-once': { type: 'string', default: '1' },
    },
  })
  const all = Object.keys(suites).filter((name) => !values.short || suites[name]?.short !== undefined)
  const names = values.only?.split(',') ?? all.toSorted((a, b) => numberOf(a) - numberOf(b))
  const unknown = names.find((name) => suites[name] === undefined)
  if (unknown !== undefined) throw new Error(`"${unknown}" must be the name of a suite.`)
  const lanes = Number(values['at-once'])
  const lines: Line[] = []
  const runLane = async (takeNext: () => string | undefined) => {
    for (let name = takeNext(); name !== undefined; name = takeNext()) {
      const suite = suites[name]!
      const size = (values.short ? suite.short : undefined) ?? suite.long
      const head = `\n== ${name.toUpperCase()} ${suite.title}: node test/torture/run.mjs ${[name, ...size].join(' ')}`
      const startedMs = performance.now()
      const ended = await runOne([name, ...size], head, lanes > 1)
      const seconds = Math.round((performance.now() - startedMs) / 1000)
      lines.push({ name, title: suite.title, ...ended, seconds })
    }
  }
  const left = [...names]
  await Promise.all(
    Array.from({ length: lanes }, (_, lane) => runLane(() => (lane % 2 === 0 ? left.shift() : left.pop()))),
  )
  lines.sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name))
  printTable(lines)
  for (const line of verdictsOf(lines)) print(line)
  return lines.every(({ outcome }) => outcome?.isGreen) ? 0 : 1
}

/**
 * The last lines of a log: the end of the output of each red suite, then one line for each suite, so that the very
 * last lines name what is red.
 */
export function verdictsOf(lines: readonly Line[]): readonly string[] {
  const red = lines.filter(({ outcome }) => !outcome?.isGreen)
  return [
    ...red.flatMap(({ name, tail }) => ['', `== ${name.toUpperCase()} is RED; the end of what it printed:`, ...tail]),
    '',
    ...lines.map(({ name, outcome, seconds }) => {
      const verdict = outcome === null ? 'RED (it crashed)' : outcome.isGreen ? 'green' : 'RED'
      return `${name.toUpperCase()} ${verdict}, ${seconds} s`
    }),
  ]
}

/** `isHeld`: its output is printed in one block, at its end. */
async function runOne(args: readonly string[], head: string, isHeld: boolean): Promise<Pick<Line, 'outcome' | 'tail'>> {
  if (!isHeld) print(head)
  const child = fork(fileURLToPath(new URL('./run.mjs', import.meta.url)), args, { silent: true })
  let outcome: Outcome | null = null
  child.on('message', (told) => {
    outcome = told as Outcome
  })
  const parts: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (part: Buffer) => {
      parts.push(part)
      if (!isHeld) process.stdout.write(part)
    })
  }
  await new Promise((resolve) => child.once('close', resolve))
  const text = Buffer.concat(parts).toString().trimEnd()
  if (isHeld) print(`${head}\n${text}`)
  return { outcome, tail: text.split('\n').slice(-tailLines) }
}

/** As Markdown, for quoting. */
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
