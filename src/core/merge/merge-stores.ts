/**
 * Merges the states of two stores: records, tombstones, links, states of files. Commutative, associative and idempotent
 * [R1] [R2] [R3], so devices that have exchanged all changes hold the same state [R4]. Reports which versions lost.
 */
import { canonicalJson } from '../text/hash/canonical.ts'
import { compareCodePoints } from '../text/hash/code-point-order.ts'
import { type LinkState, mergeLinks } from './links.ts'
import { conflictOf, digestOf, mergeTombstones, type Tombstone, type Version } from './lives.ts'
import { type LiveRecord, mergeRecords } from './merge-records.ts'
import { mergeRegisters, type Registers } from './registers.ts'
import { compareStamps, type Stamp } from './stamp.ts'
import { tombstoneMark } from './tombstone-mark.ts'

export interface StoreState {
  /** By id. */
  readonly records: ReadonlyMap<string, LiveRecord>
  /** By `tombstoneMark` of the id. A record that lives again has none. */
  readonly tombstones: ReadonlyMap<string, Tombstone>
  /** By `linkName` of the two ids. */
  readonly links: ReadonlyMap<string, LinkState>
  /** States of files, by path. */
  readonly files: Registers<unknown>
  /** The latest stamp of each device of which the store has seen a change, by device: its clock exceeds them. */
  readonly known: readonly Stamp[]
}

/** Two versions that changed the same fields without knowledge of each other, and which of them lost a change; the earlier one if both did. */
export interface Conflict {
  readonly id: string
  readonly kept: Stamp
  readonly lost: { readonly stamp: Stamp; readonly digest: string }
}

export interface MergedStores {
  readonly state: StoreState
  /** By id. */
  readonly conflicts: readonly Conflict[]
  /** Ids of records that one side had and the other has forgotten, in order. */
  readonly forgotten: readonly string[]
}

export function emptyStore(): StoreState {
  return { records: new Map(), tombstones: new Map(), links: new Map(), files: [], known: [] }
}

export function mergeStores(a: StoreState, b: StoreState): MergedStores {
  const tombstones = united(a.tombstones, b.tombstones, mergeTombstones)
  const records = new Map<string, LiveRecord>()
  const conflicts: Conflict[] = []
  const forgotten: string[] = []
  for (const id of [...new Set([...a.records.keys(), ...b.records.keys()])].sort(compareCodePoints)) {
    const [mine, theirs] = [a.records.get(id), b.records.get(id)]
    const record = mergeLive(mine, theirs)
    const mark = tombstones.size === 0 ? '' : tombstoneMark(id)
    const tombstone = tombstones.get(mark)
    if (tombstone !== undefined && tombstone.life >= record.life) {
      forgotten.push(id)
      continue
    }
    tombstones.delete(mark)
    records.set(id, record)
    const lost = lostVersion(mine, theirs)
    if (lost !== null)
      conflicts.push({ id, kept: record.version.stamp, lost: { stamp: lost.stamp, digest: digestOf(lost) } })
  }
  const known = mergeKnown(a.known, b.known)
  const state = {
    records,
    tombstones,
    links: mergeAllLinks(a, b, records),
    files: mergeRegisters(a.files, b.files),
    known,
  }
  return { state, conflicts, forgotten }
}

function mergeLive(mine: LiveRecord | undefined, theirs: LiveRecord | undefined): LiveRecord {
  if (mine === undefined || theirs === undefined) return (mine ?? theirs) as LiveRecord
  return mergeRecords(mine, theirs) as LiveRecord
}

/** Null unless both changed the same fields of one life apart. */
function lostVersion(mine: LiveRecord | undefined, theirs: LiveRecord | undefined): Version | null {
  if (mine === undefined || theirs === undefined || mine.life !== theirs.life) return null
  const conflict = conflictOf(mine.version, theirs.version)
  if (conflict === null) return null
  const keepsMine =
    conflict.kept === null ? compareStamps(mine.version.stamp, theirs.version.stamp) > 0 : conflict.kept === 'a'
  return keepsMine ? theirs.version : mine.version
}

/** The latest stamp of each device. */
export function mergeKnown(a: readonly Stamp[], b: readonly Stamp[]): readonly Stamp[] {
  const byDevice = (stamps: readonly Stamp[]) => new Map(stamps.map((stamp) => [stamp.device, stamp]))
  const merged = united(byDevice(a), byDevice(b), (x, y) => (compareStamps(x, y) >= 0 ? x : y))
  return [...merged.values()].sort((x, y) => compareCodePoints(x.device, y.device))
}

/** The name of the link between two records, in either order. */
export function linkName(a: string, b: string): string {
  return canonicalJson([a, b].sort(compareCodePoints))
}

/** A link stays while both records live the lives in which it was made. */
function mergeAllLinks(
  a: StoreState,
  b: StoreState,
  records: ReadonlyMap<string, LiveRecord>,
): ReadonlyMap<string, LinkState> {
  const stays = ([name, { lives }]: readonly [string, LinkState]) => {
    const [smaller = '', greater = ''] = JSON.parse(name) as readonly string[]
    return records.get(smaller)?.life === lives[0] && records.get(greater)?.life === lives[1]
  }
  return united(new Map([...a.links].filter(stays)), new Map([...b.links].filter(stays)), mergeLinks)
}

/** The union of two maps in which `merge` decides about keys that both have. */
function united<V>(a: ReadonlyMap<string, V>, b: ReadonlyMap<string, V>, merge: (a: V, b: V) => V): Map<string, V> {
  const result = new Map(a)
  for (const [key, value] of b) {
    const other = result.get(key)
    result.set(key, other === undefined ? value : merge(other, value))
  }
  return result
}
