/**
 * Keeps processes that write to one store in a file, and kills one of them at random at each tick, in whatever it does; another one takes its place.
 * A tick passes without a kill while fewer than half of them have the store open. In the end all are killed, and the store is compared with what they had reported.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { openRecall, type Recall } from '../../../src/index.ts'
import { buildWriter } from '../../support/processes/kill-writers.ts'
import { createRandom } from '../t3/random.ts'
import { addedWeight } from './weights.ts'

/** `early`: acknowledges before the commit. `anonymous`: calls between processes lose their operation ids. */
export type StormMode = 'shipped' | 'early' | 'anonymous'

export interface StormOptions {
  readonly processes: number
  /** ms from one kill to the next. */
  readonly every: number
  readonly seconds: number
  readonly seed: number
  readonly mode: StormMode
}

export interface StormTally {
  kills: number
  /** Ticks without a kill, because fewer than half of the processes had the store open. */
  skipped: number
  /** Kills of the process that had the file. */
  leaders: number
  /** Kills of a process that was still opening the store. */
  opening: number
  acknowledged: number
  /** Writes of killed processes that were not acknowledged. */
  inFlight: number
  readonly lost: string[]
  readonly twice: string[]
  /** Forgotten records that came back. */
  readonly returned: string[]
  /** What processes reported, and problems of the integrity check. */
  readonly errors: string[]
}

export async function runStorm({ processes, every, seconds, seed, mode }: StormOptions): Promise<StormTally> {
  const folder = mkdtempSync(join(tmpdir(), 'scrubjay-storm-'))
  const path = join(folder, 'memory.sqlite')
  const program = await buildWriter(folder, new URL('storm-writer.ts', import.meta.url))
  const random = createRandom(seed)
  const tally: StormTally = {
    kills: 0,
    skipped: 0,
    leaders: 0,
    opening: 0,
    acknowledged: 0,
    inFlight: 0,
    lost: [],
    twice: [],
    returned: [],
    errors: [],
  }
  const known: Known = { stored: new Set(), forgotten: new Set(), links: new Map() }
  const ends: Promise<void>[] = []
  let count = 0
  const start = (): Writer => {
    count += 1
    const writer = startWriter([program, path, `w${count}`, mode], (line) => take(line, known, tally))
    ends.push(writer.ended)
    return writer
  }
  const writers = Array.from({ length: processes }, start)
  try {
    const end = performance.now() + seconds * 1_000
    for (let due = performance.now() + every; due < end; due = Math.max(due + every, performance.now())) {
      await new Promise((resolve) => setTimeout(resolve, due - performance.now()))
      // On a slow machine opening takes longer than killing: writers must also come to write.
      if (writers.filter((writer) => writer.role() !== null).length < processes / 2) {
        tally.skipped += 1
        continue
      }
      const at = random.between(0, processes - 1)
      const role = writers[at]!.role()
      writers[at]!.kill()
      tally.kills += 1
      if (role === 'leader') tally.leaders += 1
      if (role === null) tally.opening += 1
      writers[at] = start()
    }
  } finally {
    for (const writer of writers) writer.kill()
    await Promise.all(ends)
  }
  try {
    await judge(path, known, tally)
    return tally
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Known {
  /** Acknowledged, and no forget of them was tried. */
  readonly stored: Set<string>
  readonly forgotten: Set<string>
  /** By both ids: how often a link was strengthened for certain, and at most. */
  readonly links: Map<string, { done: number; tried: number }>
}

/** Takes a line of a writer into account. A killed writer's last call may be done or not. */
function take(line: string, { stored, forgotten, links }: Known, tally: StormTally): void {
  const isTrial = line.startsWith('trying ')
  const [fact = '', id = '', other = ''] = line.slice(isTrial ? 'trying '.length : 0).split(' ')
  if (fact === 'role') return
  if (fact === 'twice') tally.twice.push(line)
  else if (fact === 'error') tally.errors.push(line)
  else {
    tally.inFlight += isTrial ? 1 : -1
    if (!isTrial) tally.acknowledged += 1
    if (fact === 'put' && !isTrial) stored.add(id)
    if (fact === 'forgotten') stored.delete(id)
    if (fact === 'forgotten' && !isTrial) forgotten.add(id)
    if (fact !== 'strengthened') return
    const link = links.get(`${id} ${other}`) ?? { done: 0, tried: 0 }
    links.set(`${id} ${other}`, link)
    if (isTrial) link.tried += 1
    else link.done += 1
  }
}

async function judge(path: string, { stored, forgotten, links }: Known, tally: StormTally): Promise<void> {
  const recall = await openRecall({ path, embedder: null })
  try {
    const found = await thoseThere(recall, [...stored, ...forgotten])
    for (const id of stored) if (!found.has(id)) tally.lost.push(`lost ${id}`)
    for (const id of forgotten) if (found.has(id)) tally.returned.push(`returned ${id}`)
    for (const [ends, { done, tried }] of links) {
      const [a = '', b = ''] = ends.split(' ')
      // A forgotten record has no links.
      if (!stored.has(a) || !stored.has(b) || !found.has(a) || !found.has(b)) continue
      const weight = (await recall.linked(a, 10)).find(({ id }) => id === b)?.weight ?? 0
      const calls = weight / addedWeight
      if (calls < done) tally.lost.push(`lost: link ${ends} knows ${calls} of ${done} calls`)
      if (calls > Math.max(done, tried)) tally.twice.push(`twice: link ${ends} knows ${calls} of ${tried} calls`)
    }
    const report = await recall.integrityCheck()
    if (!report.ok) tally.errors.push(JSON.stringify(report))
  } finally {
    await recall.close()
  }
}

async function thoseThere(recall: Recall, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (let from = 0; from < ids.length; from += 500)
    for (const record of await recall.get(ids.slice(from, from + 500))) if (record !== undefined) found.add(record.id)
  return found
}

interface Writer {
  /** The role that it reported last; null while it opens the store. */
  role(): string | null
  kill(): void
  /** Resolves when the process has ended and its output was read. */
  readonly ended: Promise<void>
}

function startWriter(args: readonly string[], hear: (line: string) => void): Writer {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let role: string | null = null
  const output = createInterface({ input: child.stdout })
  output.on('line', (line) => {
    if (line.startsWith('role ')) role = line.slice('role '.length)
    hear(line)
  })
  return {
    role: () => role,
    kill: () => void child.kill('SIGKILL'),
    ended: new Promise((resolve) => output.once('close', () => resolve())),
  }
}
