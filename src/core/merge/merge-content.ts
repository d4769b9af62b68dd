/**
 * Merges two contents of one life field by field: of each field, and of each element of a list, the later change counts. Commutative, associative
 * and idempotent, because it takes the greater of two stamped values for each name. Names what both sides changed apart.
 */
import { canonicalJson } from '../text/hash/canonical.ts'
import { compareCodePoints } from '../text/hash/code-point-order.ts'
import { contentHash } from '../text/hash/content-hash.ts'
import { contentFields } from '../model/record.ts'
import { type Content, type Element, fits, hasText, listNames } from './content.ts'
import { type FieldStamps, stampOfField, textStamp } from './field-stamps.ts'
import { compareStamps, type Stamp } from './stamp.ts'

export interface Side {
  /** Of the version. */
  readonly stamp: Stamp
  readonly after: readonly Stamp[]
  readonly content: Content
  readonly stamps: FieldStamps
}

export interface MergedContent {
  readonly content: Content
  readonly stamps: FieldStamps
  /** Whether the value of `b` stays because it is the later one. */
  readonly isFromB: (name: string) => boolean
  /** Null if neither side lost a change. */
  readonly conflict: ContentConflict | null
}

export interface ContentConflict {
  /** The side whose values stay where both changed the same; null: each loses some. */
  readonly kept: 'a' | 'b' | null
  /** What is merged, but with the values of this side where both changed the same. */
  readonly a: Content
  readonly b: Content
}

export function mergeContent(a: Side, b: Side): MergedContent {
  const given: Sides = { sides: [a, b], views: [viewOf(a), viewOf(b)] }
  const { views } = given
  const rest = later(a.stamps.rest, b.stamps.rest)
  const tied = compareTied(given)
  const named = new Map<string, Stamp>()
  const winners = new Map<string, 'a' | 'b'>()
  const orders = [compareStamps(a.stamps.rest, b.stamps.rest)]
  for (const name of new Set(views.flatMap(({ names }) => names))) {
    const [own, other] = [stampOfField(a.stamps, name), stampOfField(b.stamps, name)]
    const order = compareStamps(own, other) || (name in a.content.fields ? tied : comparePresence(views, name))
    winners.set(name, order >= 0 ? 'a' : 'b')
    orders.push(order)
    const stamp = later(own, other)
    if (compareStamps(stamp, rest) > 0) named.set(name, stamp)
  }
  // Only copies of one store, which used a stamp twice, can each have cleared what the other kept.
  if (!hasText(assembled(given, (name) => winners.get(name))))
    for (const name of contentFields) winners.set(name, compareTexts(a, b) >= 0 ? 'a' : 'b')
  // If one side has the later value of everything, it stays as it is.
  const [hasA, hasB] = [orders.some((order) => order > 0), orders.some((order) => order < 0)]
  const whole = hasA !== hasB ? (hasA ? a : b) : a.content === b.content ? a : null
  const content = whole?.content ?? assembled(given, (name) => winners.get(name))
  const apart = changedApart(given)
  const made = {
    content,
    stamps: whole?.stamps ?? { rest, named },
    isFromB: (name: string) => winners.get(name) === 'b',
  }
  if (apart.size === 0) return { ...made, conflict: null }
  const lasting = new Set([...apart].map((name) => winners.get(name)))
  const withOwn = (side: 'a' | 'b', own: Content) => {
    const chosen = assembled(given, (name) => (apart.has(name) ? side : winners.get(name)))
    return hasText(chosen) ? chosen : own
  }
  const kept = lasting.size > 1 ? null : lasting.has('a') ? 'a' : 'b'
  return { ...made, conflict: { kept, a: withOwn('a', a.content), b: withOwn('b', b.content) } }
}

interface View {
  readonly names: readonly string[]
  /** Canonical JSON, by the names of fields and elements. Undefined: a list does not have the element. */
  readonly values: ReadonlyMap<string, string>
  readonly places: ReadonlyMap<string, number>
}

function viewOf({ content: { fields, lists }, stamps }: Side): View {
  const values = new Map(Object.entries(fields).map(([name, value]) => [name, canonicalJson(value)]))
  const places = new Map<string, number>()
  for (const list of listNames)
    for (const [place, { name, value }] of (lists[list] ?? []).entries()) {
      values.set(name, canonicalJson(value))
      places.set(name, place)
    }
  return { names: [...values.keys(), ...stamps.named.keys()], values, places }
}

/** Of an element with equal stamps the present one stays, then that with the greater value. */
function comparePresence(views: Sides['views'], name: string): number {
  const [mine, theirs] = views.map(({ values }) => values.get(name))
  return Number(mine !== undefined) - Number(theirs !== undefined) || compareCodePoints(mine ?? '', theirs ?? '')
}

