/**
 * Sorts what records say of one subject: what holds now, what held earlier and why it no longer does, what will hold. Pure: replaced
 * statements are those of the rules of changes [H1], of `supersededBy` and of the times of validity.
 */
import { changeBetween } from '../changes/change-between.ts'
import { clausesOfRecord } from '../changes/clauses-of-record.ts'
import type { StoredRecord } from '../model/record.ts'
import type { About, Change, Statement } from '../model/result.ts'
import { speakerOf, utteranceOf } from '../said/read-turn.ts'
import { compareCodePoints } from '../text/hash/code-point-order.ts'
import { dayAt, dayOf, quoted } from './change-reasons.ts'

export type SortedStatements = Pick<About, 'current' | 'earlier' | 'upcoming'>

/** `records`: of distinct ids, in any order. `agreements`: pairs of ids of which both are right. */
export function sortStatements(
  records: readonly StoredRecord[],
  { now, agreements }: { readonly now: number; readonly agreements: readonly (readonly [string, string])[] },
): SortedStatements {
  const sorted = records.toSorted(latestFirst)
  const copies = copiesOf(sorted)
  const kept = sorted.filter(({ id }) => copies.has(id))
  const known = new Map(kept.map((record) => [record.id, record]))
  const changes = changesOf(kept, new Set(agreements.map(pairName)))
  const successor = (id: string) =>
    changes.get(id)?.find(({ earlier, later }) => earlier === id && later !== id)?.later ?? null
  const statements = kept.map((record): Statement & { readonly state: State } => {
    const own = changes.get(record.id) ?? []
    const replacedBy = successor(record.id)
    const { state, reason } = stateOf(record, replacedBy, now)
    return {
      id: record.id,
      record,
      at: timeOf(record),
      speaker: speakerName(record),
      changes: own,
      replacedBy,
      reasons: [...(reason === null ? [] : [reason]), ...own.flatMap((change) => inWords(change, record.id, known))],
      copies: copies.get(record.id)!,
      state,
    }
  })
  const all = (wanted: State) => statements.flatMap(({ state, ...statement }) => (state === wanted ? [statement] : []))
  const current = all('current')
  const from = ({ record }: Statement) => record.validFrom ?? 0
  return {
    current,
    earlier: grouped(all('earlier'), current, successor),
    upcoming: all('upcoming').sort((a, b) => from(a) - from(b)),
  }
}

/**
 * Whether a record that names the subject says something of it: questions and small talk of a chat do not. `isSelf`: the subject is the person
 * who asks, of whom their own turns and notes tell.
 */
export function statesFact(record: StoredRecord, isSelf: boolean): boolean {
  const speaker = speakerOf(record)
  if (speaker !== null && utteranceOf(record.body ?? '') !== 'statement') return false
  if (!isSelf) return true
  return speaker === null ? clausesOfRecord(record).some(({ isMine }) => isMine) : speaker.role !== 'assistant'
}

type State = 'current' | 'earlier' | 'upcoming'

function stateOf(
  { status, supersededBy, validFrom, validUntil, expiresAt }: StoredRecord,
  replacedBy: string | null,
  now: number,
): { readonly state: State; readonly reason: string | null } {
  if (validUntil !== null && validUntil <= now) return { state: 'earlier', reason: `valid until ${dayAt(validUntil)}` }
  if (expiresAt !== null && expiresAt <= now) return { state: 'earlier', reason: `expired on ${dayAt(expiresAt)}` }
  if (replacedBy !== null) return { state: 'earlier', reason: null }
  if (status !== 'active' || supersededBy !== null)
    return { state: 'earlier', reason: supersededBy === null ? status : `replaced by ${supersededBy}` }
  if (validFrom !== null && validFrom > now) return { state: 'upcoming', reason: `valid from ${dayAt(validFrom)} on` }
  return { state: 'current', reason: null }
}

