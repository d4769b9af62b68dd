/**
 * A measuring set's words in their order, for parts that need more than the engine's facts: positions of words, and
 * words outside the question.
 */

import { stem } from '../../src/core/text/tokenise/stem.ts'
import { commonWords, contractionRemnants, questionWords } from '../../src/core/text/tokenise/stop-words.ts'
import { tokenise } from '../../src/core/text/tokenise/tokenise.ts'
import type { Dataset } from './datasets.ts'
import type { Asked } from './tried.ts'

export interface Words {
  /**
   * Share of the question's pairs, weighted by the idf of the commoner word, that occur within so many words of each
   * other.
   */
  pairsWithin(asked: Asked, window: number): Float64Array
  /**
   * RM3: how much of the `most` best words of the `first` rows, without those of the question, each row holds, 0..1.
   */
  feedback(asked: Asked, first: readonly number[], most: number): Float64Array
}

interface Scope {
  records: number
  tokens: number
  readonly frequencies: Map<string, number>
}

const isStop = (word: string) => commonWords.has(word) || questionWords.has(word) || contractionRemnants.has(word)

export function createWords({ documents, questions }: Dataset): Words {
  const texts = documents.map(({ title, text }) => tokenise(`${title} ${text}`).map(({ word }) => word))
  const stems = texts.map((words) => words.map((word) => stem(word)))
  const stopStems = new Set([...commonWords, ...questionWords, ...contractionRemnants].map((word) => stem(word)))
  const scopes = new Map<string, Scope>()
  for (const [i, { scope }] of documents.entries()) {
    for (const name of new Set([scope, ''])) {
      const own = scopes.get(name) ?? { records: 0, tokens: 0, frequencies: new Map<string, number>() }
      scopes.set(name, own)
      own.records++
      own.tokens += stems[i]?.length ?? 0
      for (const word of new Set(stems[i])) own.frequencies.set(word, (own.frequencies.get(word) ?? 0) + 1)
    }
  }
  const scopeOf = ({ question }: Asked) => scopes.get(questions[question]?.scope ?? '')!
  const wordsOf = ({ question }: Asked) => tokenise(questions[question]?.text ?? '').map(({ word }) => word)
  const rarity = ({ records, frequencies }: Scope, word: string) => {
    const df = frequencies.get(word) ?? 0
    return Math.log(1 + (records - df + 0.5) / (df + 0.5))
  }

  return {
    pairsWithin(asked, window) {
      const scope = scopeOf(asked)
      const own = wordsOf(asked).flatMap((word) => (isStop(word) ? [] : stem(word)))
      const pairs = own.slice(1).flatMap((second, i) => {
        const first = own[i]!
        return first === second
          ? []
          : [{ first, second, weight: Math.min(rarity(scope, first), rarity(scope, second)) }]
      })
      const total = pairs.reduce((sum, { weight }) => sum + weight, 0)
      return Float64Array.from(asked.documents, (document) => {
        const places = placesOf(stems[document] as readonly string[], new Set(own))
        const near = (some: string, other: string) =>
          (places.get(some) ?? []).some((a) => (places.get(other) ?? []).some((b) => Math.abs(a - b) <= window))
        const held = pairs.filter(({ first, second }) => near(first, second))
        return total === 0 ? 0 : held.reduce((sum, { weight }) => sum + weight, 0) / total
      })
    },
    feedback(asked, first, most) {
      const scope = scopeOf(asked)
      const own = new Set(wordsOf(asked).map((word) => stem(word)))
      const found = new Map<string, { amount: number; records: number }>()
      for (const row of first) {
        for (const [word, count] of countsOf(stems[asked.documents[row]!] as readonly string[])) {
          const df = scope.frequencies.get(word) ?? 0
          if (own.has(word) || stopStems.has(word) || df < 2 || df > scope.records / 10) continue
          const amount = (asked.said[row]! * count * rarity(scope, word)) / (count + 1.5)
          const known = found.get(word) ?? { amount: 0, records: 0 }
          found.set(word, { amount: known.amount + amount, records: known.records + 1 })
        }
      }
      const said = [...found].filter(([, { records }]) => records >= 2)
      const chosen = new Map(said.sort(([, a], [, b]) => b.amount - a.amount).slice(0, most))
      const total = [...chosen.values()].reduce((sum, { amount }) => sum + amount, 0)
      return Float64Array.from(asked.documents, (document) => {
        const text = stems[document] as readonly string[]
        const length = 0.25 + (0.75 * (text.length + 30)) / (scope.tokens / scope.records + 30)
        let sum = 0
        for (const [word, count] of countsOf(text))
          sum += ((chosen.get(word)?.amount ?? 0) * count) / (count + 1.6 * length)
        return total === 0 ? 0 : sum / total
      })
    },
  }
}

function placesOf(text: readonly string[], wanted: ReadonlySet<string>): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>()
  for (const [i, word] of text.entries()) if (wanted.has(word)) places.set(word, [...(places.get(word) ?? []), i])
  return places
}

function countsOf(text: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const word of text) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}
