/**
 * The stamps of a version by field: when each field, or element of a list, was last changed. Fields that were never changed since share one stamp,
 * so a version that was put once, or by a release without such stamps, has none of its own.
 */
import { contentFields } from '../model/record.ts'
import { canonicalJson } from '../text/hash/canonical.ts'
import { type Content, isText, listNames } from './content.ts'
import { mergeTuning } from './merge-tuning.ts'
import type { PortableStamp } from './portable-stamp.ts'
import { portableStamp, stampFrom } from './portable-stamp.ts'
import { compareStamps, type Stamp } from './stamp.ts'

export interface FieldStamps {
  /** Of all fields that are not in `named`, and of every element that the lists do not have. */
  readonly rest: Stamp
  /** By name, each after `rest`. An element that was removed keeps its name. */
  readonly named: ReadonlyMap<string, Stamp>
}

/** In the place of a value, because vectors follow from texts or are too large to be compared. */
export const vectorsName = 'vectors'

export function stampOfField({ rest, named }: FieldStamps, name: string): Stamp {
  return named.get(name) ?? rest
}

/** The stamps after a put of other content: what the put left as it was keeps its stamp. `vectors`: whether they changed with the same text. */
export function stampsAfterPut(
  known: { readonly content: Content; readonly stamps: FieldStamps },
  content: Content,
  stamp: Stamp,
  vectors = false,
): FieldStamps {
  const touched = touchedBy(known.content, content, vectors)
  const named = new Map([...known.stamps.named, ...touched.map((name) => [name, stamp] as const)])
  const elements = new Set(listNames.flatMap((list) => (content.lists[list] ?? []).map(({ name }) => name)))
  const removed = [...named.keys()].filter((name) => name.includes(' ') && !elements.has(name)).length
  if (removed > mergeTuning.maxRemoved) return { rest: stamp, named: new Map() }
  return { rest: known.stamps.rest, named }
}

/** Names of the fields and elements that a put changed, added or removed. */
export function touchedBy(before: Content, after: Content, vectors = false): readonly string[] {
  const differs = (name: string) => !isSame(before.fields[name], after.fields[name])
  const fields = Object.keys(after.fields).filter(differs)
  const isNewText = contentFields.some((name) => fields.includes(name))
  const isCleared = contentFields.some((name) => isText(before.fields[name]) && !isText(after.fields[name]))
  return [
    ...fields.filter((name) => !isCleared || !contentFields.some((text) => text === name)),
    // Otherwise two devices could each clear what the other kept, and no text would be left.
    ...(isCleared ? contentFields : []),
    ...(isNewText || vectors ? [vectorsName] : []),
    ...listNames.flatMap((list) => touchedElements(list, before, after)),
  ]
}

function touchedElements(list: string, before: Content, after: Content): readonly string[] {
  const [old, next] = [before.lists[list] ?? [], after.lists[list] ?? []]
  const places = new Map(old.map(({ name }, i) => [name, i]))
  const isTouched = next.map(({ name, value }) => !isSame(old[places.get(name) ?? -1]?.value, value))
  const kept = new Set(next.map(({ name }) => name))
  const removed = old.flatMap(({ name }) => (kept.has(name) ? [] : [name]))
  // Elements are ordered by their stamps, then by their places: others must be appended.
  let last = -1
  const isInOrder = next.every(({ name }, i) => {
    const place = isTouched[i] ? old.length : (places.get(name) ?? 0)
    if (place < last) return false
    last = place
    return true
  })
  const touched = next.filter((_, i) => isTouched[i] || (!isInOrder && list !== 'metadata'))
  return [...touched.map(({ name }) => name), ...removed]
}

/** Texts are not written as JSON only to be compared. */
function isSame(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && canonicalJson(a) === canonicalJson(b))
}

/** When the texts were last changed. */
export function textStamp(stamps: FieldStamps): Stamp {
  return contentFields
    .map((name) => stampOfField(stamps, name))
    .reduce((last, stamp) => (compareStamps(stamp, last) > 0 ? stamp : last), stamps.rest)
}

/** As exports and rows have them: the stamp of the rest, then by stamp the names that have it. */
export type PortableFieldStamps = readonly (readonly [...PortableStamp, ...names: readonly string[]])[]

/** `stamp`: of the version. Null if no field has another one. */
export function portableFieldStamps({ rest, named }: FieldStamps, stamp: Stamp): PortableFieldStamps | null {
  if (compareStamps(rest, stamp) === 0) return null
  const byStamp = new Map<string, { readonly stamp: Stamp; readonly names: string[] }>()
  for (const [name, own] of [...named].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const key = canonicalJson(own)
    const entry = byStamp.get(key) ?? { stamp: own, names: [] }
    entry.names.push(name)
    byStamp.set(key, entry)
  }
  const entries = [...byStamp.values()].sort((a, b) => compareStamps(a.stamp, b.stamp))
  return [portableStamp(rest), ...entries.map((entry) => [...portableStamp(entry.stamp), ...entry.names] as const)]
}

/** `given`: null if all fields have the stamp of the version. */
export function fieldStampsFrom(given: PortableFieldStamps | null, stamp: Stamp): FieldStamps {
  if (given === null) return { rest: stamp, named: new Map() }
  const [rest, ...entries] = given
  const named = entries.flatMap(([at, count, device, ...names]) =>
    names.map((name) => [name, stampFrom([at, count, device])] as const),
  )
  const [at, count, device] = rest!
  return { rest: stampFrom([at, count, device]), named: new Map(named) }
}
