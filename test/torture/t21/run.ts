/**
 * T21: the files under processes that share a store are renamed, deleted, copied, mounted and restored while the processes write, are killed and are stopped. Red when an acknowledged write is
 * missing from the file that its path names, when two processes own one file, when an opening finds a mixture or an earlier state without a word, when an error is untyped or a call does not end,
 * and when the control finds nothing.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Outcome, print, seedsFrom } from '../outcome.ts'
import { createRandom } from '../t3/random.ts'
import { buildPrograms, type Programs } from './actors.ts'
import { runHistory, type Verdict } from './history.ts'
import { drawHistory, type History } from './operations.ts'

const ownRoot = fileURLToPath(new URL('../../..', import.meta.url))

/** `--histories`, `--from`, `--at-once`; `--seed`: one again, with its trace; `--shrink`: also without the operations that it does not need; `--engine`: a folder with another build. */
export async function runGround(args: readonly string[]): Promise<Outcome> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      histories: { type: 'string', default: '300' },
      from: { type: 'string', default: '1' },
      seed: { type: 'string' },
      shrink: { type: 'boolean', default: false },
      engine: { type: 'string', default: ownRoot },
      'at-once': { type: 'string', default: '4' },
    },
  })
  const folder = mkdtempSync(join(tmpdir(), 'scrubjay-engine-'))
  const began = performance.now()
  try {
    const programs = await buildPrograms(folder, values.engine)
    const first = Number(values.seed ?? values.from)
    const count = values.seed === undefined ? Number(values.histories) : 1
    const [tally, control] = await Promise.all([
      runAll(first, count, Number(values['at-once']), programs, values.shrink, values.seed !== undefined),
      // The control: exchanged files look like those before.
      values.seed === undefined ? runControl(first, programs) : 'not run',
    ])
    const seconds = Math.round((performance.now() - began) / 1000)
    const kinds = [...tally.kinds].map(([kind, times]) => `${times} ${kind}`).join(', ')
    return {
      isGreen: tally.red.length === 0 && !control.startsWith('nothing'),
      size: `${count} histories`,
      seeds: seedsFrom(first, count),
      result: `${tally.operations} operations, ${tally.exchanges} exchanges, ${tally.acknowledged} acknowledged, ${tally.refused} refused, ${tally.openings} openings of at most ${tally.longestOpening} ms, ${tally.red.length} histories red${kinds === '' ? '' : ` (${kinds}; seeds ${tally.red.slice(0, 40).join()})`}, ${seconds} s`,
      control,
      browsers: '',
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const mostControls = 40

async function runControl(first: number, programs: Programs): Promise<string> {
  for (let seed = first; seed < first + mostControls; seed++) {
    const { findings } = await runHistory(drawHistory(seed, createRandom(seed)), { ...programs, mode: 'blind' })
    if (findings.length > 0) return `blind to exchanged files: ${findings[0]!.kind} in history ${seed - first + 1}`
  }
  return `nothing in ${mostControls} histories`
}

interface Tally {
  operations: number
  exchanges: number
  acknowledged: number
  refused: number
  openings: number
  longestOpening: number
  readonly red: number[]
  readonly kinds: Map<string, number>
}

async function runAll(
  first: number,
  count: number,
  atOnce: number,
  programs: Programs,
  shrinks: boolean,
  isTraced: boolean,
): Promise<Tally> {
  const tally: Tally = {
    operations: 0,
    exchanges: 0,
    acknowledged: 0,
    refused: 0,
    openings: 0,
    longestOpening: 0,
    red: [],
    kinds: new Map(),
  }
  let next = first
  let done = 0
  const lane = async () => {
    for (let seed = next++; seed < first + count; seed = next++) {
      const history = drawHistory(seed, createRandom(seed))
      const verdict = await runHistory(history, programs)
      for (const name of ['exchanges', 'acknowledged', 'refused', 'openings'] as const) tally[name] += verdict[name]
      tally.operations += verdict.trace.filter((line) => line.startsWith('{')).length
      done += 1
      if (count > 20 && done % 20 === 0) print(`${done} of ${count} histories, ${tally.red.length} red`)
      tally.longestOpening = Math.max(tally.longestOpening, verdict.longestOpening)
      if (verdict.findings.length > 0) {
        tally.red.push(seed)
        const kinds = new Set(verdict.findings.map(({ kind }) => kind))
        for (const kind of kinds) tally.kinds.set(kind, (tally.kinds.get(kind) ?? 0) + 1)
        print(
          `seed ${seed}: ${verdict.findings
            .map(({ kind, what }) => `${kind}: ${what}`)
            .join(' | ')
            .slice(0, 400)}`,
        )
      }
      // The timing of a replay may differ.
      if (isTraced || verdict.findings.length > 0) print(verdict.trace.join('\n'))
      if (verdict.findings.length > 0 && shrinks) {
        const shrunk = await shrink(history, verdict, programs)
        print(`seed ${seed}, shrunk:\n${shrunk.trace.join('\n')}`)
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return tally
}

/** Leaves out operations, from large parts to single ones, as long as a finding of the first kind remains. */
async function shrink(history: History, verdict: Verdict, programs: Programs): Promise<Verdict> {
  const { kind } = verdict.findings[0]!
  let best = { history, verdict }
  for (let part = Math.ceil(history.operations.length / 2); part >= 1; part = part === 1 ? 0 : Math.ceil(part / 2)) {
    for (let at = 0; at < best.history.operations.length; ) {
      const operations = best.history.operations.toSpliced(at, part)
      const tried = await runHistory({ ...best.history, operations }, programs)
      if (tried.findings.some((finding) => finding.kind === kind))
        best = { history: { ...best.history, operations }, verdict: tried }
      else at += part
    }
  }
  return best.verdict
}
