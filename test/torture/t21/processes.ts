/** The processes of a history: each opens, writes and closes, and each answer is judged. */
import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Answer, Command, Failure, Opened } from './actor.ts'
import { type Actor, Killed, type Programs, startActor } from './actors.ts'
import type { Ground } from './ground.ts'
import type { Holder, Log } from './log.ts'
import type { Write } from './operations.ts'
import {
  type Change,
  type FileModel,
  type Finding,
  differenceOf,
  forgetting,
  hasSides,
  judgeOpening,
  keyOf,
  mayHave,
  mustHave,
  patching,
  putting,
  newFile,
  type State,
} from './oracle.ts'

/** ms. A stopped owner delays an opening by ten seconds; the rest is patience with a busy machine. */
const boundMs = 45_000

/** After these errors a write may have been done. */
const unsure: ReadonlySet<string> = new Set(['LEADER_LOST', 'DEADLINE_EXCEEDED', 'ABORTED', 'CLOSED'])

export type Processes = ReturnType<typeof createProcesses>

/** `holders`: by the number of the process; `prefix`: of the ids of records. */
export function createProcesses(
  holders: Holder[],
  ground: Ground,
  programs: Programs,
  { findings, trace, tally }: Log,
  prefix: string,
) {
  const { world, paths, sidesAt } = ground
  let serial = 0
  const report = (kind: Finding['kind'], what: string) => {
    findings.push({ kind, what })
    trace.push(`  !! ${kind}: ${what}`)
  }
  const live = () => holders.filter(({ actor, open }) => open !== null && !actor.hasEnded())
  const holder = (number: number): Holder => {
    const current = holders[number]
    if (current !== undefined && !current.actor.hasEnded()) return current
    return (holders[number] = { actor: startActor(programs, boundMs), open: null, pending: null })
  }

  const judgeFailure = (failure: Failure, what: string) => {
    if (failure.name === 'Endless') report('endless', failure.message)
    else if (failure.name !== 'RecallError' || failure.code === null)
      report('untyped', `${what}: ${failure.name} ${failure.message}`)
    else if (!failure.hint) report('untyped', `${what}: no hint in "${failure.message}"`)
  }

  /** A process that ends by itself, or was killed because it did not answer, fails like one that answers with an untyped error. */
  const ask = async (actor: Actor, command: Command): Promise<Answer> => {
    try {
      return await actor.ask(command)
    } catch (error) {
      if (!(error instanceof Killed)) throw error
      const failure = { name: 'Ended', code: null, message: `the process ended before ${command.do}`, hint: null }
      return { number: 0, failure, ms: 0 }
    }
  }

  const open = async (number: number, path: string): Promise<boolean> => {
    const own = holder(number)
    if (own.actor.isStopped() || own.open !== null || !existsSync(dirname(path))) return false
    const wasThere = existsSync(path)
    const isWhole = world.isWhole(sidesAt(path))
    const before = world.named(path)
    const others = live()
    const served = others.flatMap(({ open: held }) => (held !== null && held.file !== before ? [held.file] : []))
    tally.openings += 1
    const answer = await ask(own.actor, { do: 'open', path })
    tally.longestOpening = Math.max(tally.longestOpening, answer.ms)
    const file = world.named(path)
    if ('failure' in answer) {
      trace.push(
        `     refused ${String(answer.failure.code)} in ${answer.ms} ms: ${answer.failure.message.slice(0, 160)}`,
      )
      judgeFailure(answer.failure, `opening`)
      const hasNames = (statSync(path, { throwIfNoEntry: false })?.nlink ?? 1) > 1
      const isAlias = path === paths.mount || path === paths['mounted file'] || ground.hasMounts()
      if (isWhole && wasThere && others.length === 0 && !hasNames && !isAlias)
        report(
          answer.failure.code === 'STORE_CORRUPT' ? 'lost' : 'needless refusal',
          `${String(answer.failure.code)} ${answer.failure.message}`,
        )
      if (!isWhole && file !== null && answer.failure.code !== 'STORE_BUSY') file.isReported = true
      return false
    }
    const { role, degraded, records } = answer.value as Opened
    const state: State = new Map(Object.entries(records))
    trace.push(
      `     ${role}, ${state.size} records${isWhole ? '' : ', not whole'}${degraded.length > 0 ? `, degraded: ${degraded.join('; ').slice(0, 160)}` : ''}`,
    )
    if (file === null) {
      report('lost', 'a store was opened, but its path names no file')
      own.open = { path, file: newFile(state) }
      return true
    }
    const finding = judgeOpening(file, { state, role, degraded }, { mayBeOlder: !isWhole, served })
    if (finding !== null) report(finding.kind, finding.what)
    if (role === 'leader' || finding !== null) {
      file.latest = state
      file.states.set(keyOf(state), state)
      file.maybe = file.maybe.filter(({ isPending }) => isPending)
      file.refused = []
      file.alternatives = []
      file.isReported = false
    }
    if (role === 'leader') {
      file.needsJournal = true
      world.join(sidesAt(path), file)
    }
    own.open = { path, file }
    return true
  }

  const textOf = (length: number) => {
    serial += 1
    return `text ${serial} ${'of acorns and jays '.repeat(1 + Math.floor(length / 19))}`.slice(0, Math.max(12, length))
  }
  const known = (file: FileModel | null) => [...(file?.latest.keys() ?? [])]

  /** The command of a write, and its effect on a state. */
  const planned = (
    write: Write,
    file: FileModel | null,
  ): { readonly command: Command; readonly change: Change } | null => {
    const ids = known(file)
    const pick = (i: number) => ids[(serial * 7 + i * 13) % ids.length]!
    if (write.do === 'compact') return { command: { do: 'compact' }, change: (state) => state }
    if (write.do === 'patch') {
      if (ids.length === 0) return null
      const [id, body] = [pick(0), textOf(write.length)]
      return { command: { do: 'patch', id, body }, change: patching(id, body) }
    }
    if (write.do === 'forget') {
      if (ids.length === 0) return null
      const some = [...new Set(Array.from({ length: write.count }, (_, i) => pick(i)))]
      return { command: { do: 'forget', ids: some }, change: forgetting(some) }
    }
    const over = ids.length === 0 ? [] : [...new Set(Array.from({ length: write.over }, (_, i) => pick(i)))]
    const records = [...over, ...Array.from({ length: write.fresh }, () => `${prefix}-${++serial}`)].map((id) => ({
      id,
      body: textOf(write.length),
    }))
    return { command: { do: 'put', records }, change: putting(records) }
  }

  /** Takes the answer to a write into account. `before`: the file that the path named when the write began. */
  const settle = async (
    actor: Actor,
    path: string,
    before: FileModel | null,
    change: Change,
    answer: Answer,
    isRacing: boolean,
  ) => {
    const file = world.named(path)
    if ('value' in answer) {
      tally.acknowledged += 1
      trace.push(`     acknowledged in ${answer.ms} ms`)
      if (before === file && file === null) report('lost', 'a write was acknowledged while its path names no file')
      else if (before === file && file !== null) {
        const isWhole = world.isWhole(sidesAt(path))
        mustHave(file, change)
        // The process took over a file that was exchanged: only it knows which earlier state it found.
        if (!isWhole) await takeState(actor, file, change)
        file.states.set(keyOf(file.latest), file.latest)
        // Whatever was exchanged before: the engine promises that this write is found.
        file.needsJournal = true
        world.join(sidesAt(path), file)
      } else for (const one of new Set([before, file])) if (one !== null) mayHave(one, change)
      return
    }
    tally.refused += 1
    trace.push(`     refused ${String(answer.failure.code)}: ${answer.failure.message.slice(0, 160)}`)
    judgeFailure(answer.failure, 'a write')
    // The files may have changed after its commit.
    const isUnsure = isRacing || unsure.has(answer.failure.code ?? '') || answer.failure.name === 'Endless'
    for (const one of new Set([before, file])) {
      if (one === null) continue
      if (isUnsure) mayHave(one, change)
      else one.refused.push(change)
    }
  }

  const takeState = async (actor: Actor, file: FileModel, change: Change) => {
    const answer = await ask(actor, { do: 'list' })
    if ('failure' in answer) return judgeFailure(answer.failure, 'a list')
    const state: State = new Map(Object.entries(answer.value as Opened['records']))
    const possible = [...file.states.values()].map((earlier) => keyOf(change(earlier)))
    if (possible.includes(keyOf(state))) file.latest = state
    else if (keyOf(state) !== keyOf(file.latest)) report('mixture', differenceOf(state, file.latest))
  }

  /** Starts a write. `isRun` is false if it cannot run now. `done` resolves when it is settled. */
  const begin = (number: number, write: Write) => {
    const own = holder(number)
    if (own.open === null || own.actor.isStopped()) return null
    // Compacting has no deadline: it waits for a stopped owner.
    if (write.do === 'compact' && holders.some((other) => other?.actor.isStopped())) return null
    const { path } = own.open
    const file = world.named(path)
    const plan = planned(write, file ?? own.open.file)
    if (plan === null) return null
    const note = { change: plan.change, isPending: true, isWaited: false }
    const done = own.actor.ask(plan.command).then(
      (answer) => {
        if (file !== null) file.maybe = file.maybe.filter((one) => one !== note)
        return settle(own.actor, path, file, plan.change, answer, note.isWaited)
      },
      (error: unknown) => {
        if (!(error instanceof Killed)) throw error
        if (file !== null) {
          file.maybe = file.maybe.filter((one) => one !== note)
          mayHave(file, plan.change)
        }
        trace.push('     killed before its answer')
      },
    )
    const wait = () => {
      note.isWaited = true
      file?.maybe.push(note)
    }
    return { done, wait }
  }

  const end = async (number: number) => {
    const own = holders[number]
    if (own === undefined) return
    await own.actor.kill()
    await own.pending
    own.open = null
  }

  /** A process that took over a file whose parts were exchanged found one earlier state, of which some process was informed. */
  const judgeTakeover = async (actor: Actor, file: FileModel, degraded: readonly string[]) => {
    const answer = await ask(actor, { do: 'list' })
    if ('failure' in answer) return judgeFailure(answer.failure, 'a list')
    const state: State = new Map(Object.entries(answer.value as Opened['records']))
    const finding = judgeOpening(file, { state, role: 'leader', degraded }, { mayBeOlder: true })
    if (finding !== null) report(finding.kind, finding.what)
    file.latest = state
  }

  const close = async (number: number) => {
    const own = holder(number)
    if (own.open === null || own.actor.isStopped()) return false
    const { path, file } = own.open
    own.open = null
    const status = await ask(own.actor, { do: 'status' })
    const isLeader = 'value' in status && (status.value as { role: string }).role === 'leader'
    if (isLeader && !world.isWhole(sidesAt(path)) && world.named(path) === file)
      await judgeTakeover(own.actor, file, (status.value as { degraded: readonly string[] }).degraded)
    const answer = await ask(own.actor, { do: 'close' })
    if ('failure' in answer) {
      trace.push(`     refused ${String(answer.failure.code)}: ${answer.failure.message.slice(0, 160)}`)
      judgeFailure(answer.failure, 'closing')
    }
    const isLast = live().every(({ open: held }) => held?.file !== file)
    const sides = sidesAt(path)
    // Only the owner empties the journal.
    if ('value' in answer && isLeader && isLast && world.named(path) === file && !hasSides(sides))
      file.needsJournal = false
    world.look(sides)
    return true
  }

  return { holder, ask, open, begin, close, end, report, judgeFailure }
}
