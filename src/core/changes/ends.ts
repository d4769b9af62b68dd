/** The rules by which a statement says that what an earlier one names is over. */
import { stem } from '../text/tokenise/stem.ts'
import { wording } from './change-wording.ts'
import { type ChangeKind, isCharge, isNamed, isSeeking, namesPerson } from './clause-kinds.ts'
import type { Clause } from './clause.ts'
import { isPart, isSame } from './word-sets.ts'

/** The later says that what the earlier names is over: "sold the Volvo", "I no longer work at Bosch". */
export function ofEnd(a: Clause, b: Clause): ChangeKind | null {
  if (!b.ends || a.ends || a.denies || !(isNamed(a) && isNamed(b))) return null
  const { strongEnds } = wording()
  if (leaving.has(b.action) && b.object.size === 0 && a.subject.size > 0 && isSame(a.subject, b.subject))
    return a.slot === 'role' || a.slot === 'one' || a.slot === 'work' || isCharge(a.object) ? 'end' : null
  // "Our tenant is Mrs Hall", "Mrs Hall moved out".
  if (
    a.slot === 'is' &&
    namesPerson(a) &&
    (leaving.has(b.action) || b.moves) &&
    isPart(b.subject, a.object) &&
    b.subject.size > 0
  )
    return 'end'
  // "I sold my car": whatever was said of the car.
  const what = new Set([...b.object, ...b.subject])
  // "I have no car any more"
  const isGone = strongEnds.has(b.endedBy) || (b.slot === 'have' && b.denies)
  if (isGone && a.slot === 'is' && a.subject.size > 0 && isPart(a.subject, what)) return 'end'
  const said = a.action === '' ? a.subject : a.object
  const over = [...what].filter((name) => said.has(name))
  const isOfNamed = over.some((name) => a.names.has(name))
  // "My brother quit smoking" does not say that I did.
  const isOther = b.action !== '' && [...b.subject].some((name) => !a.subject.has(name) && !a.object.has(name))
  // "I work at Lidl", "my contract with Lidl is over"
  const isOver = b.lead === 'over' && a.isMine && isOfNamed
  if (isOther && !isOver && (b.isMine || !isOfNamed || a.subject.size > 0)) return null
  const isAction = a.action === b.action || b.object.has(a.action)
  // "I drink tea" does not end with "I no longer drink coffee".
  const isAny = a.object.size === 0 || [...b.object].every((name) => name === a.action)
  if (a.slot !== 'is' && a.slot !== 'have' && isAction && isAny) over.push(a.action)
  if (over.length === 0) return null
  // A name is enough; of other words the later may add one.
  const added = [...b.object, ...b.subject].filter(
    (name) => name !== a.action && !a.object.has(name) && !a.subject.has(name),
  )
  const habit = new Set([...a.subject].filter((name) => !partsOfDay.has(name)))
  const isAll =
    a.action === '' &&
    ((a.isSelf && habit.size > 0 && isPart(habit, what)) ||
      (a.isSelf && b.isSelf && b.action === '' && b.subject.size > 0 && isPart(b.subject, habit)) ||
      (b.subject.size > 0 && b.object.size > 0 && isPart(b.subject, habit) && isPart(b.object, habit)))
  return isOfNamed || ((a.slot !== null || isAll) && added.length <= (b.action === '' ? 2 : 1)) ? 'end' : null
}

/** "I jog every morning", "I gave up jogging". */
const partsOfDay: ReadonlySet<string> = /* @__PURE__ */ new Set(['morning', 'evening', 'night', 'afternoon'].map(stem))

/** Who leaves does no longer what they did. */
const leaving: ReadonlySet<string> = /* @__PURE__ */ new Set(['left', 'quit', 'resigned', 'retired'].map(stem))

/** Who died no longer lives or does anything. */
export function ofDeath(a: Clause, b: Clause): ChangeKind | null {
  if (b.died === '' || a.died !== '' || a.slot === null || a.slot === 'role') return null
  // "Our dog is called Argo", "Argo died".
  if ((a.slot === 'have' || a.lead === 'called' || a.slot === 'is') && a.names.has(b.died) && b.subject.size === 1)
    return 'end'
  return a.subject.has(b.died) && isPart(a.subject, b.subject) ? 'end' : null
}

/** What was looked for is found: "we are looking for a flat", "we found a flat". */
export function ofSearch(a: Clause, b: Clause): ChangeKind | null {
  if (!isSeeking(a) || isSeeking(b) || a.denies || !b.finds || b.denies || a.object.size === 0) return null
  return isPart(a.object, new Set([...b.subject, ...b.object])) ? 'end' : null
}
