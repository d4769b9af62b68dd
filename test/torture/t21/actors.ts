/** Starts the processes of a history: commands, signals, and an engine of any build. */
import { type ChildProcess, spawn } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import type { Answer, Command } from './actor.ts'

export interface Programs {
  readonly actor: string
  readonly engine: string
  /** `blind`: the control of `actor.ts`. */
  readonly mode?: 'blind'
}

/** Bundles the actor and an engine into a folder. `root`: the folder that has `src` and `worker`, of sources or of a build. */
export async function buildPrograms(folder: string, root: string): Promise<Programs> {
  const wasm = createRequire(import.meta.url).resolve('@sqlite.org/sqlite-wasm/sqlite3.wasm')
  const end = existsSync(join(root, 'src/index.ts')) ? 'ts' : 'js'
  const common = { bundle: true, platform: 'node', format: 'esm', target: 'node20', logLevel: 'error' } as const
  await build({
    ...common,
    entryPoints: [join(root, `src/index.${end}`)],
    outfile: join(folder, 'engine.mjs'),
    nodePaths: [join(dirname(fileURLToPath(import.meta.url)), '../../../node_modules')],
    alias: {
      '#inline': join(root, `worker/inline.${end}`),
      '@sqlite.org/sqlite-wasm': join(dirname(wasm), 'index.mjs'),
    },
  })
  const actor = fileURLToPath(new URL('actor.ts', import.meta.url))
  await build({ ...common, entryPoints: [actor], outfile: join(folder, 'actor.mjs') })
  copyFileSync(wasm, join(folder, 'sqlite3.wasm'))
  return { actor: join(folder, 'actor.mjs'), engine: pathToFileURL(join(folder, 'engine.mjs')).href }
}

export class Killed extends Error {}

/** Of processor in one bound: a process that works would use more. */
const starvedMs = 15_000
const mostBounds = 8

/** Processor time of a process until now, on Linux; 0 elsewhere. */
function processorMsOf(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return 0
  }
}

export interface Actor {
  /** Rejects with `Killed` if the process ends before it answers, or does not answer within the bound. */
  ask(command: Command): Promise<Answer>
  stop(): void
  /** Lets a stopped process go on. */
  resume(): void
  /** Resolves when the process has ended. */
  kill(): Promise<void>
  readonly isStopped: () => boolean
  readonly hasEnded: () => boolean
}

/** `boundMs`: a call that takes longer counts as endless, and its process is killed. Time during which the process is stopped counts, too. */
export function startActor({ actor, engine, mode }: Programs, boundMs: number): Actor {
  const child: ChildProcess = spawn(process.execPath, [actor, engine, mode ?? ''], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const waiting = new Map<number, { resolve(answer: Answer): void; reject(error: Error): void }>()
  let count = 0
  let isStopped = false
  let hasEnded = false
  createInterface({ input: child.stdout! }).on('line', (line) => {
    const answer = JSON.parse(line) as Answer
    waiting.get(answer.number)?.resolve(answer)
    waiting.delete(answer.number)
  })
  child.stdin!.on('error', () => undefined)
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => {
      hasEnded = true
      for (const { reject } of waiting.values()) reject(new Killed('killed'))
      waiting.clear()
      resolve()
    })
  })
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
  }
  return {
    async ask(command) {
      if (hasEnded) throw new Killed('killed')
      const number = ++count
      const answer = new Promise<Answer>((resolve, reject) => waiting.set(number, { resolve, reject }))
      child.stdin!.write(`${JSON.stringify({ number, command })}\n`)
      let timer: NodeJS.Timeout | undefined
      let [used, bounds] = [processorMsOf(child.pid), 0]
      const late = new Promise<Answer>((resolve) => {
        const give = () => {
          const before = used
          used = processorMsOf(child.pid)
          bounds += 1
          // A stopped process cannot answer, and neither can one that gets no processor on a busy machine.
          if (isStopped || (bounds < mostBounds && used - before > 0 && used - before < starvedMs)) {
            timer = setTimeout(give, boundMs)
            return
          }
          void kill()
          const failure = {
            name: 'Endless',
            code: null,
            message: `no answer to ${command.do} within ${bounds * boundMs} ms; the process used ${used} ms`,
            hint: null,
          }
          resolve({ number, failure, ms: bounds * boundMs })
        }
        timer = setTimeout(give, boundMs)
      })
      try {
        return await Promise.race([answer, late])
      } finally {
        clearTimeout(timer)
        answer.catch(() => undefined)
      }
    },
    stop() {
      isStopped = true
      child.kill('SIGSTOP')
    },
    resume() {
      isStopped = false
      child.kill('SIGCONT')
    },
    kill,
    isStopped: () => isStopped,
    hasEnded: () => hasEnded,
  }
}
