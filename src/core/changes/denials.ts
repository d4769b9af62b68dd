/** Says whether a clause denies what it says: two denials take each other back. */
import type { Token } from '../text/tokenise/tokenise.ts'
import type { Wording } from './change-wording.ts'

export function hasDenial(part: string, tokens: readonly Token[], { negations }: Wording): boolean {
  const isDenial = ({ word, to }: Token, i: number) =>
    negations.has(word) && !(word === 'no' && isInThe(tokens[i - 1]?.word ?? '', part.slice(to)))
  return tokens.filter(isDenial).length % 2 === 1
}

/** Portuguese "no" is "in the": "moro no Porto". English "no" denies even a name: "speaks no French". */
function isInThe(before: string, rest: string): boolean {
  return !english.has(before) && (portuguese.has(before) || /^\s\p{Lu}/u.test(rest))
}

const english: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'speak speaks has have had is are with eat eats drink drinks take takes use uses know knows there play plays read reads own owns need needs want wants'.split(
    ' ',
  ),
)
const portuguese: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'trabalho trabalha moro mora estudo estuda estou esta fico fica'.split(' '),
)
