/**
 * Decides whether of two short statements the later replaces the earlier: the same matter, said otherwise. The rules are in the order in
 * which they are tried; each reads as a sentence. A pair that no rule decides has no change.
 */
import type { Clause } from './clause.ts'
import { stem } from '../text/tokenise/stem.ts'
import { ofContrast, ofDone, ofElection, ofHandOver, ofOpinion, ofRenewal, ofRevision, ofShift } from './corrections.ts'
import { ofDeath, ofEnd, ofSearch } from './ends.ts'
import { type ChangeKind, isNamed, isUnit, wants } from './clause-kinds.ts'
import { ofSameWords } from './same-words.ts'
import { ofOrder, ofPlace, ofTurn, ofWords } from './said-otherwise.ts'
import { differs, isPart, isSame } from './word-sets.ts'
import { wording } from './change-wording.ts'
import { isTime, type Value } from './typed-values.ts'

export interface FoundChange {
  readonly how: ChangeKind
  /** The words that both share. */
  readonly about: readonly string[]
}

/** How `later` changes what `earlier` says; null if it does not. */
export function changeOf(earlier: readonly Clause[], later: readonly Clause[]): FoundChange | null {
  // What only says that something changed comes last: another clause may say what to.
  for (const rule of [howOf, ofRenewal, ofShift])
    for (const b of later)
      for (const a of earlier) {
        const how = a.isPast || (b.adds && !a.denies) || !isSamePerson(a, b) || isAnother(a, b) ? null : rule(a, b)
        if (how !== null) return { how, about: shared(a, b) }
      }
  return null
}

/** The words by which statements that these may change, or that may change these, are found: their own, and those of the same states. */
export function stemsOfClauses(clauses: readonly Clause[]): readonly string[] {
  const { states, slots, move } = wording()
  return clauses
    .flatMap(({ subject, object, action, slot, state, moves }) => [
      ...subject,
      ...object,
      ...(slot === null || slot === 'act' ? [action] : []),
      ...(state === null ? [] : [...states].flatMap(([word, { group }]) => (group === state.group ? [word] : []))),
      ...(slot === 'home' || moves
        ? [...[...slots].flatMap(([word, of]) => (of === 'home' ? [word] : [])), ...move]
        : []),
    ])
    .filter((name) => name !== '')
}

function howOf(a: Clause, b: Clause): ChangeKind | null {
  if (a.isLabel && b.isLabel) return ofLabels(a, b)
  // "Ida is my ex-wife" says nothing of another wife.
  if (b.isPast && b.ends) return ofEnd(a, b) ?? ofDeath(a, b)
  return (
    ofContrast(a, b) ??
    ofEnd(a, b) ??
    ofDeath(a, b) ??
    ofDenial(a, b) ??
    ofHarm(a, b) ??
    ofDone(a, b) ??
    ofMove(a, b) ??
    ofSearch(a, b) ??
    ofState(a, b) ??
    ofValues(a, b) ??
    ofWords(a, b) ??
    ofTurn(a, b) ??
    ofPlace(a, b) ??
    ofOrder(a, b) ??
    ofHandOver(a, b) ??
    ofElection(a, b) ??
    ofOpinion(a, b) ??
    ofRevision(a, b) ??
    ofSameWords(a, b)
  )
}

/** "I" of one speaker is not "I" of another; "my" is not "her", nor Dana's. */
function isSamePerson(a: Clause, b: Clause): boolean {
  const differ = a.speaker !== b.speaker && a.speaker !== '' && b.speaker !== '' && !roles(a, b)
  if (differ && (a.isMine || b.isMine || a.subject.size === 0 || b.subject.size === 0)) return false
  if (a.theirs !== b.theirs && a.subject.size > 0 && b.subject.size > 0) return false
  if (a.isMine === b.isMine) return true
  const [mine, other] = a.isMine ? [a, b] : [b, a]
  if (other.theirs !== '') return false
  // "The rent" is mine if the words of mine hold it; "Dana's phone number" is not.
  return [...other.subject].every((name) => !other.names.has(name) || mine.subject.has(name) || mine.object.has(name))
}

/** "Chapter 3" is not "chapter 4", and what one of them says is of that one. */
function isAnother(a: Clause, b: Clause): boolean {
  return a.values.some(
    (x) => x.isSubject && b.values.some((y) => y.isSubject && isComparable(x, y) && x.value !== y.value),
  )
}

