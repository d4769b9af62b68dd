/**
 * T5: memory runs out, in SQLite and in the vector kernel, somewhere in a session of T4's script: once, or until it is
 * over. Red when an error is untyped or wrong, when an acknowledged write is missing or an answer differs, and when
 * the control, whose failing statements are skipped silently, finds nothing.
 */
import { parseArgs } from 'node:util'
import type { OpenStorage } from '../../../worker/storage/common/port.ts'
import { createRandom } from '../../support/data/random.ts'
import { exported, openRich } from '../../support/stores/portable.ts'
import { installOpfs } from '../node-opfs/install.ts'
import { type Outcome, print, seedsFrom } from '../outcome.ts'
import { opfsDisk, type SickDisk } from '../t4/disks.ts'
import { writeScript } from '../t4/script.ts'
import { diskAfter, type Harm, type Rehearsed, rehearse, runTrial, type Verdict } from '../t4/trial.ts'
import { createMemoryCap, type MemoryCap } from './memory-cap.ts'

/** Maximum of the bytes left: more than the largest step needs. */
const mostRoomBytes = 1 << 20
/** The control must fail within so many trials. */
const controlTrials = 60

/** `--trials`, `--from` the first seed; `--seed` runs one again. */
export async function runMemory(args: readonly string[]): Promise<Outcome> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      trials: { type: 'string', default: '50' },
      from: { type: 'string', default: '1' },
      seed: { type: 'string' },
    },
  })
  const sqlite3 = await installOpfs()
  const cap = createMemoryCap(sqlite3)
  const sessions: Rehearsed[] = []
  let disk = opfsDisk(sqlite3)
  for (const session of writeScript(await exported(await openRich(12, 4)))) {
    if (session.from === 'old') continue
    const known = await rehearse(session, disk)
    disk = await diskAfter(known)
    sessions.push(known)
  }

  if (values.seed !== undefined) {
    const verdict = await runOne(cap, sessions, Number(values.seed))
    print(JSON.stringify(verdict, null, 2))
    return outcomeOf([verdict], [], Number(values.seed))
  }
  const first = Number(values.from)
  const trials: Tried[] = []
  for (let seed = first; seed < first + Number(values.trials); seed++) {
    const tried = await runOne(cap, sessions, seed)
    trials.push(tried)
    for (const fault of tried.faults)
      print(`  ${tried.title}: ${fault}\n  replay: node test/torture/run.mjs t5 --seed ${seed}`)
  }
  const deaf = sessions.map((one) => ({ ...one, disk: deafDisk(one.disk) }))
  const control: Tried[] = []
  while (control.every(({ faults }) => faults.length === 0) && control.length < controlTrials)
    control.push(await runOne(cap, deaf, control.length + 1))
  return outcomeOf(trials, control, first)
}

interface Tried extends Verdict {
  readonly title: string
  readonly refusals: number
}

async function runOne(cap: MemoryCap, sessions: readonly Rehearsed[], seed: number): Promise<Tried> {
  const random = createRandom(seed)
  const one = random.pick(sessions)
  const place = random.below(one.session.steps.length + 1) - 1
  // From almost nothing, which fails at once, to so much that only the largest allocations of a step fail.
  const roomBytes = Math.floor(
    random.below(2) === 0 ? mostRoomBytes ** random.next() : mostRoomBytes * random.next() ** 2,
  )
  const isForever = random.below(3) === 0
  let isOver = false
  let refusals = 0
  const lift = () => {
    isOver = true
    refusals += cap.refusals()
    cap.lift()
  }
  const harm: Harm = {
    isForever,
    isKilled: random.below(2) === 0,
    begin: (now) => {
      if (now === place && !isOver) cap.cap(roomBytes)
    },
    failed: lift,
    end: lift,
  }
  try {
    const verdict = await runTrial(one, harm)
    const title = `seed ${seed}, ${one.session.title}, ${roomBytes} bytes from step ${place}${isForever ? ' on' : ''}`
    return { ...verdict, title, refusals }
  } finally {
    cap.lift()
  }
}

/** Statements that fail are treated as done. */
function deafDisk(disk: SickDisk): SickDisk {
  const deafen = (storage: OpenStorage): OpenStorage => ({
    ...storage,
    database: {
      ...storage.database,
      execute(sql, bind) {
        try {
          return storage.database.execute(sql, bind)
        } catch {
          return 1
        }
      },
    },
  })
  return { ...disk, open: async () => deafen(await disk.open()), copy: () => deafDisk(disk.copy()) }
}

function outcomeOf(trials: readonly Tried[], control: readonly Tried[], first: number): Outcome {
  const count = (isMeant: (tried: Tried) => boolean) => trials.filter(isMeant).length
  const codes = new Map<string, number>()
  for (const { thrown } of trials) {
    for (const what of thrown) {
      const code = what.slice(what.lastIndexOf(' ') + 1)
      codes.set(code, (codes.get(code) ?? 0) + 1)
    }
  }
  const wrong = count(({ faults }) => faults.length > 0)
  const found = control.filter(({ faults }) => faults.length > 0).length
  const told = [...codes].map(([code, times]) => `${code} × ${times}`).join(', ')
  return {
    isGreen: wrong === 0 && (control.length === 0 || found > 0),
    size: `${trials.length} trials`,
    seeds: seedsFrom(first, trials.length),
    result: `${count(({ thrown }) => thrown.length > 0)} met it (${told}), ${wrong} untyped, untrue or lost, ${count(({ neededReopening }) => neededReopening)} opened again`,
    control: control.length === 0 ? 'not run' : `failures passed over: ${found} of ${control.length} found`,
    browsers: '',
  }
}
