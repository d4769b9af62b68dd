/** Runs one history in a folder of its own and returns what was wrong. */
import type { Programs } from './actors.ts'
import { createGround } from './ground.ts'
import type { History, Operation, Place } from './operations.ts'
import type { FileModel } from './oracle.ts'
import type { Holder, Log, Tally } from './log.ts'
import { createProcesses } from './processes.ts'

export interface Verdict extends Tally, Pick<Log, 'findings' | 'trace'> {}

export async function runHistory(history: History, programs: Programs): Promise<Verdict> {
  const holders: Holder[] = []
  const ground = createGround((file, path) =>
    holders.some(
      ({ actor, open: held }) => !actor.hasEnded() && held !== null && (held.file === file || held.path === path),
    ),
  )
  const { world, paths } = ground
  const tally: Tally = { acknowledged: 0, refused: 0, openings: 0, exchanges: 0, longestOpening: 0 }
  const log: Log = { findings: [], trace: [], tally }
  const { findings, trace } = log
  const processes = createProcesses(holders, ground, programs, log, `r${history.seed}`)
  const { holder, ask, open, begin, close, end, report, judgeFailure } = processes

  const probe = async (): Promise<boolean> => {
    const leaders: number[] = []
    for (const [number, own] of holders.entries()) {
      if (own?.open == null || own.actor.hasEnded() || own.actor.isStopped()) continue
      const answer = await ask(own.actor, { do: 'status' })
      if ('value' in answer && (answer.value as { role: string }).role === 'leader') leaders.push(number)
    }
    const pair = leaders.find((number, i) => leaders.slice(0, i).some((other) => isSame(number, other)))
    if (pair === undefined) return leaders.length > 0
    const other = leaders.find((number) => number !== pair && isSame(number, pair))!
    const before = tally.acknowledged
    for (const number of [other, pair, other]) await begin(number, { do: 'put', fresh: 1, over: 0, length: 20 })?.done
    if (tally.acknowledged - before === 3)
      report('two owners', `processes ${other} and ${pair} write to one file in turn`)
    return true
  }
  const isSame = (one: number, other: number) => {
    const [a, b] = [one, other].map((number) => world.named(holders[number]!.open!.path))
    return a !== null && a === b
  }

  const carryOut = async (operation: Operation): Promise<boolean> => {
    const { actor: number } = operation
    switch (operation.do) {
      case 'open': {
        const { openings } = tally
        await open(number, paths[operation.at])
        return tally.openings > openings
      }
      case 'close':
        return close(number)
      case 'reopen':
        return (await close(number)) && (await open(number, paths.main), true)
      case 'kill':
        if (holders[number]?.open == null) return false
        await end(number)
        return true
      case 'stop':
        if (holders[number]?.open == null || holders[number].actor.isStopped()) return false
        holders[number].actor.stop()
        return true
      case 'resume': {
        const own = holders[number]
        if (own === undefined || !own.actor.isStopped()) return false
        own.actor.resume()
        await own.pending
        own.pending = null
        return true
      }
      case 'probe':
        return probe()
      case 'put':
      case 'patch':
      case 'forget':
      case 'compact': {
        const begun = begin(number, operation)
        await begun?.done
        return begun !== null
      }
      case 'write during': {
        const begun = begin(number, operation.write)
        begun?.wait()
        const isDone = ground.exchange(operation.exchange)
        tally.exchanges += isDone ? 1 : 0
        await begun?.done
        return begun !== null || isDone
      }
      case 'write, then': {
        const begun = begin(number, operation.write)
        if (begun === null) return false
        begun.wait()
        await new Promise((resolve) => setTimeout(resolve, operation.afterMs))
        const own = holders[number]!
        if (operation.end === 'kill') await end(number)
        else {
          own.actor.stop()
          own.pending = begun.done
        }
        if (operation.end === 'kill') await begun.done
        return true
      }
      default: {
        const isDone = ground.exchange(operation)
        tally.exchanges += isDone ? 1 : 0
        return isDone
      }
    }
  }

  /** Opens a file after all processes have ended, checks it, closes it, and opens it again. */
  const verify = async (place: Place, number: number) => {
    const path = paths[place]
    trace.push(`  judge ${place}`)
    for (let round = 0; round < 2; round++) {
      // The first opening after an exchange may be refused, so that its user knows.
      if (!(await open(number, path)) && !(await open(number, path))) return
      const answer = await ask(holder(number).actor, { do: 'check' })
      if ('value' in answer) {
        const { ok, problems } = answer.value as { ok: boolean; problems: readonly string[] }
        if (!ok) report('unsound', problems.join('; ').slice(0, 300))
      } else judgeFailure(answer.failure, 'a check')
      await close(number)
    }
  }

  try {
    for (const operation of history.operations) {
      const at = trace.length
      trace.push('')
      const isDone = await carryOut(operation)
      if (isDone) trace[at] = JSON.stringify(operation)
      else trace.splice(at)
      if (findings.length > 3) break
    }
    for (const [number, own] of holders.entries()) {
      if (own === undefined) continue
      if (own.actor.isStopped()) own.actor.resume()
      trace.push(`  ${number} ${history.ends[number]!}`)
      if (history.ends[number] === 'close' && own.pending === null) await close(number)
      else await end(number)
    }
    ground.unmount()
    const judged = new Set<FileModel>()
    for (const place of ['main', 'moved', 'folder', 'copy', 'link'] as const) {
      const file = world.named(paths[place])
      if (file === null || judged.has(file)) continue
      judged.add(file)
      await verify(place, 0)
    }
    return { findings, trace, ...tally }
  } finally {
    for (const own of holders) await own?.actor.kill()
    ground.remove()
  }
}