function roles(a: Clause, b: Clause): boolean {
  const chat = (name: string) => name === 'user' || name === 'assistant'
  return chat(a.speaker) && chat(b.speaker)
}

/** "Label: one" and "Label: other". What one likes is many things: there both must name the same one, or give the same reasons. */
function ofLabels(a: Clause, b: Clause): ChangeKind | null {
  const { enjoying } = wording()
  const matter = ({ subject }: Clause) => new Set([...subject].filter((name) => !enjoying.has(name)))
  const likes = ({ subject }: Clause) => [...subject].some((name) => enjoying.has(name))
  if (!isSame(matter(a), matter(b)) || likes(a) !== likes(b)) return null
  if (isSame(a.object, b.object) && sameValues(a, b)) return null
  if (!likes(a)) return 'value'
  const denies = ({ subject }: Clause) => subject.has('dislik') || subject.has('hate')
  const how = denies(a) === denies(b) ? 'value' : 'denial'
  const kinds = matter(a)
  if ([...a.object].some((name) => b.object.has(name) && !kinds.has(name))) return how
  return [...a.more].filter((name) => b.more.has(name) && !enjoying.has(name)).length >= leastReasons ? how : null
}

/** Words that two sets of reasons share if they are reasons for one matter. */
const leastReasons = 4

/** One denies what the other asserts of the same subject. */
function ofDenial(a: Clause, b: Clause): ChangeKind | null {
  if (a.denies === b.denies || !isSame(a.subject, b.subject) || isNamed(a) !== isNamed(b)) return null
  // "Use tabs", "do not use tabs".
  if (!isNamed(a) && a.slot !== 'some') return null
  // Who avoids a thing does nothing with it.
  const avoids = b.action === 'avoid' && a.isSelf === b.isSelf && a.slot !== null && a.slot !== 'is' && b.isNow
  const actions =
    avoids ||
    (wants.has(a.action) && (b.slot === 'is' || a.object.has(b.action))) ||
    (a.slot === b.slot && (a.slot !== 'act' || a.action === b.action))
  if (a.object.size === 0 || b.object.size === 0)
    return actions &&
      a.object.size === b.object.size &&
      (a.slot === 'act' || (b.isNow && (a.subject.size > 1 || (a.values.length > 0 && sameValues(a, b)))))
      ? 'denial'
      : null
  return actions && (isPart(a.object, b.object) || isPart(b.object, a.object)) ? 'denial' : null
}

/** "I can eat shellfish", "I am allergic to shellfish": who cannot have a thing does nothing with it. */
function ofHarm(a: Clause, b: Clause): ChangeKind | null {
  const isHarm = ({ slot, object }: Clause) => slot === 'is' && (object.has('allerg') || object.has('intoler'))
  const [has, harm] = isHarm(b) ? [a, b] : [b, a]
  if (!isHarm(harm) || harm.denies || has.denies || !having.has(has.action) || has.object.size === 0) return null
  return has.isSelf === harm.isSelf && isSame(a.subject, b.subject) && isPart(has.object, harm.object) ? 'denial' : null
}

const having: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'eat',
  'drink',
  'have',
  'tak',
  'like',
  'love',
  'enjoi',
  'toler',
])

function ofMove(a: Clause, b: Clause): ChangeKind | null {
  if (a.moves && b.slot === 'home' && !b.denies)
    return isSame(a.subject, b.subject) && differs(a.object, b.object) ? 'move' : null
  if (!b.moves || b.denies) return null
  const isHome = a.slot === 'home' || a.moves
  // "Our flat is in Rome", "we relocated to Pisa".
  if (a.slot === 'is' && a.isMine && a.isPlace && b.isSelf && b.object.size > 0)
    return a.subject.size === 1 && [...a.subject].some((name) => wording().dwellings.has(name)) ? 'move' : null
  // "Gran lives with us", "Gran moved into a home"; "the Hills live next door", "the Hills moved away".
  const isElsewhere = b.object.size === 0 || !isPart(b.object, a.object)
  if (a.slot === 'home' && isSame(a.subject, b.subject) && isElsewhere) return 'move'
  return isHome && isPart(b.subject, a.subject) && differs(a.object, b.object) ? 'move' : null
}

