/** The rules by which a statement says another thing of the same subject in other words. */
import type { Clause } from './clause.ts'
import {
  type ChangeKind,
  hasAttribute,
  isCharge,
  isName,
  isNamed,
  isSeeking,
  isThing,
  isUnit,
  namesPerson,
  wants,
} from './clause-kinds.ts'
import { isTime } from './typed-values.ts'
import { differs, isPart, isSame } from './word-sets.ts'

/** Another word for a subject that has one at a time. */
export function ofWords(a: Clause, b: Clause): ChangeKind | null {
  if (a.denies || b.denies || (!b.isNow && hasValues(a) !== hasValues(b))) return null
  if (a.slot === 'role') {
    const takes =
      a.action === b.action
        ? isSame(a.object, b.object)
        : b.isNow &&
          isPart(a.object, b.object) &&
          (isPart(a.subject, b.object) || (b.slot === 'is' && isCharge(b.object)))
    return takes && differs(a.subject, b.subject) ? 'value' : null
  }
  if (a.slot === 'is' && b.slot === 'is' && a.object.size > 0) {
    const isOne = (names: ReadonlySet<string>) =>
      isCharge(names) || (b.isNow && (names.size > 1 || isNew.test(b.written)))
    if (isSame(a.object, b.object) && differs(a.subject, b.subject)) return isOne(a.object) ? 'value' : null
    // "Sam is our contact", and "our contact is Joan".
    if (isSame(a.object, b.subject) && differs(a.subject, b.object)) return isOne(a.object) ? 'value' : null
    if (isSame(a.subject, b.object) && differs(a.object, b.subject)) return isOne(a.subject) ? 'value' : null
  }
  if (a.slot === 'is' && b.slot === 'have')
    return b.isNow &&
      b.object.size > 0 &&
      hasAttribute(a) &&
      isSame(
        a.subject,
        new Set([...b.subject, ...b.object].filter((name) => a.subject.has(name) || !b.names.has(name))),
      )
      ? 'value'
      : null
  // "Ida is an intern at Nokia", "Ida works at Shell now".
  if (a.slot === 'is' && a.isA && b.slot === 'work' && b.isNow && [...a.leads].some((word) => employers.has(word)))
    return isSame(a.subject, b.subject) && isNamed(a) && differs(a.object, b.object) ? 'value' : null
  // "Ada takes care of the garden", "Ida takes care of the garden now".
  if (a.action === b.action && isCharge(a.object) && isSame(a.object, b.object) && differs(a.subject, b.subject))
    return 'value'
  if (a.slot !== b.slot || a.slot === null || !isOneSubject(a, b) || !differs(a.object, b.object)) return null
  if (!b.isNow && a.slot !== 'is' && isOtherTime(a, b)) return null
  const isDemand = a.subject.size === 0 && b.subject.size === 0 && a.leads.has('for') && b.leads.has('for')
  if (!isNamed(a) && (b.isNow ? b.isMine : !(isDemand && a.slot === 'some'))) return null
  if (b.isNow && a.action === b.action && (a.slot === 'some' || a.slot === 'act') && a.where.size > 0) {
    // "The report in Word", "the report as PDF".
    const direct = directOf(a)
    if (direct.size > 0 && isSame(direct, directOf(b)) && differs(a.where, b.where)) return 'value'
  }
  const isBack = b.isNow || /\b(?:back|zurück)\b/i.test(b.written)
  if (a.slot === 'is' && a.isPlace && isBack && [...b.object].some((name) => homes.has(name))) return 'move'
  const isSameLead = a.isPlace === b.isPlace && (a.isPlace || a.lead === b.lead)
  if (a.slot === 'home') return 'value'
  if (a.slot === 'work') {
    const isSaidAlike = isSameLead || (b.isNow && (namesRoom(a) || (withNames.has(a.lead) && withNames.has(b.lead))))
    const isOfOneKind = isSaidAlike && namesRoom(a) === namesRoom(b)
    return isNamed(a) && isNamed(b) && employers.has(a.lead) && employers.has(b.lead) && isOfOneKind ? 'value' : null
  }
  if (!isSameLead) return null
  // "On call" and "on the bus", "in Rome" and "on the third floor" go together.
  if (a.slot === 'is' && a.isPlace && !b.isNow && (a.lead === 'on' || b.lead === 'on') && !isSameWay(a, b)) return null
  if (a.slot === 'is' && a.lead === '' && namesPerson(a) !== namesPerson(b)) return null
  if (a.slot === 'is') {
    // "Eva is a teacher", "Eva is now a principal".
    const isRole = (one: Clause) => isCharge(one.object) || (one.isA && one.object.size <= 2 && !isRelation(one))
    if (b.isNow && (a.isSelf || a.subject.size > 0) && isRole(a) && isRole(b)) return 'value'
    const isAnother = isThing(a) && a.isA === b.isA && (b.isNow || a.isA || (isName(a) && isName(b)))
    return (a.lead !== '' && a.lead !== 'to') || (hasAttribute(a) && (b.isNow || !isDescribed(a, b))) || isAnother
      ? 'value'
      : null
  }
  if (a.action !== b.action) return null
  const isInstead = /\b(?:instead|stattdessen)\b/i.test(b.written) && [...a.object].some((name) => b.object.has(name))
  if (wants.has(a.action) || (a.action === 'go' && !isInstead) || isSeeking(a)) return null
  if (a.lead === 'called' && b.lead === 'called') return 'value'
  const [directA, directB] = [directOf(a), directOf(b)]
  const isElsewhere = differs(a.where, b.where) && !isSame(directA, directB)
  // "We host the blog on one, and the shop on another."
  if (a.slot === 'one' && isElsewhere && differs(directA, directB)) return null
  const isSameKind =
    a.slot === 'some' && !isElsewhere && [...a.object].some((name) => b.object.has(name) && !isUnit(a, name))
  return a.slot === 'one' || isSameKind || (b.isNow && (a.slot === 'some' || a.slot === 'act')) ? 'value' : null
}

