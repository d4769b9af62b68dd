/**
 * The versions of a record and their order. A record has lives: forgetting ends a life, and a put on a device that knows of it begins
 * the next one. A forget wins against every version of its life, whatever their clocks [R5]. Within a life the greatest stamp wins.
 * Pure: each function returns the next state.
 */
import { compareCodePoints } from '../text/hash/code-point-order.ts'
import { compareStamps, type Stamp } from './stamp.ts'

/** One version of a record, as a put wrote it. */
export interface Version<T> {
  /** When its content was written. A put of the same content keeps the stamp, so that it does not win against a change. */
  readonly stamp: Stamp
  /** Hash of all of the content. */
  readonly digest: string
  readonly content: T
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
export type Known<T> = { readonly life: number; readonly version: Version<T> } | Tombstone

export function isTombstone(known: Known<unknown>): known is Tombstone {
  return !('version' in known)
}

/** The life in which a put writes: the next one after a forget, else the same. Undefined: the device knows nothing of the record. */
export function lifeOfPut(known: Known<unknown> | undefined): number {
  if (known === undefined) return 0
  return isTombstone(known) ? known.life + 1 : known.life
}

/** The version after a put. `takeStamp` is called only if the content differs. */
export function putVersion<T>(
  known: Known<T> | undefined,
  { digest, content, nowMs }: { readonly digest: string; readonly content: T; readonly nowMs: number },
  takeStamp: () => Stamp,
): { readonly life: number; readonly version: Version<T> } {
  const life = lifeOfPut(known)
  if (known === undefined || isTombstone(known) || known.version.digest !== digest) {
    const stamp = takeStamp()
    const after = known === undefined || isTombstone(known) ? [] : stampsAfter(stamp, known.version)
    return { life, version: { stamp, digest, content, confirmedAt: nowMs, after } }
  }
  const { version } = known
  return nowMs > version.confirmedAt ? { life, version: { ...version, confirmedAt: nowMs } } : { life, version }
}

/** Negative, zero or positive if the life of `a` is before, equals or is after that of `b`; a forgotten life is after a living one. */
export function compareLives(a: Known<unknown>, b: Known<unknown>): number {
  return a.life - b.life || Number(isTombstone(a)) - Number(isTombstone(b))
}

/** By stamp, then by hash: two copies of one store may use a stamp twice [R12]. */
export function compareVersions(a: Version<unknown>, b: Version<unknown>): number {
  return compareStamps(a.stamp, b.stamp) || compareCodePoints(a.digest, b.digest)
}

/** The greater of two versions of one life, which then also knows the other. Of the same version, the later confirmation. */
export function mergeVersions<T>(a: Version<T>, b: Version<T>): Version<T> {
  const order = compareVersions(a, b)
  const [greater, other] = order > 0 || (order === 0 && a.confirmedAt >= b.confirmedAt) ? [a, b] : [b, a]
  return { ...greater, after: stampsAfter(greater.stamp, greater, other) }
}

/** The known stamps of a version with this stamp that replaces these versions, or wins against them. */
export function stampsAfter(
  stamp: Stamp,
  ...versions: readonly Pick<Version<unknown>, 'stamp' | 'after'>[]
): readonly Stamp[] {
  const latest = new Map<string, Stamp>()
  for (const seen of versions.flatMap((version) => [version.stamp, ...version.after])) {
    const other = latest.get(seen.device)
    // Its own stamp says more about its own device.
    if (seen.device !== stamp.device && (other === undefined || compareStamps(seen, other) > 0))
      latest.set(seen.device, seen)
  }
  return [...latest.values()].sort((x, y) => compareCodePoints(x.device, y.device))
}

/**
 * Whether the writers of a version knew a version with this stamp. Of two versions with the same stamp, neither knew the other: two copies of
 * one store wrote them [R12].
 */
export function knows({ stamp, after }: Pick<Version<unknown>, 'stamp' | 'after'>, other: Stamp): boolean {
  if (compareStamps(stamp, other) === 0) return false
  return [stamp, ...after].some((seen) => seen.device === other.device && compareStamps(seen, other) >= 0)
}

/** The greater of two tombstones: by life, then by stamp. */
export function mergeTombstones(a: Tombstone, b: Tombstone): Tombstone {
  return (a.life - b.life || compareStamps(a.stamp, b.stamp)) >= 0 ? a : b
}
