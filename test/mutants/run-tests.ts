/** Runs test files in the scratch copy, one after another in one process, until one fails or the time is over. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

export interface Outcome {
  readonly verdict: 'passed' | 'failed' | 'too long'
  /** The file that failed, or the one that was running when the time was over. */
  readonly file: string | null
  /** The failed test and its error, shortened. */
  readonly reason: string
  /** ms, by file. */
  readonly durations: ReadonlyMap<string, number>
}

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly startTime: number
    readonly endTime: number
    readonly assertionResults: readonly {
      readonly status: string
      readonly fullName: string
      readonly failureMessages?: readonly string[]
    }[]
  }[]
}

/** @param limitMs of processor time, where the system tells it (Linux), so that a busy machine changes nothing; else of time */
export async function runTests(root: string, files: readonly string[], limitMs: number): Promise<Outcome> {
  const reportFile = join(root, 'mutant-report.json')
  rmSync(reportFile, { force: true })
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`, '--no-color']
  const child = spawn(process.execPath, [vitest, 'run', '--config', 'test/mutants/vitest.config.ts', ...reporters], {
    cwd: root,
    env: { ...process.env, MUTANT_TESTS: JSON.stringify(files), MUTANT_CACHE: join(root, '.vitest') },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that an endless loop of a worker ends with it.
    detached: true,
  })
  let output = ''
  child.stdout.on('data', (text) => (output += text))
  child.stderr.on('data', (text) => (output += text))
  const isTooLong = await new Promise<boolean>((done) => {
    const startMs = performance.now()
    const timer = setInterval(() => {
      if ((processorMs(child.pid as number) ?? performance.now() - startMs) < limitMs) return
      clearInterval(timer)
      process.kill(-(child.pid as number), 'SIGKILL')
      done(true)
    }, 500)
    child.on('close', () => {
      clearInterval(timer)
      done(false)
    })
  })
  if (isTooLong) return { verdict: 'too long', file: firstUnfinished(files, output), reason: '', durations: new Map() }
  if (!existsSync(reportFile))
    return { verdict: 'failed', file: files[0] ?? null, reason: output.slice(-300), durations: new Map() }
  return judge(root, JSON.parse(readFileSync(reportFile, 'utf8')), child.exitCode ?? 1, output)
}

function judge(root: string, { testResults }: Report, exitCode: number, output: string): Outcome {
  const pathOf = (name: string) => name.slice(root.length + 1)
  const durations = new Map(
    testResults
      .filter(({ status, endTime, startTime }) => status === 'passed' && endTime > startTime)
      .map(({ name, startTime, endTime }) => [pathOf(name), endTime - startTime] as const),
  )
  for (const { name, status, message, assertionResults } of testResults) {
    const failed = assertionResults.find((test) => test.status === 'failed')
    if (failed !== undefined)
      return {
        verdict: 'failed',
        file: pathOf(name),
        reason: shorten(`${failed.fullName}: ${failed.failureMessages?.[0] ?? ''}`),
        durations,
      }
    if (status === 'failed' && message !== '')
      return { verdict: 'failed', file: pathOf(name), reason: shorten(message), durations }
  }
  // For example an error that no test awaited.
  if (exitCode !== 0) return { verdict: 'failed', file: null, reason: shorten(output.slice(-600)), durations }
  return { verdict: 'passed', file: null, reason: '', durations }
}

/** Of a process with its threads, in user and system; null if it has ended or the system does not tell. */
function processorMs(pid: number): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return null
  }
}

/** The default reporter prints each file as it ends. */
const firstUnfinished = (files: readonly string[], output: string) =>
  files.find((file) => !output.includes(file)) ?? null

const shorten = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 240)
