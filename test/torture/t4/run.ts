/**
 * T4: the n-th I/O call throws, for every n of a script of thirty steps, once and for ever, over OPFS and over the
 * page log. Red when an error is untyped or wrong, when the content differs from that of a healthy disk, and when the
 * control, whose failing call only seems to succeed, finds nothing.
 */
import { parseArgs } from 'node:util'
import { openMemory } from '../../../worker/storage/memory.ts'
import { frozenStores, thaw } from '../../support/stores/frozen-store.ts'
import { exported, openRich } from '../../support/stores/portable.ts'
import { installOpfs } from '../node-opfs/install.ts'
import { type Outcome, print } from '../outcome.ts'
import type { Fault } from '../t3/fake-opfs.ts'
import { fileDisk, opfsDisk, opfsDiskWith, pagedDisk, type SickDisk } from './disks.ts'
import { writeScript } from './script.ts'
import { diskAfter, type Harm, type Rehearsed, rehearse, runTrial } from './trial.ts'

interface Line {
  readonly title: string
  trials: number
  readonly faults: string[]
  readonly thrown: Map<string, number>
  reopened: number
}

/**
 * `--names NotReadableError,QuotaExceededError` of the thrown errors, `--disks opfs,paged,file`, `--stride 30` takes every
 * 30th call (of the page log, every 2nd), `--seed 7` begins that many calls later; `--session check` one of them; with
 * `--nth`, `--forever` one call of it again.
 */
export async function runFaults(args: readonly string[]): Promise<Outcome> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      names: { type: 'string', default: 'NotReadableError' },
      disks: { type: 'string', default: 'opfs,paged' },
      stride: { type: 'string', default: '1' },
      seed: { type: 'string', default: '0' },
      session: { type: 'string' },
      nth: { type: 'string' },
      forever: { type: 'boolean' },
    },
  })
  const sqlite3 = await installOpfs()
  const script = writeScript(await exported(await openRich(12, 4)))
  const steps = script.reduce((sum, session) => sum + session.steps.length, 0)
  const old = (await openMemory(sqlite3, 'old')).database
  thaw(old, (frozenStores()[0] as { readonly database: Uint8Array }).database)

  const newDisk: Readonly<Record<string, () => SickDisk>> = {
    opfs: () => opfsDisk(sqlite3),
    file: () => fileDisk(sqlite3),
    paged: pagedDisk,
  }
  const rehearsed = new Map<string, readonly Rehearsed[]>()
  for (const kind of values.disks.split(',')) {
    const sessions: Rehearsed[] = []
    let disk: SickDisk = newDisk[kind]!()
    for (const session of script) {
      // The page log is younger than the oldest stores.
      if (session.from === 'old' && kind !== 'opfs') continue
      const before = session.from === 'old' ? await opfsDiskWith(sqlite3, old) : disk
      const known = await rehearse(session, before)
      disk = await diskAfter(known)
      sessions.push(known)
    }
    rehearsed.set(
      kind,
      sessions.filter(({ session }) => values.session === undefined || session.title === values.session),
    )
    print(`${kind}: ${sessions.map(({ session, calls }) => `${session.title} ${calls}`).join(', ')} I/O calls`)
  }

  if (values.nth !== undefined) {
    const [sessions = []] = rehearsed.values()
    const one = sessions.find(({ session }) => session.title === values.session)!
    const fault = { isForever: values.forever === true, name: values.names.split(',')[0] ?? null }
    print(JSON.stringify(await runTrial(one, harmOf(Number(values.nth), fault)), null, 2))
  }
  const lines: Line[] = []
  const isReplay = values.nth !== undefined
  for (const [kind, sessions] of isReplay ? [] : rehearsed) {
    for (const name of values.names.split(',')) {
      for (const isForever of [false, true]) {
        const line = emptyLine(`${kind}, ${name} ${isForever ? 'for ever' : 'once'}`)
        for (const one of sessions)
          await runSession(one, { isForever, name }, strideOf(kind, Number(values.stride)), line, Number(values.seed))
        lines.push(line)
        printLine(line)
      }
    }
  }
  const control = isReplay ? emptyLine('not run') : await runControl(rehearsed)
  const trials = lines.reduce((sum, line) => sum + line.trials, 0)
  const faults = lines.flatMap((line) => line.faults)
  return {
    isGreen: faults.length === 0 && (isReplay || control.faults.length > 0),
    size: `${trials} faults, ${values.stride === '1' ? 'every call' : `every ${values.stride}th call`} of ${steps} steps`,
    seeds: values.stride === '1' ? 'none' : values.seed,
    result: `${faults.length} untyped, untrue or lost; ${lines.reduce((sum, line) => sum + line.reopened, 0)} times the store had to be opened again`,
    control: `calls that only look as if they worked: ${control.faults.length} of ${control.trials} found`,
    browsers: '',
  }
}

/**
 * Each session has its own first call, from its title and the seed; otherwise a stride would always hit the same
 * calls.
 */
async function runSession(one: Rehearsed, fault: Fault, stride: number, line: Line, seed = 0): Promise<void> {
  const first = 1 + (stride > 1 ? (one.session.title.length + seed) % stride : 0)
  for (let nth = first; nth <= one.calls; nth += stride) {
    const { faults, thrown, neededReopening } = await runTrial(one, harmOf(nth, fault))
    line.trials += 1
    line.reopened += Number(neededReopening)
    for (const what of thrown) line.thrown.set(what, (line.thrown.get(what) ?? 0) + 1)
    for (const problem of faults) line.faults.push(`${one.session.title}, call ${nth}: ${problem}`)
  }
}

/** The n-th call from the opening on. Half of the time the worker goes on, half of the time it is killed. */
function harmOf(nth: number, fault: Fault): Harm {
  return {
    isForever: fault.isForever,
    isKilled: nth % 2 === 0,
    begin: (place, disk) => {
      if (place === -1) disk.armFault(nth, fault)
    },
    failed: () => undefined,
    end: (disk) => disk.disarmFault(),
  }
}

/** A commit is one call of a byte store and dozens of a file. */
function strideOf(kind: string, stride: number): number {
  return kind !== 'paged' ? stride : Math.ceil(stride / 20)
}

/** A disk that reports success and does nothing: if the run missed that, it would miss every fault. */
async function runControl(rehearsed: ReadonlyMap<string, readonly Rehearsed[]>): Promise<Line> {
  const line = emptyLine('control')
  for (const [kind, sessions] of rehearsed) {
    for (const one of sessions.slice(1, 3))
      await runSession(one, { isForever: false, name: null }, strideOf(kind, 80), line)
  }
  return line
}

function emptyLine(title: string): Line {
  return { title, trials: 0, faults: [], thrown: new Map(), reopened: 0 }
}

function printLine({ title, trials, faults, thrown, reopened }: Line): void {
  const codes = new Map<string, number>()
  for (const [what, count] of thrown) {
    const code = what.slice(what.lastIndexOf(' ') + 1)
    codes.set(code, (codes.get(code) ?? 0) + count)
  }
  const told = [...codes].map(([code, count]) => `${code} × ${count}`).join(', ')
  print(`${title}: ${trials} trials, ${faults.length} wrong, opened again ${reopened}; ${told}`)
  for (const fault of faults.slice(0, 12)) print(`  ${fault}`)
}
