/**
 * One trial: a session over a copy of the earlier disk, on a machine that fails somewhere, once or for ever. Errors
 * must be typed and true; a step that failed is repeated; and the final content must equal that of a session without
 * failures, wherever the fault was.
 */
import { RecallError } from '../../../src/core/model/errors.ts'
import { sha256HexOfBytes } from '../../../src/core/text/hash/sha256.ts'
import { unpackResult } from '../../../src/protocol/packed-result.ts'
import { createEngineOver, type Engine } from '../../../worker/engine/engine.ts'
import { engineOptions } from '../../support/stores/engine-options.ts'
import { withNumberedDevices } from '../../support/stores/portable.ts'
import type { SickDisk } from './disks.ts'
import { type Caller, exportAll, type Session, space, vectorOf } from './script.ts'

export interface Rehearsed {
  readonly session: Session
  /** The disk before the session. */
  readonly disk: SickDisk
  /** After the opening, and after each step. */
  readonly states: readonly string[]
  /** I/O calls of the session when nothing fails. */
  readonly calls: number
}

export interface Verdict {
  /** The faults found; empty: none. */
  readonly faults: readonly string[]
  /** Codes thrown, by the call that got them. */
  readonly thrown: readonly string[]
  /** The fault was over, and still the store had to be opened again. */
  readonly neededReopening: boolean
}

/** What fails on the machine, and when. */
export interface Harm {
  /** Lasts until the session is over; otherwise it ends at the first failure. */
  readonly isForever: boolean
  /** After the session the worker is killed, or goes on. */
  readonly isKilled: boolean
  /** Before the opening (-1) and before each step. */
  begin(place: number, disk: SickDisk): void
  /** Before a failed step is repeated, where the fault does not last. */
  failed(): void
  /** Nothing fails from here on. */
  end(disk: SickDisk): void
}

/** Codes allowed on a failing machine: never damage, never an empty store, never a mistake of the caller. */
const truthful: readonly string[] = ['STORAGE_UNAVAILABLE', 'QUOTA_EXCEEDED', 'STORE_BUSY']

/** The session when nothing fails: once to learn its states, once to count its calls. */
export async function rehearse(session: Session, disk: SickDisk): Promise<Rehearsed> {
  const told = disk.copy()
  const engine = await open(told)
  const states = [await stateOf(engine)]
  for (const step of session.steps) {
    await step.run(callerOf(engine))
    states.push(await stateOf(engine))
  }
  await close(engine)
  told.kill()
  const counted = disk.copy()
  counted.armFault(Number.POSITIVE_INFINITY, { isForever: false, name: null })
  const other = await open(counted)
  for (const step of session.steps) await step.run(callerOf(other))
  await close(other)
  const calls = counted.calls()
  counted.kill()
  return { session, disk, states, calls }
}

/** The disk after a session in which nothing fails. */
export async function diskAfter({ session, disk }: Rehearsed): Promise<SickDisk> {
  const after = disk.copy()
  const engine = await open(after)
  for (const step of session.steps) await step.run(callerOf(engine))
  await close(engine)
  // The next opening must not find what this process still has in memory of the disk.
  after.kill()
  return after.copy()
}

export async function runTrial({ session, disk, states }: Rehearsed, harm: Harm): Promise<Verdict> {
  const sick = disk.copy()
  const faults: string[] = []
  const thrown: string[] = []
  let neededReopening = false
  let engine: Engine | null = null
  /** Null when it failed. */
  const attempt = async <T>(what: string, work: () => Promise<T>): Promise<{ readonly value: T } | null> => {
    try {
      return { value: await work() }
    } catch (error) {
      const code = error instanceof RecallError ? error.code : 'NOT TYPED'
      thrown.push(`${what}: ${code}`)
      if (!harm.isForever) harm.failed()
      if (!truthful.includes(code)) faults.push(`${what} threw ${code}: ${String(error)}`)
      return null
    }
  }
  const openAgain = async (what: string): Promise<Engine | null> => {
    const opened = await attempt(what, () => open(sick))
    return opened?.value ?? null
  }
  const end = async (one: Engine | null) => {
    if (one !== null) await attempt('close', () => close(one))
  }
  const expectState = async (what: string, among: readonly (string | undefined)[]) => {
    if (engine === null) return
    const state = await stateOf(engine).catch((error: unknown) => `cannot be read: ${String(error)}`)
    if (!among.includes(state)) faults.push(`${what}: ${state} is none of ${among.join(', ')}`)
  }

  harm.begin(-1, sick)
  engine = await openAgain('open')
  let done = 0
  if (engine === null && !harm.isForever) {
    engine = await openAgain('open again')
    if (engine === null) faults.push('the fault was gone, and it did not open')
  }
  while (engine !== null && done < session.steps.length) {
    const step = session.steps[done]!
    const caller = callerOf(engine)
    harm.begin(done, sick)
    if ((await attempt(step.name, () => step.run(caller))) === null) {
      if (harm.isForever) break
      if ((await attempt(`${step.name} again`, () => step.run(caller))) === null) {
        neededReopening = true
        await end(engine)
        engine = await openAgain('open after it')
        if (engine === null) break
        await attempt(`${step.name}, opened again`, () => step.run(callerOf(engine!)))
      }
    }
    done += 1
  }
  // A fault that the steps did not reach must not hit the checks.
  if (!harm.isForever) harm.end(sick)
  if (!harm.isForever) await expectState('in the same session', [states[done]])
  await end(engine)
  harm.end(sick)
  if (harm.isKilled) sick.kill()
  engine = await openAgain('open at the end')
  if (engine === null) faults.push('it does not open any more')
  else {
    await expectState('opened again', harm.isForever ? [states[done], states[done + 1]] : [states[done]])
    for (const step of session.steps.slice(done))
      await attempt(`${step.name} at the end`, () => step.run(callerOf(engine as Engine)))
    await expectState('gone on', [states.at(-1)])
    await end(engine)
  }
  sick.kill()
  sick.wipe()
  return { faults, thrown, neededReopening }
}

async function open(disk: SickDisk): Promise<Engine> {
  const storage = await disk.open()
  try {
    const engine = createEngineOver(storage, options, null)
    await storage.flush?.()
    return engine
  } catch (error) {
    await storage.close()
    throw error
  }
}

async function close(engine: Engine): Promise<void> {
  await engine.call('close', {}, { now })
}

function callerOf(engine: Engine): Caller {
  return { call: (method, request, at, operation) => engine.call(method, request, { now: at, operation }) }
}

/** All observable state, as a few characters: content, answers, soundness. */
async function stateOf(engine: Engine): Promise<string> {
  const caller = callerOf(engine)
  const content = sha256HexOfBytes(withNumberedDevices(await exportAll(caller, now)))
  const query = { text: 'jay oak', vector: vectorOf(5), limit: 50 }
  const { hits } = unpackResult(await caller.call('recall', { query }, now))
  const answer = sha256HexOfBytes(new TextEncoder().encode(hits.map(({ id, score }) => `${id} ${score}`).join('\n')))
  const { ok, problems } = await caller.call('integrityCheck', {}, now)
  return `${hits.length} hits ${answer.slice(0, 8)} ${content.slice(0, 8)}${ok ? '' : ` ${problems.join('; ')}`}`
}

const now = Date.UTC(2026, 1, 1)

const options: Parameters<typeof createEngineOver>[1] = {
  ...engineOptions,
  name: 't4',
  storage: 'opfs',
  runtime: 'worker',
  metadataKeys: ['flag'],
  space,
}
