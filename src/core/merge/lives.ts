/**
 * The versions of a record and their order. A record has lives: forgetting ends a life, and a put on a device that knows of it begins
 * the next one. A forget wins against every version of its life, whatever their clocks [R5]. Within a life versions are merged by field [R13].
 * Pure: each function returns the next state.
 */
import { canonicalJson } from '../text/hash/canonical.ts'
import { compareCodePoints } from '../text/hash/code-point-order.ts'
import { sha256Hex } from '../text/hash/sha256.ts'
import type { Content } from './content.ts'
import { type FieldStamps, stampsAfterPut } from './field-stamps.ts'
import { mergeContent } from './merge-content.ts'
import { compareStamps, type Stamp } from './stamp.ts'

/** One version of a record, as a put wrote it, or as a merge made it of several. */
export interface Version {
  /** When its content was last changed. A put of the same content keeps the stamp, so that it does not win against a change. */
  readonly stamp: Stamp
  readonly content: Content
  /** When each field was last changed. */
  readonly fields: FieldStamps
  /** ms: the latest put of this content, a repeated one included. */
  readonly confirmedAt: number
  /** What its writers knew: by device the latest stamp among the versions that this one replaced or won against. */
  readonly after: readonly Stamp[]
}

/** The remains of a forgotten record. */
export interface Tombstone {
  /** The life that ended. */
  readonly life: number
  readonly stamp: Stamp
}

/** The state of a record on one device. */
export type Known = { readonly life: number; readonly version: Version } | Tombstone

export function isTombstone(known: Known): known is Tombstone {
  return !('version' in known)
}

/** The life in which a put writes: the next one after a forget, else the same. Undefined: the device knows nothing of the record. */
export function lifeOfPut(known: Known | undefined): number {
  if (known === undefined) return 0
  return isTombstone(known) ? known.life + 1 : known.life
}

/** The version after a put. `takeStamp` is called only if the content differs. */
export function putVersion(
  known: Known | undefined,
  { content, nowMs }: { readonly content: Content; readonly nowMs: number },
  takeStamp: () => Stamp,
): { readonly life: number; readonly version: Version } {
  const life = lifeOfPut(known)
  if (known === undefined || isTombstone(known)) {
    const stamp = takeStamp()
    const fields = { rest: stamp, named: new Map<string, Stamp>() }
    return { life, version: { stamp, content, fields, confirmedAt: nowMs, after: [] } }
  }
  const { version } = known
  if (canonicalJson(version.content) === canonicalJson(content))
    return nowMs > version.confirmedAt ? { life, version: { ...version, confirmedAt: nowMs } } : { life, version }
  const stamp = takeStamp()
  const fields = stampsAfterPut({ content: version.content, stamps: version.fields }, content, stamp)
  return { life, version: { stamp, content, fields, confirmedAt: nowMs, after: stampsAfter(stamp, version) } }
}

/** Hash of all of the content. */
export function digestOf({ content }: Pick<Version, 'content'>): string {
  return sha256Hex(canonicalJson(content))
}

/** Negative, zero or positive if the life of `a` is before, equals or is after that of `b`; a forgotten life is after a living one. */
export function compareLives(a: Known, b: Known): number {
  return a.life - b.life || Number(isTombstone(a)) - Number(isTombstone(b))
}

/** Of each field the later change; the merged version knows both. Of the same version, the later confirmation. */
export function mergeVersions(a: Version, b: Version): Version {
  const { content, stamps } = merged(a, b)
  const order = compareStamps(a.stamp, b.stamp) || a.confirmedAt - b.confirmedAt
  const { stamp, confirmedAt } = order >= 0 ? a : b
  return { stamp, content, fields: stamps, confirmedAt, after: stampsAfter(stamp, a, b) }
}

/** What both versions changed apart; null if nothing. */
export function conflictOf(a: Version, b: Version) {
  return merged(a, b).conflict
}

function merged(a: Version, b: Version) {
  return mergeContent({ ...a, stamps: a.fields }, { ...b, stamps: b.fields })
}

/** The known stamps of a version with this stamp that replaces these versions, or wins against them. */
export function stampsAfter(stamp: Stamp, ...versions: readonly Pick<Version, 'stamp' | 'after'>[]): readonly Stamp[] {
  const latest = new Map<string, Stamp>()
  for (const seen of versions.flatMap((version) => [version.stamp, ...version.after])) {
    const other = latest.get(seen.device)
    // Its own stamp says more about its own device.
    if (seen.device !== stamp.device && (other === undefined || compareStamps(seen, other) > 0))
      latest.set(seen.device, seen)
  }
  return [...latest.values()].sort((x, y) => compareCodePoints(x.device, y.device))
}

/** The greater of two tombstones: by life, then by stamp. */
export function mergeTombstones(a: Tombstone, b: Tombstone): Tombstone {
  return (a.life - b.life || compareStamps(a.stamp, b.stamp)) >= 0 ? a : b
}
