/**
 * Merges the states of two stores: records, tombstones, links, states of files. Commutative, associative and idempotent
 * [R1] [R2] [R3], so devices that have exchanged all changes hold the same state [R4]. Reports which versions lost.
 */
import { canonicalJson } from '../text/hash/canonical.ts'
import { compareCodePoints } from '../text/hash/code-point-order.ts'
import { type LinkState, mergeLinks } from './links.ts'
import { knows, mergeTombstones, type Tombstone } from './lives.ts'
import { type LiveRecord, mergeRecords } from './merge-records.ts'
import { mergeRegisters, type Registers } from './registers.ts'
import { compareStamps, type Stamp } from './stamp.ts'
import { tombstoneMark } from './tombstone-mark.ts'

export interface StoreState<T> {
  /** By id. */
  readonly records: ReadonlyMap<string, LiveRecord<T>>
  /** By `tombstoneMark` of the id. A record that lives again has none. */
  readonly tombstones: ReadonlyMap<string, Tombstone>
  /** By `linkName` of the two ids. */
  readonly links: ReadonlyMap<string, LinkState>
  /** States of files, by path. */
  readonly files: Registers<unknown>
  /** The latest stamp of each device of which the store has seen a change, by device: its clock exceeds them. */
  readonly known: readonly Stamp[]
}

/** Two versions that were written without knowledge of each other, and which of them stays. */
export interface Conflict {
  readonly id: string
  readonly kept: Stamp
  readonly lost: { readonly stamp: Stamp; readonly digest: string }
}

export interface MergedStores<T> {
  readonly state: StoreState<T>
  /** By id. */
  readonly conflicts: readonly Conflict[]
  /** Ids of records that one side had and the other has forgotten, in order. */
  readonly forgotten: readonly string[]
}

export function emptyStore<T>(): StoreState<T> {
  return { records: new Map(), tombstones: new Map(), links: new Map(), files: [], known: [] }
}

export function mergeStores<T>(a: StoreState<T>, b: StoreState<T>): MergedStores<T> {
  const tombstones = united(a.tombstones, b.tombstones, mergeTombstones)
  const records = new Map<string, LiveRecord<T>>()
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
    if (mine !== undefined && theirs !== undefined && isConflict(mine, theirs)) {
      const lost = mine.version.stamp === record.version.stamp ? theirs.version : mine.version
      conflicts.push({ id, kept: record.version.stamp, lost: { stamp: lost.stamp, digest: lost.digest } })
    }
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

function mergeLive<T>(mine: LiveRecord<T> | undefined, theirs: LiveRecord<T> | undefined): LiveRecord<T> {
  if (mine === undefined || theirs === undefined) return (mine ?? theirs) as LiveRecord<T>
  return mergeRecords(mine, theirs) as LiveRecord<T>
}

/** Whether two versions of one life differ, and neither was written with knowledge of the other. */
export function isConflict(mine: Judged, theirs: Judged): boolean {
  return (
    mine.life === theirs.life &&
    mine.version.digest !== theirs.version.digest &&
    !knows(mine.version, theirs.version.stamp) &&
    !knows(theirs.version, mine.version.stamp)
  )
}

interface Judged {
  readonly life: number
  readonly version: Pick<LiveRecord<unknown>['version'], 'stamp' | 'digest' | 'after'>
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
function mergeAllLinks<T>(
  a: StoreState<T>,
  b: StoreState<T>,
  records: ReadonlyMap<string, LiveRecord<T>>,
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
