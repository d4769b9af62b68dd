/** Runs one history in a folder of its own and returns what was wrong. */
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Answer, Command, Failure, Opened } from './actor.ts'
import { type Actor, Killed, type Programs, startActor } from './actors.ts'
import type { Exchange, History, Operation, Place, Write } from './operations.ts'
import {
  type Change,
  type FileModel,
  type Finding,
  forgetting,
  hasSides,
  judgeOpening,
  keyOf,
  newFile,
  patching,
  putting,
  type State,
  World,
} from './oracle.ts'

export interface Verdict {
  readonly findings: readonly Finding[]
  /** One line for each operation that was carried out. */
  readonly trace: readonly string[]
  readonly acknowledged: number
  readonly refused: number
  readonly openings: number
  readonly exchanges: number
  /** ms. */
  readonly longestOpening: number
}

/** ms. A stopped owner delays an opening by ten seconds; the rest is patience with a busy machine. */
const boundMs = 45_000

/** After these errors a write may have been done. */
const unsure: ReadonlySet<string> = new Set(['LEADER_LOST', 'DEADLINE_EXCEEDED', 'ABORTED', 'CLOSED'])

interface Holder {
  readonly actor: Actor
  open: { readonly path: string; readonly file: FileModel } | null
  /** A write that was not answered when the process was stopped. */
  pending: Promise<void> | null
}

interface BackUp {
  readonly states: readonly State[]
  readonly latest: State
  readonly isWhole: boolean
}

const parts = ['-wal', '-revision'] as const
const isRoot = process.getuid?.() === 0

