/** The rules by which a statement takes another back in so many words: "not 6", "changed the password", "handed it over to Ida". */
import { type ChangeKind, isCharge } from './clause-kinds.ts'
import type { Clause } from './clause.ts'
import { isTime } from './typed-values.ts'
import { differs, isPart, isSame } from './word-sets.ts'

/** "It is 5, not 6", "tea instead of coffee": what is taken back is what the earlier one says. */
export function ofContrast(a: Clause, b: Clause): ChangeKind | null {
  if (b.instead.size === 0 || a.denies) return null
  const said = new Set([...(a.slot === null ? a.subject : []), ...a.object, ...a.values.map(({ value }) => value)])
  if (!isPart(b.instead, said)) return null
  const rest = [...a.subject, ...a.object].filter((name) => !b.instead.has(name))
  const isOfMatter =
    rest.length === 0 ? a.isMine === b.isMine : rest.some((name) => b.subject.has(name) || b.object.has(name))
  // "I got a Kia to replace my Golf": a name is enough of what one has.
  const isOwn = a.isMine && b.isMine && (a.slot === 'is' || a.slot === 'have') && !differs(a.names, b.instead)
  // "We replaced Jenkins with Drone."
  const isReplaced = b.renews && (a.isMine === b.isMine || [...b.instead].some((name) => a.names.has(name)))
  return isOfMatter ||
    isReplaced ||
    (isOwn && [...b.instead].some((name) => a.names.has(name))) ||
    (a.action !== '' && a.action === b.action && a.subject.size === 0)
    ? 'value'
    : null
}

/** "I changed the password": what was said of it no longer holds, whatever the new one is. */
export function ofRenewal(a: Clause, b: Clause): ChangeKind | null {
  if (!b.renews || b.denies || a.denies || a.subject.size === 0 || !(a.slot === 'is' || a.isLabel)) return null
  return isSame(a.subject, new Set([...b.subject, ...b.object])) ? 'value' : null
}

/** "The review is on Tuesday", "the review was postponed by two days": its time no longer holds. */
export function ofShift(a: Clause, b: Clause): ChangeKind | null {
  const isTimed = a.values.some(isTime)
  if (!isTimed || !b.turns || b.denies || a.denies || a.subject.size === 0) return null
  if (b.values.some(({ kind, isSubject }) => kind !== 'count' || isSubject)) return null
  return isSame(a.subject, new Set([...b.subject, ...b.object])) ? 'time' : null
}

/** "The parcel has not arrived", "the parcel arrived". */
export function ofDone(a: Clause, b: Clause): ChangeKind | null {
  if (!a.denies || b.denies || a.slot !== 'have' || a.object.size === 0 || b.action !== '' || !b.isPast) return null
  const added = [...b.subject].filter((name) => !a.subject.has(name) && !a.object.has(name))
  return isPart(new Set([...a.subject, ...a.object]), b.subject) && added.length <= 1 ? 'denial' : null
}

/** "Ada owns billing", "Ada handed billing over to Ida". */
export function ofHandOver(a: Clause, b: Clause): ChangeKind | null {
  // "Mara took over payroll from Jin."
  const task = new Set([...a.object].filter((name) => !isCharge(new Set([name]))))
  if (b.action === 'took' && task.size > 0 && (a.slot === 'role' || isCharge(a.object)))
    return isPart(task, b.object) && differs(a.subject, b.subject) ? 'value' : null
  if (a.slot !== 'role' || !handing.has(b.action) || b.denies || b.names.size === 0) return null
  const given = new Set([...b.subject, ...b.object])
  // "Billing was handed over to Ida."
  const isPassive = b.subject.size > 0 && isPart(b.subject, a.object)
  return (isPassive || (isPart(a.object, b.object) && isPart(a.subject, given))) &&
    [...b.names].some((name) => !a.subject.has(name) && !a.object.has(name))
    ? 'value'
    : null
}

/** "Lukas is the treasurer", "Mara was elected treasurer". */
export function ofElection(a: Clause, b: Clause): ChangeKind | null {
  if (!electing.has(b.action) || b.denies || a.slot !== 'is' || !isCharge(a.object)) return null
  return isPart(a.object, b.object) && b.subject.size > 0 && differs(a.subject, b.subject) ? 'value' : null
}

const electing: ReadonlySet<string> = /* @__PURE__ */ new Set(['elect', 'appoint', 'promot'])

const handing: ReadonlySet<string> = /* @__PURE__ */ new Set(['hand', 'transfer', 'reassign', 'deleg', 'pass'])

/** "Rust is overrated", "I like Rust now". */
export function ofOpinion(a: Clause, b: Clause): ChangeKind | null {
  if (b.isNow && senses.has(a.action) && a.action === b.action && isSame(a.subject, b.subject) && a.subject.size > 0)
    return isSame(a.object, b.object) ? null : 'value'
  if (!b.isNow || !b.isSelf || a.lead !== '' || a.values.length > 0 || a.subject.size === 0) return null
  return judges(a) && liking.has(b.action) && isSame(a.subject, b.object) && !differs(a.names, b.names) ? 'value' : null
}

function judges({ slot, object, names }: Clause): boolean {
  return slot === 'is' && object.size > 0 && ![...object].some((name) => names.has(name))
}

const senses: ReadonlySet<string> = /* @__PURE__ */ new Set(['look', 'seem', 'sound', 'tast', 'feel'])
const liking: ReadonlySet<string> = /* @__PURE__ */ new Set(['like', 'love', 'enjoy', 'hate', 'dislik', 'mag', 'lieb'])

/** "On second thought": what shares a word with it, and says another, replaces it. */
export function ofRevision(a: Clause, b: Clause): ChangeKind | null {
  // "I changed my mind about law": whatever was said of it.
  const subject = new Set([...b.object].filter((name) => name !== 'mind'))
  if (b.revises && b.leads.has('about') && subject.size > 0)
    return a.isMine === b.isMine && isPart(subject, new Set([...a.subject, ...a.object])) ? 'value' : null
  if (!b.revises || a.slot !== b.slot || a.denies !== b.denies || a.isMine !== b.isMine) return null
  const [x, y] = [new Set([...a.subject, ...a.object]), new Set([...b.subject, ...b.object])]
  return differs(x, y) && [...x].some((name) => y.has(name)) && a.action === b.action ? 'value' : null
}