/** Another state of the same: "open" and "closed". */
function ofState(a: Clause, b: Clause): ChangeKind | null {
  if (
    a.state === null ||
    a.state.group !== b.state?.group ||
    (a.state.name === b.state.name) === (a.denies === b.denies)
  )
    return null
  if (a.values.some((x) => b.values.some((y) => isComparable(x, y) && x.value !== y.value))) return null
  const rest = ({ subject, object, state }: Clause) =>
    new Set([...subject, ...object].filter((name) => name !== stem(state!.word)))
  const [x, y] = [rest(a), rest(b)]
  if (x.size === 0 && y.size === 0) return a.isMine === b.isMine && a.theirs === b.theirs ? 'value' : null
  return (x.size > 0 && isPart(x, y)) ||
    (y.size > 0 && isPart(y, x)) ||
    (a.slot === 'is' && a.isSelf && b.isSelf && x.size === 0)
    ? 'value'
    : null
}

/** Another number, amount, day or time of the same. */
function ofValues(a: Clause, b: Clause): ChangeKind | null {
  // "I weigh 70 kg", "the suitcase weighs 23 kg".
  const isSelf = (one: Clause, other: Clause) =>
    one.isSelf &&
    one.subject.size === 0 &&
    [...one.object].every((name) => isUnit(one, name)) &&
    !other.isMine &&
    other.subject.size > 0
  if (isSelf(a, b) || isSelf(b, a)) return null
  const isAlone = [a, b].every(({ values }) => values.filter(({ kind }) => kind === 'count').length === 1)
  const isAge = (x: Value, y: Value) =>
    isAlone && a.slot === 'is' && a.subject.has(x.unit) && y.kind === 'count' && y.unit === 'year'
  const areAlike = a.values.length === b.values.length && a.values.every((x, i) => isComparable(x, b.values[i]!))
  // "From 9 to 5", "140 over 90".
  const isRange =
    areAlike &&
    a.values.length === 2 &&
    a.values.every(({ kind }) => kind === 'time' || (kind === 'count' && a.slot === 'is'))
  const pairs = a.values.flatMap((x, i) =>
    b.values
      .filter((y, j) => (!areAlike || i === j) && (isComparable(x, y, isAlone) || isAge(x, y)))
      .map((y) => [x, y] as const),
  )
  const other = pairs.filter(([x, y]) => x.value !== y.value)
  if (other.length === 0 || (other.length > 1 && !b.isNow && !isRange) || b.isPast) return null
  // "The first season" and "the second season" are two.
  if (other[0]![0].kind === 'rank' && a.slot !== 'is') return null
  const [wordsA, wordsB] = [matterOf(a, b.isOrder), matterOf(b, b.isOrder)]
  const common = [...wordsA].filter((name) => wordsB.has(name))
  if (common.length === 0) return null
  const isCode = other[0]![0].kind === 'code' && !b.isNow
  const fits = isCode ? isSame(wordsA, wordsB) : isPart(wordsA, wordsB) || isPart(wordsB, wordsA)
  if (!fits && !(b.isNow && (b.turns || common.length > 1))) return null
  return isTime(other[0]![0]) ? 'time' : 'number'
}

/** The words that name a matter: all but those of change, and an action that says something of its own, unless an order says it otherwise. */
function matterOf({ subject, object, slot, action }: Clause, isOrder: boolean): ReadonlySet<string> {
  const own = !isOrder && (slot === 'one' || slot === 'some' || slot === 'act' || slot === 'home' || slot === 'work')
  return new Set([...subject, ...object, ...(own ? [action] : [])])
}

function isComparable(x: Value, y: Value, isAlone = false): boolean {
  if (x.kind !== y.kind) return false
  return x.kind !== 'count' || x.unit === y.unit || (isAlone && (x.unit === '' || y.unit === ''))
}

function shared(a: Clause, b: Clause): readonly string[] {
  const words = new Set([...b.subject, ...b.object])
  return [...a.subject, ...a.object].filter((name) => words.has(name))
}

function sameValues(a: Clause, b: Clause): boolean {
  const text = (clause: Clause) => clause.values.map(({ kind, value }) => `${kind} ${value}`).join('\n')
  return text(a) === text(b)
}
