/**
 * Models which file each path names, and which states an opening of it may find. It knows the file system and the acknowledgements, and shares no code with the engine.
 *
 * A state is complete: all bodies by id. A file has the state after the last acknowledgement that counted for it. Parts of it may be missing or belong to another file, because the history
 * deleted or exchanged them: then an opening may be refused, or may find one earlier state if it says so.
 */
import { existsSync, statSync } from 'node:fs'

export type State = ReadonlyMap<string, string>

export type Change = (state: State) => State

export interface FileModel {
  /** Every state that this file had, or the files had whose bytes it may hold. */
  readonly states: Map<string, State>
  /** The state that counts. */
  latest: State
  /** Writes that run: each may be in the file or not. */
  maybe: { readonly change: Change; isPending: boolean }[]
  /** States that count as well, because writes ended without an answer. */
  alternatives: readonly State[]
  /** Writes that were refused: none may be in the file. */
  refused: Change[]
  /** Whether commits may be in the journal next to it. */
  needsJournal: boolean
  /** Whether an opening of it was refused since its parts were exchanged, so that its user knows. */
  isReported: boolean
}

/** What is next to a path: the journal and the revision of a file. */
interface Sides {
  of: FileModel
  isWhole: boolean
}

export interface Finding {
  readonly kind:
    | 'lost'
    | 'mixture'
    | 'untold'
    | 'refused but written'
    | 'needless refusal'
    | 'two owners'
    | 'untyped'
    | 'endless'
    | 'unsound'
  readonly what: string
}

export function keyOf(state: State): string {
  return JSON.stringify([...state].sort(([a], [b]) => (a < b ? -1 : 1)))
}

export const empty: State = new Map()

export function putting(records: readonly { readonly id: string; readonly body: string }[]): Change {
  return (state) => new Map([...state, ...records.map(({ id, body }) => [id, body] as const)])
}

export function forgetting(ids: readonly string[]): Change {
  return (state) => new Map([...state].filter(([id]) => !ids.includes(id)))
}

/** A patch of a record that is not there is refused, so it changes nothing. */
export function patching(id: string, body: string): Change {
  return (state) => (state.has(id) ? new Map([...state, [id, body]]) : state)
}

export function newFile(latest: State, states: Iterable<State> = []): FileModel {
  const all = new Map([...states, latest].map((state) => [keyOf(state), state]))
  return { states: all, latest, maybe: [], alternatives: [], refused: [], needsJournal: false, isReported: false }
}

/** What an opening showed. */
export interface Seen {
  readonly state: State
  readonly role: string
  readonly degraded: readonly string[]
}

/** `mayBeOlder`: an earlier state may be found if the user is informed. `served`: states that a process which still holds an exchanged file may show. */
export function judgeOpening(
  file: FileModel,
  { state, role, degraded }: Seen,
  { mayBeOlder, served = [] }: { readonly mayBeOlder: boolean; readonly served?: readonly FileModel[] },
): Finding | null {
  const key = keyOf(state)
  const possible = possibleStates(file)
  if (possible.has(key)) return null
  if (role === 'follower' && served.some((other) => possibleStates(other).has(key) || other.states.has(key)))
    return null
  if (file.refused.some((change) => key === keyOf(change(file.latest))))
    return { kind: 'refused but written', what: differenceOf(state, file.latest) }
  const isEarlier = file.states.has(key)
  // What a process reads that lost the file is of an earlier time; it writes nothing any more.
  if (isEarlier && role === 'follower') return null
  if (!isEarlier) {
    const isLoss = [...file.latest].some(([id]) => !state.has(id))
    return {
      kind: isLoss && !isForeign(state, file) && !mayBeOlder ? 'lost' : 'mixture',
      what: differenceOf(state, file.latest),
    }
  }
  if (!mayBeOlder) return { kind: 'lost', what: differenceOf(state, file.latest) }
  return degraded.length > 0 || file.isReported ? null : { kind: 'untold', what: differenceOf(state, file.latest) }
}

/** A write ended without an answer: it may be done or not, before all later ones. */
export function mayHave(file: FileModel, change: Change): void {
  file.alternatives = [...file.alternatives, ...[file.latest, ...file.alternatives].map(change)].slice(-64)
}

