/** The rules by which statements of the same words are of one matter, whatever the words mean and in whatever language. */
import { type ChangeKind, isNamed } from './clause-kinds.ts'
import type { Clause } from './clause.ts'
import { differs, isSame } from './word-sets.ts'

/** "The choir sings in the hall", "the choir sings in the barn now"; "Oma drinkt koffie", "Oma drinkt geen koffie meer". */
export function ofSameWords(a: Clause, b: Clause): ChangeKind | null {
  if (a.isLabel || b.isLabel || a.denies || a.ends) return null
  if (a.isMine !== b.isMine || !isNamed(a) || !isNamed(b)) return null
  if (b.denies || b.ends) return takesUp(a, b) ? 'denial' : null
  return b.isNow && (goesOn(a, b) || doesAnother(a, b) || isDoneByAnother(a, b)) ? 'value' : null
}

/** Whether the later has each word of the earlier in some form, and hardly more. One word is enough of what its writer does. */
function takesUp(a: Clause, b: Clause): boolean {
  const [words, later] = [wordsOf(a), wordsOf(b)]
  const isHabit = a.isSelf && b.isSelf && a.slot === 'act' && a.action !== 'go'
  return (
    words.length >= (isHabit ? 1 : 2) &&
    later.length <= words.length + 2 &&
    words.every((word) => later.some((other) => isAlike(word, other)))
  )
}

/** Whether, without an action that is known, both begin with the same words and go on with others. */
function goesOn(a: Clause, b: Clause): boolean {
  if (a.action !== '' || b.action !== '') return false
  const [words, later] = [wordsOf(a), wordsOf(b)]
  let same = 0
  while (same < words.length && same < later.length && isAlike(words[same]!, later[same]!)) same++
  return same >= (a.isSelf && b.isSelf ? 1 : 2) && words.length > same && later.length > same
}

/** "The kids take the bus to school", "the kids go to school by bike now". */
function doesAnother(a: Clause, b: Clause): boolean {
  if (a.action === '' || b.action === '' || a.slot === 'is' || b.slot === 'is' || a.subject.size === 0) return false
  return isSame(a.subject, b.subject) && differs(a.object, b.object) && [...a.object].some((word) => b.object.has(word))
}

/** "Dana pays the bills", "Chris pays the bills now": of what is named as the one of its kind, one takes care. */
function isDoneByAnother(a: Clause, b: Clause): boolean {
  if (!theOne.test(a.written)) return false
  if (a.action === '' && b.action === '') {
    const [[who, ...what], [other, ...same]] = [wordsOf(a), wordsOf(b)]
    return who !== other && what.length > 1 && isSame(new Set(what), new Set(same))
  }
  const isShared = a.slot === null || a.slot === 'is' || a.slot === 'have' || a.slot === 'home' || a.slot === 'work'
  if (isShared || a.action !== b.action || a.action === 'plai' || a.object.size === 0) return false
  return isSame(a.object, b.object) && differs(a.subject, b.subject)
}

const theOne = /\s(?:the|our|my|den|die|das|unser\w*|mein\w*|le|la|les|el|los|il|lo|het)\s/i

function wordsOf({ subject, action, object }: Clause): readonly string[] {
  return [...subject, ...(action === '' ? [] : [action]), ...object]
}

/** Whether two words may be forms of one, by their first letters: raucht, rauchen. */
function isAlike(a: string, b: string): boolean {
  if (a === b) return true
  let same = 0
  while (same < a.length && a[same] === b[same]) same++
  return same >= leastBeginning && Math.max(a.length, b.length) - same <= mostEnding
}

const leastBeginning = 4
const mostEnding = 3
