/**
 * Runs test files in the scratch copy, one after another, until one fails or a limit is reached. A process of its own runs them
 * (serve-tests.ts), so that an endless loop can be ended.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Outcome {
  readonly verdict: 'passed' | 'failed' | 'too long'
  /** The file that failed, or that ran when a limit was reached; null for an error outside of tests. */
  readonly file: string | null
  /** The failed test and its error, shortened. */
  readonly reason: string
  /** ms of processor time, by file. */
  readonly durations: ReadonlyMap<string, number>
}

export interface Limits {
  /** Of processor time, where the system tells it (Linux), so that a busy machine changes nothing. */
  readonly processorMs: number
  /** By the clock: a mutant that only waits takes no processor time. */
  readonly clockMs: number
}

export interface Request {
  readonly files: readonly string[]
  /** Paths of sources that changed since the last request. */
  readonly changed: readonly string[]
}

export interface Answer {
  readonly modules: readonly {
    readonly file: string
    readonly state: string
    readonly durationMs: number
    readonly reason: string
  }[]
  readonly unhandled: readonly string[]
}

export interface TestRunner {
  run(files: readonly string[], limits: Limits): Promise<Outcome>
  /** Tells that a source has changed. */
  change(path: string): void
  end(): void
}

/** The test program could not start on a busy machine, which says nothing about the tests. */
const notStarted = '[vitest-pool'
const mostStarts = 3

export function createTestRunner(root: string): TestRunner {
  let child: ChildProcess | null = null
  let changed: string[] = []

  const start = async (): Promise<ChildProcess> => {
    const started = spawn(process.execPath, ['--import', 'tsx', join(root, 'test/mutants/serve-tests.ts')], {
      cwd: root,
      env: { ...process.env, MUTANT_CACHE: join(root, '.vitest') },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      // A group of its own, so that an endless loop of a worker ends with it.
      detached: true,
    })
    await once(started, 'message')
    return started
  }
  const end = () => {
    if (child?.pid !== undefined) {
      try {
        process.kill(-child.pid, 'SIGKILL')
      } catch {
        // It has ended.
      }
    }
    child = null
  }

  const runOnce = async (files: readonly string[], limits: Limits): Promise<Outcome> => {
    child ??= await start()
    const own = child
    const startMs = performance.now()
    const before = processorMs(own.pid as number) ?? 0
    own.send({ files, changed } satisfies Request)
    changed = []
    let timer: ReturnType<typeof setInterval> | undefined
    let running: string | null = null
    let used = 0
    const answer = await new Promise<Answer | 'too long' | 'ended'>((resolve) => {
      timer = setInterval(() => {
        used = (processorMs(own.pid as number) ?? performance.now()) - before
        if (used >= limits.processorMs || performance.now() - startMs >= limits.clockMs) resolve('too long')
      }, 500)
      own.on('message', (message: Answer | { readonly running: string }) => {
        if ('running' in message) running = message.running
        else resolve(message)
      })
      own.once('exit', () => resolve('ended'))
    })
    clearInterval(timer)
    own.removeAllListeners('message').removeAllListeners('exit')
    if (answer === 'too long' || answer === 'ended') {
      end()
      const verdict = answer === 'ended' ? 'failed' : 'too long'
      return { verdict, file: running, reason: 'the process ended', durations: new Map() }
    }
    return judge(answer, Math.min(1, Math.max(used, 1) / (performance.now() - startMs)))
  }

  return {
    end,
    change: (path) => void changed.push(path),
    async run(files, limits) {
      for (let attempt = 1; ; attempt++) {
        const outcome = await runOnce(files, limits)
        if (!outcome.reason.includes(notStarted) || attempt === mostStarts) return outcome
        end()
      }
    },
  }
}

/** `busy`: the share of the time in which the tests had a processor. */
function judge({ modules, unhandled }: Answer, busy: number): Outcome {
  const durations = new Map(
    modules
      .filter(({ state, durationMs }) => state === 'passed' && durationMs > 0)
      .map(({ file, durationMs }) => [file, Math.round(durationMs * busy)] as const),
  )
  const failed = modules.find(({ state }) => state === 'failed')
  if (failed !== undefined) return { verdict: 'failed', file: failed.file, reason: shorten(failed.reason), durations }
  // For example an error that no test awaited.
  const [error] = unhandled
  if (error !== undefined) return { verdict: 'failed', file: null, reason: shorten(error), durations }
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

const shorten = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 240)