/** "Our new caretaker is Mr Long." */
const isNew =
  /\b(?:my|our|his|her|their|unser\w*|mein\w*|notre|mon|ma|mi|nuestr[oa]|nostr[oa]|mi[oa]|noss[oa]|meu|minha|mijn|onze?) (?:new|neue[rsn]?|nouve(?:au|lle)|nuev[oa]|nuov[oa]|nov[oa]|nieuwe?)\b/i

/** Whether both say "on the" and both a name or none. */
function isSameWay(a: Clause, b: Clause): boolean {
  return isName(a) === isName(b) && onThe.test(a.written) && onThe.test(b.written)
}

const onThe = /\bon (?:the|my|our|his|her)\b/i

/** Whether both say when, and not the same: two events. */
function isOtherTime(a: Clause, b: Clause): boolean {
  const times = ({ values }: Clause) => values.filter(isTime)
  const [x, y] = [times(a), times(b)]
  return (
    x.length > 0 && y.length > 0 && !x.some((one) => y.some((two) => one.kind === two.kind && one.value === two.value))
  )
}

/** "My car is red", "my car is dirty": what many things are at a time. */
function isDescribed(a: Clause, b: Clause): boolean {
  const isPlain = (clause: Clause) => !clause.isA && !isName(clause)
  return isPlain(a) && isPlain(b) && [...a.subject].every((name) => described.has(name))
}

const described: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'car pet phone team school offic room hotel compani boss manag doctor dentist teacher coach landlord wife husband partner'.split(
    ' ',
  ),
)
/** What one is to others, and so besides what one does. */
function isRelation({ object }: Clause): boolean {
  return [...object].some((name) => relations.has(name))
}

const relations: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'mother father mum mom dad parent grandmoth grandfath grandma grandpa aunt uncl sister brother fan member'.split(' '),
)
const homes: ReadonlySet<string> = /* @__PURE__ */ new Set('home haus zuhaus casa maison thui'.split(' '))

/** Whether it has values other than a rank: "my first teacher" has none. */
function hasValues({ values }: Clause): boolean {
  return values.some(({ kind }) => kind !== 'rank')
}

function directOf({ object, where }: Clause): ReadonlySet<string> {
  return new Set([...object].filter((name) => !where.has(name)))
}

/** Of the words below, those that lead to whom one works for. */
const withNames: ReadonlySet<string> = /* @__PURE__ */ new Set('at for with bei chez bij'.split(' '))

/** Whether it says in what room one works, and not for whom. */
function namesRoom({ object }: Clause): boolean {
  return [...object].some((name) => homes.has(name) || rooms.has(name))
}

const rooms: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'offic buro bureau oficina ufficio escritorio kantoor'.split(' '),
)

/** Words between work and where or as what. */
const employers: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'at for as with from bei als fur chez comme para como em en per presso alla allo bij voor in'.split(' '),
)

