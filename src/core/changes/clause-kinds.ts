/** Says of what kind a clause is: whether it names its subject, and whether that is a charge, a thing or a person. */
import type { Change } from '../model/result.ts'
import { wording } from './change-wording.ts'
import type { Clause } from './clause.ts'
import { isPart } from './word-sets.ts'

export type ChangeKind = Change['how']

/** Whether it says of whom or what it is: its writer, or words before the action. */
export function isNamed({ isMine, subject, turns, ends }: Clause): boolean {
  return isMine || subject.size > 0 || turns || ends
}

export function isCharge(names: ReadonlySet<string>): boolean {
  const { charges, offices } = wording()
  return [...names].some((name) => charges.has(name) || offices.has(name))
}

/** "Our mascot", "the backend": owned or definite, and no person that is known as one. */
export function isThing({ written, subject, names }: Clause): boolean {
  const { persons } = wording()
  return (
    /^(?:my|our|the|mein\w*|unser\w*|de[rs]|die|mon|ma|notre|mi|nuestr\w|il|la|le|el|meu|minha|mijn|ons|onze)\s/i.test(
      written,
    ) &&
    subject.size > 0 &&
    ![...subject].some((name) => persons.has(name) || names.has(name))
  )
}

/** Whether names alone are said of it. */
export function isName({ object, names }: Clause): boolean {
  return isPart(object, names)
}

/** Whether the subject is something of which there is one: "my manager", "the password". */
export function hasAttribute({ subject }: Clause): boolean {
  const { attributes } = wording()
  return [...subject].some((name) => attributes.has(name))
}

/** Of a subject that is a person: whether a name is said of it. */
export function namesPerson({ subject, object, names }: Clause): boolean {
  const { persons } = wording()
  return [...subject].some((name) => persons.has(name)) && [...object].some((name) => names.has(name))
}

export function isUnit({ values }: Clause, name: string): boolean {
  return values.some(({ unit }) => unit === name)
}

/** What one wants is many things, and "new" among them says nothing. */
export const wants: ReadonlySet<string> = /* @__PURE__ */ new Set(['need', 'want', 'plan'])

export function isSeeking({ action }: Clause): boolean {
  return wording().seeking.has(action)
}
