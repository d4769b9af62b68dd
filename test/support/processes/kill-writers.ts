/**
 * Kills processes that write to one store in a file, and compares the store with what they acknowledged. Two processes run at any time, so
 * that one leads and one follows; each kill hits one of them right after it acknowledged a write, and another one takes its place.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { openRecall } from '../../../src/index.ts'
import { createRandom } from '../../torture/t3/random.ts'
import { killLock } from './kill-lock.ts'

export type WriterMode = 'shipped' | 'early'

export interface KillOptions {
  readonly kills: number
  readonly seed: number
  readonly mode: WriterMode
  /** The store is judged after each so many kills. */
  readonly judgeEvery: number
  /** Default: the store is not locked. */
  readonly isLocked?: boolean
}

export interface KillTally {
  kills: number
  /** Kills of the process that had the file. */
  leaders: number
  acknowledged: number
  lost: string[]
  /** Forgotten records that came back. */
  returned: string[]
  /** What processes reported, and problems of the integrity check. */
  errors: string[]
}

export async function killWriters({
  kills,
  seed,
  mode,
  judgeEvery,
  isLocked = false,
}: KillOptions): Promise<KillTally> {
  const folder = mkdtempSync(join(tmpdir(), 'scrubjay-kills-'))
  const path = join(folder, 'memory.sqlite')
  const program = await buildWriter(folder, new URL('writer.ts', import.meta.url))
  const random = createRandom(seed)
  const tally: KillTally = { kills: 0, leaders: 0, acknowledged: 0, lost: [], returned: [], errors: [] }
  const known = { stored: new Set<string>(), forgotten: new Set<string>() }
  const writers: Writer[] = []
  let count = 0
  const start = () => {
    count += 1
    writers.push(startWriter(program, path, `w${count}`, mode, isLocked))
  }
  try {
    start()
    start()
    while (tally.kills < kills && !(mode === 'early' && tally.lost.length > 0)) {
      const [victim] = writers.splice(random.between(0, writers.length - 1), 1)
      await victim!.acknowledges(random.between(1, 12))
      tally.kills += 1
      if (victim!.isLeader()) tally.leaders += 1
      await victim!.kill()
      take(victim!, known, tally)
      if (tally.kills % judgeEvery === 0 || tally.kills === kills) {
        for (const writer of writers.splice(0)) {
          await writer.kill()
          take(writer, known, tally)
        }
        await judge(path, known, tally, isLocked)
        start()
      }
      if (tally.kills < kills) start()
    }
    return tally
  } finally {
    for (const writer of writers) await writer.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Known {
  readonly stored: Set<string>
  readonly forgotten: Set<string>
}

function take(writer: Writer, known: Known, tally: KillTally): void {
  for (const line of writer.lines()) {
    const [fact, id = ''] = line.split(' ')
    if (fact === 'put') {
      known.stored.add(id)
      tally.acknowledged += 1
    } else if (fact === 'forgotten') {
      known.stored.delete(id)
      known.forgotten.add(id)
    } else if (fact === 'late') known.stored.delete(id)
    else if (fact === 'error') tally.errors.push(line)
  }
  // A forget that was in flight may be done: its record is neither lost nor returned.
  const unsure = writer.forgetting()
  if (unsure !== null) known.stored.delete(unsure)
}

async function judge(path: string, { stored, forgotten }: Known, tally: KillTally, isLocked: boolean): Promise<void> {
  const recall = await openRecall({ path, embedder: null, lock: isLocked ? killLock : undefined })
  try {
    const isThere = async (id: string) => (await recall.get(id)) != null
    for (const id of stored) if (!(await isThere(id))) tally.lost.push(id)
    for (const id of forgotten) if (await isThere(id)) tally.returned.push(id)
    const report = await recall.integrityCheck()
    if (!report.ok) tally.errors.push(JSON.stringify(report))
  } finally {
    await recall.close()
  }
}

interface Writer {
  /** Resolves when it has acknowledged so many writes from now on, or ended. */
  acknowledges(count: number): Promise<void>
  isLeader(): boolean
  /** Sends SIGKILL and waits until the process has ended and its output was read. */
  kill(): Promise<void>
  lines(): readonly string[]
  /** The record that it would forget next if its last line is a put before a forget; null if none. */
  forgetting(): string | null
}

function startWriter(program: string, path: string, prefix: string, mode: WriterMode, isLocked: boolean): Writer {
  const child: ChildProcess = spawn(process.execPath, [program, path, prefix, mode, ...(isLocked ? ['locked'] : [])], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  const waiting = new Set<() => void>()
  let acknowledged = 0
  const output = createInterface({ input: child.stdout! })
  output.on('line', (line) => {
    lines.push(line)
    if (line.startsWith('put ')) acknowledged += 1
    for (const check of waiting) check()
  })
  let hasEnded = false
  const ended = new Promise<void>((resolve) => {
    output.once('close', () => {
      hasEnded = true
      for (const check of waiting) check()
      resolve()
    })
  })
  return {
    acknowledges(count) {
      const goal = acknowledged + count
      return new Promise((resolve) => {
        const check = () => {
          if (acknowledged < goal && !hasEnded) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      })
    },
    isLeader: () => lines.findLast((line) => line.startsWith('role ')) === 'role leader',
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    lines: () => lines,
    forgetting() {
      const last = lines.at(-1) ?? ''
      const number = Number(/^put w\d+-(\d+)$/.exec(last)?.[1] ?? Number.NaN)
      return number % 7 === 6 ? `${prefix}-${number - 3}` : null
    },
  }
}

/** Bundles a program into one file, so that a process starts fast, next to SQLite. Returns its path. */
export async function buildWriter(folder: string, source: URL): Promise<string> {
  const wasm = createRequire(import.meta.url).resolve('@sqlite.org/sqlite-wasm/sqlite3.wasm')
  const program = join(folder, 'writer.mjs')
  await build({
    entryPoints: [fileURLToPath(source)],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outfile: program,
    logLevel: 'error',
    alias: {
      '#inline': fileURLToPath(new URL('../../../worker/inline.ts', import.meta.url)),
      '@sqlite.org/sqlite-wasm': join(dirname(wasm), 'index.mjs'),
    },
  })
  copyFileSync(wasm, join(folder, 'sqlite3.wasm'))
  return program
}
