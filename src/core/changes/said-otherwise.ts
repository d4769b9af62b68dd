/** The rules by which a statement says another thing of the same subject in other words. */
import type { Clause } from './clauses.ts'
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
import { differs, isPart, isSame } from './word-sets.ts'

/** Another word for a subject that has one at a time. */
export function ofWords(a: Clause, b: Clause): ChangeKind | null {
  if (a.denies || b.denies || a.values.length > 0 !== b.values.length > 0) return null
  if (a.slot === 'role') {
    const takes =
      a.action === b.action
        ? isSame(a.object, b.object)
        : b.isNow && isPart(a.object, b.object) && isPart(a.subject, b.object)
    return takes && differs(a.subject, b.subject) ? 'value' : null
  }
  if (a.slot === 'is' && b.slot === 'is' && a.object.size > 0) {
    const isOne = (names: ReadonlySet<string>) => isCharge(names) || (b.isNow && names.size > 1)
    if (isSame(a.object, b.object) && differs(a.subject, b.subject)) return isOne(a.object) ? 'value' : null
    // "Sam is our contact", and "our contact is Joan".
    if (isSame(a.object, b.subject) && differs(a.subject, b.object)) return isOne(a.object) ? 'value' : null
    if (isSame(a.subject, b.object) && differs(a.object, b.subject)) return isOne(a.subject) ? 'value' : null
  }
  if (a.slot === 'is' && b.slot === 'have')
    return a.isMine &&
      b.isNow &&
      hasAttribute(a) &&
      isSame(a.subject, new Set([...b.object].filter((name) => !b.names.has(name))))
      ? 'value'
      : null
  if (a.slot !== b.slot || a.slot === null || !isOneSubject(a, b) || !differs(a.object, b.object)) return null
  const isDemand = a.subject.size === 0 && b.subject.size === 0 && a.leads.has('for') && b.leads.has('for')
  if (!isNamed(a) && !b.isNow && !(isDemand && a.slot === 'some')) return null
  const isSameLead = a.isPlace === b.isPlace && (a.isPlace || a.lead === b.lead)
  if (a.slot === 'home') return 'value'
  if (!isSameLead) return null
  if (a.slot === 'work')
    return isNamed(a) && isNamed(b) && employers.has(a.lead) && employers.has(b.lead) ? 'value' : null
  if (a.slot === 'is' && a.lead === '' && namesPerson(a) !== namesPerson(b)) return null
  if (a.slot === 'is') {
    const isAnother = isThing(a) && a.isA === b.isA && (b.isNow || a.isA || (isName(a) && isName(b)))
    return (a.lead !== '' && a.lead !== 'to') || hasAttribute(a) || isAnother ? 'value' : null
  }
  if (a.action !== b.action) return null
  if (wants.has(a.action) || isSeeking(a)) return null
  if (a.lead === 'called' && b.lead === 'called') return 'value'
  const isSameKind = a.slot === 'some' && [...a.object].some((name) => b.object.has(name) && !isUnit(a, name))
  return a.slot === 'one' || isSameKind || (b.isNow && (a.slot === 'some' || a.slot === 'act')) ? 'value' : null
}

/** Words between work and where or as what. */
const employers: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'at for as with from bei als fur chez comme para como em en per presso bij voor in'.split(' '),
)

/** "I moved my car insurance to HUK": an action of change says what the earlier one says of its subject. */
export function ofTurn(a: Clause, b: Clause): ChangeKind | null {
  if (
    a.denies ||
    b.denies ||
    !b.turns ||
    b.leads.size === 0 ||
    a.slot === null ||
    a.slot === 'like' ||
    a.slot === 'have' ||
    wants.has(a.action) ||
    isSeeking(a)
  )
    return null
  const said = new Set([...b.subject, ...b.object])
  if (b.transfers && a.slot === 'is' && a.isPlace && isPart(a.subject, b.subject)) return 'move'
  // Who moves themselves changes where they live, and nothing else.
  if (b.transfers && ![...a.subject, ...a.object].some((name) => b.object.has(name))) return null
  const topic = a.slot === 'is' ? a.subject : new Set([...a.subject, ...a.object].filter((name) => said.has(name)))
  const isFitting =
    a.slot === 'work'
      ? isSame(a.subject, b.subject) && isNamed(a) && (a.isMine || a.subject.size > 0) && employers.has(a.lead)
      : topic.size > 0 && isPart(topic, said) && isPart(a.subject, said)
  const isOne = a.slot !== 'is' || a.lead !== '' || hasAttribute(a)
  return isFitting && isOne && [...b.object].some((name) => !a.object.has(name) && !a.subject.has(name))
    ? 'value'
    : null
}

/** Where a thing is kept, and where it is now. */
export function ofPlace(a: Clause, b: Clause): ChangeKind | null {
  if (a.action !== 'keep' || a.denies || b.slot !== 'is' || !b.isPlace || !b.isNow || b.subject.size === 0) return null
  return isPart(b.subject, a.object) && differs(a.object, b.object) ? 'value' : null
}

/** The same subject; a report of a change may name it in fewer words. */
function isOneSubject(a: Clause, b: Clause): boolean {
  if (isSame(a.subject, b.subject)) return true
  return b.isNow && a.subject.size > 0 && b.subject.size > 0 && isPart(b.subject, a.subject)
}

/** "Deliver to the neighbour", and "From now on deliver to the office": the same demand. */
export function ofOrder(a: Clause, b: Clause): ChangeKind | null {
  const [[first], [other]] = [[...a.subject], [...b.subject]]
  if (!b.isOrder || a.action !== '' || b.action !== '' || first === undefined || first !== other) return null
  const common = [...a.subject].filter((name) => b.subject.has(name))
  return common.length > 1 && differs(a.subject, b.subject) ? 'value' : null
}