/** Fields with equal stamps all follow one side, so that two contents are never mixed: two copies of one store wrote them [R12]. */
function compareTied({ sides: [a, b] }: Sides): number {
  const tied = Object.keys(a.content.fields).filter(
    (name) => compareStamps(stampOfField(a.stamps, name), stampOfField(b.stamps, name)) === 0,
  )
  const of = ({ content }: Side) => Object.fromEntries(tied.map((name) => [name, content.fields[name]]))
  const [mine, theirs] = [of(a), of(b)]
  return compareCodePoints(contentHash(mine), contentHash(theirs)) || compareJson(mine, theirs)
}

function compareTexts(a: Side, b: Side): number {
  return (
    compareStamps(textStamp(a.stamps), textStamp(b.stamps)) ||
    compareCodePoints(contentHash(a.content.fields), contentHash(b.content.fields))
  )
}

function compareJson(a: unknown, b: unknown): number {
  return compareCodePoints(canonicalJson(a), canonicalJson(b))
}

interface Sides {
  readonly sides: readonly [Side, Side]
  readonly views: readonly [View, View]
}

function assembled(given: Sides, pick: (name: string) => 'a' | 'b' | undefined): Content {
  const [a, b] = given.sides
  const of = (name: string) => (pick(name) === 'b' ? b : a)
  const fields = Object.fromEntries(Object.keys(a.content.fields).map((name) => [name, of(name).content.fields[name]]))
  return { fields, lists: Object.fromEntries(listNames.map((list) => [list, mergedList(list, given, of)])) }
}

/** By stamp, then by place: elements of one stamp were put in one list. */
function mergedList(list: string, { sides, views }: Sides, of: (name: string) => Side): readonly Element[] {
  const found = sides.flatMap((side, i) => {
    const other = 1 - i
    return elementsOf(side, list).flatMap((element, place) => {
      const { name } = element
      if (of(name) !== side) return []
      const stamp = stampOfField(side.stamps, name)
      const isSame = compareStamps(stamp, stampOfField(sides[other]!.stamps, name)) === 0
      return [{ element, stamp, place: isSame ? Math.max(place, views[other]!.places.get(name) ?? 0) : place }]
    })
  })
  const merged = found
    .sort(
      (x, y) =>
        compareStamps(x.stamp, y.stamp) || x.place - y.place || compareCodePoints(x.element.name, y.element.name),
    )
    .map(({ element }) => element)
  if (fits(list, merged)) return merged
  // Together they are too many: the list that was changed last stays whole.
  const [a, b] = sides
  const order = compareStamps(listStamp(a, list), listStamp(b, list))
  const isFirst = order || compareJson(elementsOf(a, list), elementsOf(b, list))
  return elementsOf(isFirst >= 0 ? a : b, list)
}

function elementsOf({ content: { lists } }: Side, list: string): readonly Element[] {
  return lists[list] ?? []
}

function listStamp({ stamps: { rest, named } }: Side, list: string): Stamp {
  return [...named]
    .filter(([name]) => name.startsWith(`${list} `))
    .reduce((last, [, stamp]) => later(last, stamp), rest)
}

/** The names that both sides changed to different values without knowledge of each other. */
function changedApart({ sides, views }: Sides): ReadonlySet<string> {
  const [a, b] = sides
  const apart = new Set<string>()
  /** Elements of equal stamps that one side has, by list and side. */
  const only = new Map<string, [string[], string[]]>()
  for (const name of new Set([...views[0].values.keys(), ...views[1].values.keys()])) {
    const [mine, theirs] = views.map(({ values }) => values.get(name))
    if (mine === theirs || name === 'createdAt') continue
    const [own, other] = [stampOfField(a.stamps, name), stampOfField(b.stamps, name)]
    if (compareStamps(own, other) !== 0) {
      if (!covers(a, other) && !covers(b, own)) apart.add(name)
    } else if (mine !== undefined && theirs !== undefined) apart.add(name)
    else {
      const list = name.slice(0, name.indexOf(' '))
      const both = only.get(list) ?? [[], []]
      both[mine === undefined ? 1 : 0].push(name)
      only.set(list, both)
    }
  }
  // Two copies of one store wrote them [R12]. If one side has all elements of the other, it has been merged with it.
  for (const [first, second] of only.values())
    if (first.length > 0 && second.length > 0) for (const name of [...first, ...second]) apart.add(name)
  return apart
}

/** Whether the writers of a side knew a change with this stamp. */
function covers({ stamp, after }: Side, other: Stamp): boolean {
  return [stamp, ...after].some((seen) => seen.device === other.device && compareStamps(seen, other) >= 0)
}

function later(a: Stamp, b: Stamp): Stamp {
  return compareStamps(a, b) >= 0 ? a : b
}