export async function runHistory(history: History, programs: Programs): Promise<Verdict> {
  const root = mkdtempSync(join(tmpdir(), 'scrubjay-ground-'))
  const backUps = join(root, 'backups')
  for (const name of ['a', 'backups', 'c', 'm', 'n']) mkdirSync(join(root, name))
  const main = join(root, 'a/memory.sqlite')
  const paths: Readonly<Record<Place, string>> = {
    main,
    moved: join(root, 'a/moved.sqlite'),
    folder: join(root, 'b/memory.sqlite'),
    copy: join(root, 'c/memory.sqlite'),
    link: join(root, 'a/link.sqlite'),
    mount: join(root, 'm/memory.sqlite'),
    'mounted file': join(root, 'n/memory.sqlite'),
  }
  const world = new World()
  const holders: Holder[] = []
  const kept = new Map<number, BackUp>()
  let commit: BackUp | null = null
  const mounts = new Set<string>()
  const findings: Finding[] = []
  const trace: string[] = []
  const tally = { acknowledged: 0, refused: 0, openings: 0, exchanges: 0, longestOpening: 0 }
  let serial = 0

  const report = (kind: Finding['kind'], what: string) => {
    findings.push({ kind, what })
    trace.push(`  !! ${kind}: ${what}`)
  }
  /** The files next to a path in a mounted folder are those of the folder. */
  const sidesAt = (path: string) => (path === paths.mount && mounts.has('mount') ? main : path)
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

  const open = async (number: number, path: string): Promise<boolean> => {
    const own = holder(number)
    if (own.actor.isStopped() || own.open !== null || !existsSync(dirname(path))) return false
    const wasThere = existsSync(path)
    const isWhole = world.isWhole(sidesAt(path))
    const before = world.named(path)
    const others = live()
    const served = others.flatMap(({ open: held }) => (held !== null && held.file !== before ? [held.file] : []))
    tally.openings += 1
    const answer = await own.actor.ask({ do: 'open', path })
    tally.longestOpening = Math.max(tally.longestOpening, answer.ms)
    const file = world.named(path)
    if ('failure' in answer) {
      trace.push(
        `     refused ${String(answer.failure.code)} in ${answer.ms} ms: ${answer.failure.message.slice(0, 160)}`,
      )
      judgeFailure(answer.failure, `opening`)
      const hasNames = (statSync(path, { throwIfNoEntry: false })?.nlink ?? 1) > 1
      const isAlias = path === paths.mount || path === paths['mounted file'] || mounts.size > 0
      if (isWhole && wasThere && others.length === 0 && !hasNames && !isAlias)
        report(
          answer.failure.code === 'STORE_CORRUPT' ? 'lost' : 'needless refusal',
          `${String(answer.failure.code)} ${answer.failure.message}`,
        )
      if (!isWhole && file !== null && answer.failure.code !== 'STORE_BUSY') file.isTold = true
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
      file.isTold = false
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
    const records = [...over, ...Array.from({ length: write.fresh }, () => `r${history.seed}-${++serial}`)].map(
      (id) => ({ id, body: textOf(write.length) }),
    )
    return { command: { do: 'put', records }, change: putting(records) }
  }

  /** Takes the answer to a write into account. `before`: the file that the path named when the write began. */
  const settle = (path: string, before: FileModel | null, change: Change, answer: Answer) => {
    const file = world.named(path)
    if ('value' in answer) {
      tally.acknowledged += 1
      trace.push(`     acknowledged in ${answer.ms} ms`)
      if (before === file && file === null) report('lost', 'a write was acknowledged while its path names no file')
      else if (before === file && file !== null) {
        file.latest = change(file.latest)
        file.states.set(keyOf(file.latest), file.latest)
        // Whatever was exchanged before: the engine promises that this write is found.
        file.needsJournal = true
        world.join(sidesAt(path), file)
      } else for (const one of [before, file]) one?.maybe.push({ change, isPending: false })
      return
    }
    tally.refused += 1
    trace.push(`     refused ${String(answer.failure.code)}: ${answer.failure.message.slice(0, 160)}`)
    judgeFailure(answer.failure, 'a write')
    for (const one of new Set([before, file])) {
      if (unsure.has(answer.failure.code ?? '') || answer.failure.name === 'Endless')
        one?.maybe.push({ change, isPending: false })
      else one?.refused.push(change)
    }
  }

  /** Starts a write. `isRun` is false if it cannot run now. `done` resolves when it is settled. */
  const begin = (number: number, write: Write) => {
    const own = holder(number)
    if (own.open === null || own.actor.isStopped()) return null
    const { path } = own.open
    const file = world.named(path)
    const plan = planned(write, file ?? own.open.file)
    if (plan === null) return null
    const note = { change: plan.change, isPending: true }
    const done = own.actor.ask(plan.command).then(
      (answer) => {
        if (file !== null) file.maybe = file.maybe.filter((one) => one !== note)
        settle(path, file, plan.change, answer)
      },
      (error: unknown) => {
        if (!(error instanceof Killed)) throw error
        note.isPending = false
        trace.push('     killed before its answer')
      },
    )
    return { done, wait: () => file?.maybe.push(note) }
  }

  const end = async (number: number) => {
    const own = holders[number]
    if (own === undefined) return
    await own.actor.kill()
    await own.pending
    own.open = null
  }

  const close = async (number: number) => {
    const own = holder(number)
    if (own.open === null || own.actor.isStopped()) return false
    const { path, file } = own.open
    own.open = null
    const answer = await own.actor.ask({ do: 'close' })
    if ('failure' in answer) {
      trace.push(`     refused ${String(answer.failure.code)}: ${answer.failure.message.slice(0, 160)}`)
      judgeFailure(answer.failure, 'closing')
    }
    const isLast = live().every(({ open: held }) => held?.file !== file)
    const sides = sidesAt(path)
    if ('value' in answer && isLast && world.named(path) === file && !hasSides(sides)) file.needsJournal = false
    world.look(sides)
    return true
  }

  const keep = (path: string): BackUp | null => {
    const file = world.named(path)
    if (file === null) return null
    const isHeld = live().some(({ open: held }) => held?.file === file)
    return { states: [...file.states.values()], latest: file.latest, isWhole: !file.needsJournal && !isHeld }
  }

  /** The path holds the bytes of a backup now. */
  const placed = (path: string, backUp: BackUp, earlier: FileModel | null) => {
    world.look(path)
    const file = newFile(backUp.latest, [...backUp.states, ...(earlier?.states.values() ?? [])])
    file.needsJournal = !backUp.isWhole
    world.name(path, file)
  }

  const git = (...args: string[]) =>
    execFileSync('git', ['-C', join(root, 'a'), '-c', 'user.name=jay', '-c', 'user.email=jay@example.org', ...args], {
      stdio: ['ignore', 'pipe', 'ignore'],
    }).toString()

  /** Returns false if it cannot be done now. */
  const exchange = (step: Exchange): boolean => {
    const hasFolder = existsSync(join(root, 'a'))
    if (step.do === 'back up') {
      const backUp = keep(main)
      if (backUp === null) return false
      copyFileSync(main, join(backUps, String(step.as)))
      execFileSync('tar', ['cf', join(backUps, `${step.as}.tar`), '-C', join(root, 'a'), 'memory.sqlite'], {
        stdio: 'ignore',
      })
      for (const part of parts) if (existsSync(main + part)) copyFileSync(main + part, join(backUps, step.as + part))
      kept.set(step.as, backUp)
      return true
    }
    if (step.do === 'restore') {
      const backUp = kept.get(step.from)
      if (backUp === undefined || mounts.size > 0) return false
      mkdirSync(join(root, 'a'), { recursive: true })
      const earlier = world.named(main)
      const source = join(backUps, String(step.from))
      if (step.how === 'in place') writeFileSync(main, readFileSync(source))
      else if (step.how === 'tar in place')
        execFileSync('tar', ['xf', `${source}.tar`, '--overwrite', '-C', join(root, 'a')], { stdio: 'ignore' })
      else {
        if (step.how === 'tar') execFileSync('tar', ['xf', `${source}.tar`, '-C', join(root, 'a')], { stdio: 'ignore' })
        else {
          copyFileSync(source, join(root, 'a/new'))
          renameSync(join(root, 'a/new'), main)
        }
      }
      placed(main, backUp, earlier)
      return true
    }
    if (step.do === 'delete') {
      if (!existsSync(main + step.part)) return false
      rmSync(main + step.part, { recursive: true })
      if (step.part === '-wal' || step.part === '-revision') world.tear(main)
      return true
    }
    if (step.do === 'replace') {
      const source = join(backUps, step.from + step.part)
      if (!existsSync(source) || !hasFolder) return false
      copyFileSync(source, main + step.part)
      world.tear(main)
      const file = world.named(main)
      // A journal next to a closed file is foreign to it.
      if (file !== null && !file.needsJournal) world.copySides(main, file)
      return true
    }
    if (step.do === 'rename' || step.do === 'rename back') {
      const [from, to] = step.do === 'rename' ? [main, paths.moved] : [paths.moved, main]
      if (!existsSync(from)) return false
      renameSync(from, to)
      return true
    }
    if (step.do === 'copy all parts') {
      const file = world.named(main)
      const backUp = keep(main)
      if (file === null || backUp === null || live().some(({ open: held }) => held?.path === paths.copy)) return false
      rmSync(join(root, 'c'), { recursive: true })
      mkdirSync(join(root, 'c'))
      for (const part of ['', ...parts]) if (existsSync(main + part)) copyFileSync(main + part, paths.copy + part)
      placed(paths.copy, backUp, null)
      if (hasSides(paths.copy)) world.copySides(paths.copy, world.named(paths.copy)!)
      return true
    }
    if (step.do === 'link' || step.do === 'unlink') {
      if (step.do === 'unlink' ? !existsSync(paths.link) : !existsSync(main) || existsSync(paths.link)) return false
      if (step.do === 'link') linkSync(main, paths.link)
      else rmSync(paths.link)
      return true
    }
    if (step.do === 'delete folder') {
      if (!hasFolder || mounts.size > 0) return false
      rmSync(join(root, 'a'), { recursive: true })
      for (const path of [main, paths.moved, paths.link]) world.look(path)
      return true
    }
    if (step.do === 'rename folder' || step.do === 'rename folder back') {
      const [from, to] = step.do === 'rename folder' ? ['a', 'b'] : ['b', 'a']
      if (!existsSync(join(root, from)) || existsSync(join(root, to)) || mounts.size > 0) return false
      renameSync(join(root, from), join(root, to))
      world.move(join(root, from, 'memory.sqlite'), join(root, to, 'memory.sqlite'))
      return true
    }
    if (step.do === 'mount' || step.do === 'mount file') {
      const [from, to] = step.do === 'mount' ? [join(root, 'a'), join(root, 'm')] : [main, paths['mounted file']]
      if (!isRoot || mounts.has(step.do) || !existsSync(from)) return false
      if (step.do === 'mount file') writeFileSync(to, '')
      execFileSync('mount', ['--bind', from, to], { stdio: 'ignore' })
      mounts.add(step.do)
      return true
    }
    if (!hasFolder || !existsSync(main)) return false
    if (step.do === 'git commit') {
      if (!existsSync(join(root, 'a/.git'))) git('init', '-q')
      git('add', '-f', 'memory.sqlite')
      git('commit', '-q', '--allow-empty', '-m', 'the memory')
      commit = keep(main)
      return true
    }
    if (!existsSync(join(root, 'a/.git')) || commit === null || mounts.size > 0) return false
    if (step.do === 'git clean') {
      const had = hasSides(main)
      git('clean', '-fdxq', '-e', 'moved.sqlite*', '-e', 'link.sqlite*')
      if (had) world.tear(main)
      return true
    }
    const earlier = world.named(main)
    git('checkout', '-f', 'HEAD', '--', 'memory.sqlite')
    // Git leaves a file alone that it takes for unchanged.
    if (!world.isNamed(main, earlier)) placed(main, commit, earlier)
    return true
  }

  const probe = async (): Promise<boolean> => {
    const leaders: number[] = []
    for (const [number, own] of holders.entries()) {
      if (own?.open == null || own.actor.hasEnded() || own.actor.isStopped()) continue
      const answer = await own.actor.ask({ do: 'status' })
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
        return (await close(number)) && (await open(number, main), true)
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
        const isDone = exchange(operation.exchange)
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
        const isDone = exchange(operation)
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
      const answer = await holder(number).actor.ask({ do: 'check' })
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
    for (const name of mounts) unmount(name)
    mounts.clear()
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
    for (const name of mounts) unmount(name)
    rmSync(root, { recursive: true, force: true })
  }

  function unmount(name: string): void {
    execFileSync('umount', ['-l', name === 'mount' ? join(root, 'm') : paths['mounted file']], { stdio: 'ignore' })
  }
}