/** A write was acknowledged. */
export function mustHave(file: FileModel, change: Change): void {
  file.latest = change(file.latest)
  file.alternatives = file.alternatives.map(change)
  for (const state of [file.latest, ...file.alternatives]) file.states.set(keyOf(state), state)
}

/** The latest state with any of the writes that had no answer. */
function possibleStates({ latest, alternatives, maybe }: FileModel): ReadonlySet<string> {
  let states: readonly State[] = [latest, ...alternatives]
  for (const { change } of maybe.slice(-6)) states = [...states, ...states.map((state) => change(state))]
  return new Set(states.map(keyOf))
}

/** Whether a state holds a body that no state of the file had. */
function isForeign(state: State, { states }: FileModel): boolean {
  const known = new Set([...states.values()].flatMap((one) => [...one].map(([id, body]) => `${id} ${body}`)))
  return [...state].some(([id, body]) => !known.has(`${id} ${body}`))
}

export function differenceOf(state: State, expected: State): string {
  const missing = [...expected.keys()].filter((id) => !state.has(id))
  const added = [...state.keys()].filter((id) => !expected.has(id))
  const changed = [...state].filter(([id, body]) => expected.has(id) && expected.get(id) !== body).map(([id]) => id)
  const named = (what: string, ids: readonly string[]) =>
    ids.length === 0 ? [] : [`${ids.length} ${what} (${ids.slice(0, 3).join()}…)`]
  return `${state.size} records for ${expected.size}: ${[...named('missing', missing), ...named('unexpected', added), ...named('other bodies', changed)].join(', ')}`
}

/** The files of a history by their identity, and what is next to each path. */
export class World {
  readonly #files = new Map<string, FileModel>()
  readonly #sides = new Map<string, Sides>()

  /** The file that a path names now; null if it names none. A file that no operation made was created by the engine. */
  named(path: string): FileModel | null {
    const identity = identityOf(path)
    if (identity === null) return null
    const file = this.#files.get(identity) ?? newFile(empty)
    this.#files.set(identity, file)
    return file
  }

  isNamed(path: string, file: FileModel | null): boolean {
    return this.#files.get(identityOf(path) ?? '') === file
  }

  /** The path names this file from now on. */
  name(path: string, file: FileModel): void {
    const identity = identityOf(path)
    if (identity !== null) this.#files.set(identity, file)
  }

  /** Whether an opening must find the state that counts, because all parts are there. */
  isWhole(path: string): boolean {
    const file = this.named(path)
    if (file === null) return !hasSides(path)
    const sides = this.#sides.get(path)
    if (sides === undefined) return !file.needsJournal && !hasSides(path)
    return sides.of === file && sides.isWhole
  }

  /** The file was opened through this path, or a write through it was acknowledged: all parts belong together. */
  join(path: string, file: FileModel): void {
    for (const sides of this.#sides.values()) if (sides.of === file) sides.isWhole = false
    this.#sides.set(path, { of: file, isWhole: true })
  }

  /** A part next to the path was deleted or exchanged. */
  tear(path: string): void {
    const sides = this.#sides.get(path)
    if (sides !== undefined) sides.isWhole = false
  }

  /** Parts of a file were copied next to a path, but perhaps not all of one moment. */
  copySides(path: string, file: FileModel): void {
    this.#sides.set(path, { of: file, isWhole: false })
  }

  /** Forgets what is next to a path if nothing is there any more. */
  look(path: string): void {
    if (!hasSides(path)) this.#sides.delete(path)
  }

  /** All parts are under another path now. */
  move(from: string, to: string): void {
    const sides = this.#sides.get(from)
    this.#sides.delete(from)
    this.#sides.delete(to)
    if (sides !== undefined) this.#sides.set(to, sides)
  }
}

export function hasSides(path: string): boolean {
  return ['-wal', '-journal', '-revision'].some((end) => existsSync(path + end))
}

function identityOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true })
  // A file system uses the number of a deleted file again.
  return found === undefined ? null : `${found.dev} ${found.ino} ${found.birthtimeNs}`
}
