/** Cuts a sentence into the parts that state something of their own. */
import { tokenise } from '../text/tokenise/tokenise.ts'
import { wording } from './change-wording.ts'

/**
 * A sentence cut at commas, and at "and" or "but" between two actions. A name or a value alone belongs to the part before it ("a new number,
 * 4321"), and so does what a correction takes back ("it is 5, not 6").
 */
export function partsOf(sentence: string): readonly string[] {
  const { slots, end, move, turn } = wording()
  const says = (part: string) =>
    tokenise(part).some(({ word }) => slots.has(word) || end.has(word) || move.has(word) || turn.has(word))
  const parts: string[] = []
  let held = ''
  for (const [i, written] of sentence.split(/[,;–—]\s+/).entries()) {
    const piece = written + held
    held = ''
    if (i === 0 && beginsInstead.test(piece)) {
      held = ` ${piece}`
      continue
    }
    const halves = piece.split(joins)
    if (parts.length > 0 && (isValue.test(piece) || takesBack.test(piece))) parts.push(`${parts.pop()}, ${piece}`)
    else if (
      halves.length === 2 &&
      (halves.every(says) || (/ /.test(halves[0]!) && says(halves[1]!) && begins.test(halves[1]!)))
    )
      parts.push(...halves)
    else parts.push(piece.replace(connective, ''))
  }
  return parts
}

/** What a part says, and what it takes back: "it is 5", "6". */
export function takenBack(part: string): readonly [string, string] {
  const swapped = swap.exec(part)
  if (swapped !== null) return [`${part.slice(0, swapped.index)} switched to ${swapped[2]!}`, swapped[1]!]
  const found = contrast.exec(part) ?? instead.exec(part)
  return found === null || found.index === 0 ? [part, ''] : [part.slice(0, found.index), found[1]!]
}

const beginsInstead =
  /^(?:instead of|rather than|statt|anstatt|au lieu d[eu']|en vez de|invece d\w*|em vez d\w|in plaats van)\s/iu
const swap =
  /\b(?:have |has |'ve )?(?:replaced|swapped|exchanged|traded in|traded|ditched|dropped) (?:our |my |the )?(.{2,40}?) (?:with|for|by|in favou?r of) (.+)$/iu
const contrast = /,\s(?:and\s)?(?:not|nicht|pas|niet|nao|não)\s(.+)$/iu
const instead =
  /\s(?:to replace|in place of|instead of|rather than|statt|anstatt|au lieu d[eu']|en vez de|en lugar de|invece d\w*|em vez d\w|in plaats van)\s(.+)$/iu

const joins = /\s(?:and|but|because|so|und|aber|sondern|et|mais|y|e|pero|ma|en|maar|mas)\s/iu
/** How a part begins that has a subject of its own. */
const begins = /^(?:i|we|he|she|it|they|my|our|his|her|their|the|now|ich|wir|mein\w*|unser\w*|je|nous|mon|ma|notre)\s/iu
const connective = /^(?:so|and|but|because|also|therefore|und|aber|daher|also|et|mais|donc|y|pero|e|ma|en|maar|mas)\s/iu
/** Two words with capitals or digits, and nothing else. */
const isValue = /^(?:at |um )?(?:[\p{Lu}\d+][^\s]*)(?:\s[\p{Lu}\d][^\s]*){0,2}[.!]?$/u
const takesBack = /^(?:and )?(?:not|nicht|pas|niet|nao|não)\s(?:\S+\s){0,3}\S+$/iu
