/** Finds the action of a clause among its words, and whether it tells of an event, a change, or somebody who goes to live elsewhere. */
import { type Token, tokenise } from '../text/tokenise/tokenise.ts'
import { stem } from '../text/tokenise/stem.ts'
import type { Wording } from './change-wording.ts'

/** Behind a name or an object that is spelt like "my": "Mia is", "mi piace". */
export const neverNouns: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'is are was has ist est lives works plays likes loves speaks studies moved piace piacciono'.split(' '),
)

/** The words of a text as they are read here: those of one family as one, and "took" only before "over", "brought" before "forward" as an action of change. */
export function readWords(text: string, { families }: Wording): readonly Token[] {
  const tokens = tokenise(text)
  return tokens.map((token, i) => {
    const isTaken =
      (token.word === 'took' && !/^(?:over|up)$/.test(tokens[i + 1]?.word ?? '') && !/ over\b/.test(text)) ||
      (token.word === 'brought' && !/ forward\b/.test(text))
    return { ...token, word: isTaken ? 'taken' : (families.get(token.word) ?? token.word) }
  })
}

/** Where the first action is; behind a past form, the first action of change; −1 if neither is known. A word after "my" or "the" is a noun. */
export function actionPlace(tokens: readonly Token[], known: Wording): number {
  const { slots, dislikes, determiners, turn, move, end } = known
  for (const [i, { word }] of tokens.entries()) {
    if (move.has(word)) return i
    if (i > 0 && determiners.has(tokens[i - 1]!.word) && !neverNouns.has(word)) continue
    // "Dana's phone is": an owner, not an action.
    if (word === 's' && tokens.slice(i + 1).some((token) => isAction(token.word, known))) continue
    if (isDutch(tokens, i)) return i
    // "would be" and "may be" state nothing.
    if (word === 'be' && !/^(?:will|ll|not|always|also)$/.test(tokens[i - 1]?.word ?? '')) continue
    // "have to avoid", "have started to like": the last says it.
    const begun = begins.has(tokens[i + 1]?.word ?? '')
      ? i + 1
      : begins.has(word) || slots.get(word) === 'have'
        ? i
        : -1
    const what = tokens[begun + 1]?.word === 'to' ? (tokens[begun + 2]?.word ?? '') : ''
    if (begun !== -1 && (slots.has(what) || dislikes.has(what))) return begun + 2
    // "is living in", "has been living in": the last says it.
    if (tokens[i + 1]?.word === 'been' && (tokens[i + 2]?.word ?? '').endsWith('ing') && slots.has(tokens[i + 2]!.word))
      return i + 2
    const place = known.negations.has(tokens[i + 1]?.word ?? '') ? i + 2 : i + 1
    const next = tokens[place]?.word ?? ''
    if (slots.get(word) === 'is' && next.endsWith('ing') && slots.has(next)) return place
    if (slots.has(word) || dislikes.has(word) || turn.has(word) || end.has(word)) return i
    if (isPastForm(word, i, known)) break
  }
  return tokens.findIndex(
    ({ word }, i) => (i === 0 || !determiners.has(tokens[i - 1]!.word)) && (turn.has(word) || end.has(word)),
  )
}

/** Before "to" and an action: "have come to love". */
export const begins: ReadonlySet<string> = /* @__PURE__ */ new Set('started began begun come learned learnt'.split(' '))

export function isPastForm(word: string, i: number, known: Wording): boolean {
  if (known.past.has(word)) return true
  return i > 0 && word.length > 4 && word.endsWith('ed') && !word.endsWith('eed') && !isChangeWord(word, known)
}

export function isChangeWord(word: string, { now, turn, move, end }: Wording): boolean {
  return now.has(word) || turn.has(word) || move.has(word) || end.has(word)
}

function isAction(word: string, { slots, turn, move, end, past }: Wording): boolean {
  return slots.has(word) || turn.has(word) || move.has(word) || end.has(word) || past.has(word)
}

/** "ik ben": elsewhere it is a name. */
function isDutch(tokens: readonly Token[], i: number): boolean {
  return tokens[i]!.word === 'ben' && (tokens[i - 1]?.word === 'ik' || tokens[i + 1]?.word === 'ik')
}

/** "moved to Porto" and "moved again", not "moved the sofa". */
export function movesItself(tokens: readonly Token[], { move, determiners, things }: Wording): boolean {
  return tokens.some(({ word }, i) => {
    const next = tokens[i + 1]?.word ?? ''
    // "a" is a direction in Spanish and Italian.
    const isThing = next === 'a' ? word.startsWith('mov') : determiners.has(next) || things.has(next)
    return move.has(word) && !isThing
  })
}

const away: ReadonlySet<string> = /* @__PURE__ */ new Set(['passed', 'flew', 'ran'])

/** The stem of the word before "died"; `''` without such a word. */
export function whoDied(tokens: readonly Token[], { death, light, slots, past }: Wording): string {
  const at = tokens.findIndex(({ word }, i) => death.has(word) || (away.has(word) && tokens[i + 1]?.word === 'away'))
  const isAuxiliary = (word: string) => light.has(word) || past.has(word) || slots.get(word) === 'is'
  const who = tokens.slice(0, Math.max(at, 0)).findLast(({ word }) => !isAuxiliary(word) && slots.get(word) !== 'have')
  return who === undefined ? '' : stem(who.word)
}