/** "I moved my car insurance to HUK": an action of change says what the earlier one says of its subject. */
export function ofTurn(a: Clause, b: Clause): ChangeKind | null {
  if (
    a.denies ||
    b.denies ||
    !b.turns ||
    b.leads.has('about') ||
    b.leads.size === 0 ||
    a.slot === null ||
    a.slot === 'like' ||
    a.slot === 'have' ||
    wants.has(a.action) ||
    isSeeking(a)
  )
    return null
  const said = new Set([...b.subject, ...b.object])
  if (a.slot === 'role' && !isPart(a.object, said)) return null
  if (
    b.transfers &&
    a.slot === 'is' &&
    a.isPlace &&
    (isPart(a.subject, b.subject) || (b.subject.size > 0 && isPart(b.subject, a.subject)))
  )
    return 'move'
  // Who moves themselves changes where they live or study, and nothing else.
  if (b.transfers && a.action !== 'studi' && ![...a.subject, ...a.object].some((name) => b.object.has(name)))
    return null
  // "My daughter Nele", later "Nele".
  const named = new Set([...b.subject].filter((name) => a.subject.has(name) && a.names.has(name)))
  const subject = named.size > 0 && named.size === b.subject.size ? named : a.subject
  const topic = a.slot === 'is' ? subject : new Set([...a.subject, ...a.object].filter((name) => said.has(name)))
  const isFitting =
    a.slot === 'work'
      ? isSame(a.subject, b.subject) && isNamed(a) && (a.isMine || a.subject.size > 0) && employers.has(a.lead)
      : topic.size > 0 && isPart(topic, said) && isPart(subject, said)
  const isSameKind = [...a.object].some((name) => b.object.has(name) && !a.subject.has(name))
  const isOne = a.slot !== 'is' || a.lead !== '' || hasAttribute(a) || isSameKind
  return isFitting && isOne && [...b.object].some((name) => !a.object.has(name) && !a.subject.has(name))
    ? 'value'
    : null
}

/** Where a thing is kept, and where it is now. */
export function ofPlace(a: Clause, b: Clause): ChangeKind | null {
  if (a.slot === 'is' && a.isPlace && b.isNow && b.subject.has('address') && !a.denies && !b.denies)
    return a.subject.size > 0 && isPart(a.subject, b.subject) ? 'move' : null
  // "Bea is in Madrid", "Bea is back from Madrid".
  if ((a.slot === 'is' || a.slot === 'home') && /\bback from\b/.test(b.written) && !b.denies)
    return (b.subject.size > 0 || (a.isSelf && b.isSelf)) && isPart(b.subject, a.subject) && isPart(b.object, a.object)
      ? 'end'
      : null
  // "My keys are on the desk", "I found my keys in the car".
  if (a.slot === 'is' && a.isPlace && b.isSelf && !b.denies && a.subject.size > 0 && putting.test(b.written)) {
    const said = [...b.subject, ...b.object]
    if (isPart(a.subject, new Set(said)) && said.some((name) => !a.subject.has(name) && !a.object.has(name)))
      return 'move'
  }
  const keeps = a.action === 'keep' || (a.slot === 'one' && a.where.size > 0)
  if (!keeps || a.denies || b.slot !== 'is' || !b.isPlace || !b.isNow || b.subject.size === 0) return null
  return isPart(b.subject, directOf(a)) && differs(a.object, b.object) ? 'value' : null
}

const putting =
  /\b(?:found|left|hung|hid|stored|returned|forgot|dropped|moved|took|brought|put)\b.*\b(?:in|into|on|onto|under|behind|at|to|home|back|next)\b/i

/** The same subject; a report of a change may name it in fewer words. */
function isOneSubject(a: Clause, b: Clause): boolean {
  if (isSame(a.subject, b.subject)) return true
  return b.isNow && a.subject.size > 0 && b.subject.size > 0 && isPart(b.subject, a.subject)
}

/** "Deliver to the neighbour", and "From now on deliver to the office": the same demand. */
export function ofOrder(a: Clause, b: Clause): ChangeKind | null {
  const [[first], [other]] = [[...a.subject], [...b.subject]]
  if (!b.isNow || a.action !== '' || b.action !== '' || first === undefined || first !== other) return null
  const common = [...a.subject].filter((name) => b.subject.has(name))
  // "We ship with DHL", "we ship with UPS from now on".
  const isOther =
    a.isSelf && b.isSelf && [a, b].every(({ subject, names }) => [...subject].slice(1).some((name) => names.has(name)))
  return ((b.isOrder && common.length > 1) || isOther) && differs(a.subject, b.subject) ? 'value' : null
}