/** By id: its changes, those with the latest statements first. */
function changesOf(
  sorted: readonly StoredRecord[],
  agreed: ReadonlySet<string>,
): ReadonlyMap<string, readonly Change[]> {
  const named = new Set(sorted.flatMap(({ supersededBy }) => supersededBy ?? []))
  // Only records that read as statements, or that name a successor, can change others.
  const able = sorted.filter(
    (record) => record.supersededBy !== null || named.has(record.id) || clausesOfRecord(record).length > 0,
  )
  const pairs = new Map<string, Change>()
  for (const [i, later] of able.entries())
    for (const earlier of able.slice(i + 1)) {
      const change = changeBetween(earlier, later)
      if (change !== null) pairs.set(pairName([earlier.id, later.id]), change)
    }
  for (const change of ofOneMatter(
    [...pairs.values()].filter((pair) => !agreed.has(pairName([pair.earlier, pair.later]))),
  ))
    if (!pairs.has(pairName([change.earlier, change.later])))
      pairs.set(pairName([change.earlier, change.later]), change)
  const places = new Map(able.map(({ id }, i) => [id, i]))
  const changes = new Map<string, Change[]>()
  for (const [name, change] of pairs) {
    if (agreed.has(name)) continue
    for (const id of [change.earlier, change.later]) changes.set(id, [...(changes.get(id) ?? []), change])
  }
  const latest = ({ earlier, later }: Change) => Math.min(places.get(earlier)!, places.get(later)!)
  for (const own of changes.values())
    own.sort((a, b) => latest(a) - latest(b) || places.get(a.earlier)! - places.get(b.earlier)!)
  return changes
}

/** "She moved to Hamburg" and later "she lives in Bremen" both replace "she lives in Berlin", so the later replaces the move, too. */
function ofOneMatter(pairs: readonly Change[]): readonly Change[] {
  const isOfHome = ({ how }: Change) => how === 'value' || how === 'move'
  const homes = new Map<string, Change[]>()
  for (const pair of pairs.filter(isOfHome)) {
    const matter = JSON.stringify([pair.earlier, pair.about])
    homes.set(matter, [...(homes.get(matter) ?? []), pair])
  }
  // The pairs come with the latest first.
  return [...homes.values()].flatMap((all) =>
    all.flatMap(({ later, about, how }, i) =>
      all.slice(i + 1).flatMap((move) => (move.how === 'move' ? [{ earlier: move.later, later, about, how }] : [])),
    ),
  )
}

function pairName(pair: readonly [string, string]): string {
  return JSON.stringify(pair.toSorted(compareCodePoints))
}

function inWords({ earlier, later }: Change, id: string, known: ReadonlyMap<string, StoredRecord>): readonly string[] {
  const other = known.get(id === later ? earlier : later)
  if (other === undefined) return []
  return [`${id === later ? 'replaces' : 'replaced by'} ${quoted(other)}, ${dayOf(other)}`]
}

/** Those that led to one current statement together, in the order of these; each group the latest first. */
function grouped(
  earlier: readonly Statement[],
  current: readonly Statement[],
  successor: (id: string) => string | null,
): readonly Statement[] {
  const places = new Map(current.map(({ id }, i) => [id, i]))
  const placeOf = (id: string): number => {
    const seen = new Set<string>()
    for (let at: string | null = id; at !== null && !seen.has(at); at = successor(at)) {
      const place = places.get(at)
      if (place !== undefined) return place
      seen.add(at)
    }
    return current.length
  }
  const ends = new Map(earlier.map(({ id }) => [id, placeOf(id)]))
  return earlier.toSorted((a, b) => ends.get(a.id)! - ends.get(b.id)!)
}

/** By the id of the latest record of each content: the ids of the others. */
function copiesOf(sorted: readonly StoredRecord[]): ReadonlyMap<string, readonly string[]> {
  const firsts = new Map<string, string>()
  const copies = new Map<string, string[]>()
  for (const record of sorted) {
    const { status, supersededBy, project, agent, bank, validFrom, validUntil, expiresAt, contentHash } = record
    // Copies that hold at other times say something else.
    const own = JSON.stringify([
      contentHash,
      status,
      supersededBy,
      project,
      agent,
      bank,
      validFrom,
      validUntil,
      expiresAt,
      speakerName(record),
    ])
    const first = firsts.get(own)
    if (first === undefined) {
      firsts.set(own, record.id)
      copies.set(record.id, [])
    } else copies.get(first)!.push(record.id)
  }
  return copies
}

function speakerName(record: StoredRecord): string | null {
  const speaker = speakerOf(record)
  return speaker === null ? null : (speaker.name ?? speaker.role)
}

function timeOf({ occurredAt, createdAt }: StoredRecord): number {
  return occurredAt ?? createdAt
}

function latestFirst(a: StoredRecord, b: StoredRecord): number {
  return (
    timeOf(b) - timeOf(a) ||
    compareCodePoints(a.session ?? '', b.session ?? '') ||
    (b.position ?? 0) - (a.position ?? 0) ||
    compareCodePoints(a.id, b.id)
  )
}
