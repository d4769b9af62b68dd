/** Finds the words and phrases of a text for which the policy has synonyms. */
import type { QueryTerm } from '../model/query-plan.ts'
import type { Reading } from '../model/result.ts'
import { tuning } from '../model/tuning.ts'
import { type Token, tokenise } from '../text/tokenise/tokenise.ts'
import { quote } from './phrases.ts'

export interface SynonymTable {
  /** Synonyms as the policy writes them, by the stems of their word or phrase, joined by spaces. */
  readonly of: ReadonlyMap<string, readonly string[]>
  /** Words of the longest phrase. */
  readonly mostWords: number
}

type Synonyms = Readonly<Record<string, readonly string[]>>
const tables = new WeakMap<Synonyms, Map<string, SynonymTable>>()

/** Null without synonyms. `stemmer` names the function that makes the stems. */
export function synonymTable(
  synonyms: Synonyms | undefined,
  stemmer: string,
  stemOf: (word: string) => string,
): SynonymTable | null {
  if (synonyms === undefined) return null
  const known = tables.get(synonyms) ?? new Map<string, SynonymTable>()
  tables.set(synonyms, known)
  const table = known.get(stemmer) ?? compile(synonyms, stemOf)
  known.set(stemmer, table)
  return table
}

function compile(synonyms: Synonyms, stemOf: (word: string) => string): SynonymTable {
  const of = new Map<string, readonly string[]>()
  let mostWords = 0
  for (const [name, values] of Object.entries(synonyms)) {
    const stems = tokenise(name).map(({ word }) => stemOf(word))
    mostWords = Math.max(mostWords, stems.length)
    const key = stems.join(' ')
    of.set(key, [...new Set([...(of.get(key) ?? []), ...values])])
  }
  return { of, mostWords }
}

/** `stems`: of the synonyms that are one word. */
type Found = Pick<QueryTerm, 'synonyms' | 'stems'>

export interface FoundSynonyms {
  /** Of single words, by index. */
  readonly ofWords: ReadonlyMap<number, Found>
  /** Of phrases. `word`: the folded words of the phrase. */
  readonly phrases: readonly (Found & { readonly word: string })[]
  /** `key`: the stems of the word or phrase. */
  readonly readings: readonly { readonly key: string; readonly at: number; readonly reading: Reading }[]
}

/** The longest phrases first, at most 64 synonyms. The word at index `unfinished` has none. */
export function synonymsIn(
  text: string,
  tokens: readonly Token[],
  table: SynonymTable | null,
  stemOf: (word: string) => string,
  unfinished: number,
): FoundSynonyms {
  const ofWords = new Map<number, Found>()
  const phrases: (Found & { readonly word: string })[] = []
  const readings: { key: string; at: number; reading: Reading }[] = []
  const seen = new Set<string>()
  if (table === null) return { ofWords, phrases, readings }
  const stems = tokens.map(({ word }) => stemOf(word))
  const end = unfinished === -1 ? tokens.length : unfinished
  for (let i = 0; i < end; i++) {
    for (let length = Math.min(table.mostWords, end - i); length > 0; length--) {
      const key = stems.slice(i, i + length).join(' ')
      const room = tuning.maxQuerySynonyms - readings.length
      const values = seen.has(key) ? [] : (table.of.get(key) ?? []).slice(0, room)
      if (values.length === 0) continue
      seen.add(key)
      const written = text.slice(tokens[i]!.from, tokens[i + length - 1]!.to)
      const found = foundOf(written, values, stemOf)
      if (length === 1) ofWords.set(i, found)
      else
        phrases.push({
          word: tokens
            .slice(i, i + length)
            .map(({ word }) => word)
            .join(' '),
          ...found,
        })
      for (const as of values)
        readings.push({ key, at: tokens[i]!.from, reading: { kind: 'synonym', text: written, as } })
    }
  }
  return { ofWords, phrases, readings }
}

function foundOf(text: string, values: readonly string[], stemOf: (word: string) => string): Found {
  const folded = values.map((value) => tokenise(value).map(({ word }) => word))
  return {
    synonyms: values.map((as, i) => ({ phrase: quote(folded[i]!.join(' ')), text, as })),
    stems: folded.flatMap(([word, ...others]) => (others.length === 0 ? [stemOf(word!)] : [])),
  }
}
