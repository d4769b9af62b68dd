/**
 * The word forms of a store's languages. A word is found by every word with one of its keys. A key depends on the spelling of the word
 * alone, so forgetting a record erases exactly the forms that no other record has [W3].
 */
import { defaultLanguages } from '../../src/core/model/languages.ts'
import type { FunctionWords } from '../../src/core/text/tokenise/guess-language.ts'
import { englishStopWords, type StopWords } from '../../src/core/text/tokenise/stop-words.ts'
import { stem } from '../../src/core/text/tokenise/stem.ts'
import { foldWord } from '../../src/core/text/tokenise/tokenise.ts'
import type { StoreSettings } from '../store/migrations/migration.ts'
import type { Language } from './files/language.ts'
import { foldLetters } from '../../src/core/text/tokenise/fold-letters.ts'
import { languagesOf } from './load-languages.ts'

export interface WordForms {
  /** False in a store in English alone, whose index has the stems already. */
  readonly hasLanguages: boolean
  /** Whether English is one of the languages. */
  readonly isEnglish: boolean
  /** The keys of a folded word: of each language whose letters it begins with, and of its folded letters, if these differ. */
  keysOf(word: string): readonly string[]
  /** The keys that a folded word would have if it were its own stem. */
  wordKeysOf(word: string): readonly string[]
  /** The key of a folded word in every language: the stem that the index has for its folded letters. Parts of words have such keys, too. */
  neutralKeyOf(word: string): string
  /** Whether a folded word is one that the languages of the store have in their lists, in any form. English has a table of its own. */
  isListed(word: string): boolean
  /** Other words that are irregular forms of a folded word, each with its language. English has a table of its own. */
  irregularOf(word: string): readonly (readonly [form: string, tag: string])[]
  readonly stopWords: StopWords
  /** Distinguish the languages of the store, and English. */
  readonly functionWords: FunctionWords
  /** What may join two parts of a compound, longest first; empty: no language of the store writes compounds as one word. */
  readonly joints: readonly string[]
}

export function createWordForms(tags: readonly string[], stemmer: StoreSettings['stemmer']): WordForms {
  const languages = languagesOf(tags)
  const hasLanguages = tags.some((tag) => !defaultLanguages.includes(tag))
  const known = new Map<string, readonly string[]>()
  let listedKeys: ReadonlySet<string> | null = null
  let irregular: ReturnType<typeof irregularForms> | null = null
  return {
    hasLanguages,
    isEnglish: tags.includes('en'),
    keysOf(word) {
      if (!hasLanguages) return foldedKeys(word, stemmer)
      const keys = known.get(word) ?? [...keysIn(languages, word), ...foldedKeys(word, stemmer)]
      if (known.size >= mostKnown) known.clear()
      known.set(word, keys)
      return keys
    },
    wordKeysOf: (word) =>
      hasLanguages ? inScript(languages, foldLetters(word)).map(({ tag }) => `${tag} ${foldLetters(word)}`) : [],
    neutralKeyOf: (word) => neutralKey(foldLetters(word), stemmer),
    isListed(word) {
      listedKeys ??= keysOfLists(languages)
      return keysIn(languages, word).some((key) => listedKeys!.has(key))
    },
    irregularOf(word) {
      irregular ??= irregularForms(languages)
      return [
        ...keysIn(languages, word).flatMap((key) => irregular!.get(key) ?? []),
        ...languages.flatMap(({ tag, endings = [] }) => basesOf(word, endings).map((form) => [form, tag] as const)),
      ]
    },
    stopWords: stopWordsOf(tags, languages),
    functionWords: functionWordsOf(tags, languages),
    joints: [...new Set(languages.flatMap(({ joints = [] }) => joints))].sort(
      (a, b) => b.length - a.length || (a < b ? -1 : 1),
    ),
  }
}

/** Words whose keys are kept: those of a batch share most of their words. */
const mostKnown = 50_000

/** Any word may be written with other letters, but most are not: only the rare ones need a row. */
function foldedKeys(word: string, stemmer: StoreSettings['stemmer']): readonly string[] {
  const folded = foldLetters(word)
  return folded === word ? [] : [neutralKey(folded, stemmer)]
}

/** Begins with a space, in place of the tag of a language. */
export function neutralKey(folded: string, stemmer: StoreSettings['stemmer']): string {
  return ` ${stemmer === 'porter' ? stem(folded) : folded}`
}

/** The key begins with the tag of its language. */
function keysIn(languages: readonly Language[], word: string): readonly string[] {
  const folded = foldLetters(word)
  return inScript(languages, folded).flatMap((language) => [
    ...new Set(
      [folded, ...basesOf(folded, language.bases ?? [])].map(
        (base) => `${language.tag} ${foldLetters(language.stem(base))}`,
      ),
    ),
  ])
}

function basesOf(word: string, rules: NonNullable<Language['bases']>): readonly string[] {
  return rules.flatMap(([pattern, by]) => (pattern.test(word) ? [word.replace(pattern, by)] : []))
}

function inScript(languages: readonly Language[], word: string): readonly Language[] {
  return languages.filter(({ script }) => isOf(script, word))
}

const ranges: Readonly<Record<Language['script'], readonly (readonly [number, number])[]>> = {
  latin: [
    [0x61, 0x7a],
    [0xdf, 0x24f],
    [0x1e00, 0x1eff],
  ],
  greek: [
    [0x370, 0x3ff],
    [0x1f00, 0x1fff],
  ],
  cyrillic: [[0x400, 0x52f]],
  // Pairs of letters have no forms.
  unspaced: [],
}

function isOf(script: Language['script'], word: string): boolean {
  const first = word.charCodeAt(0)
  return ranges[script].some(([from, to]) => first >= from && first <= to)
}

function stopWordsOf(tags: readonly string[], languages: readonly Language[]): StopWords {
  const own = tags.includes('en') || languages.length === 0 ? englishStopWords : null
  if (languages.length === 0 && own !== null) return own
  return {
    question: new Set([...(own?.question ?? []), ...languages.flatMap((one) => listed(one.questionWords))]),
    common: new Set([...(own?.common ?? []), ...languages.flatMap((one) => listed(one.commonWords))]),
  }
}

function functionWordsOf(tags: readonly string[], languages: readonly Language[]): FunctionWords {
  const english = new Set([...englishStopWords.question, ...englishStopWords.common])
  const all = new Map<string, ReadonlySet<string> | null>([['en', english]])
  for (const { tag, script, questionWords, commonWords } of languages)
    if (script === 'latin') all.set(tag, new Set([...listed(questionWords), ...listed(commonWords)]))
  for (const tag of tags) if (latinWithoutFile.has(tag)) all.set(tag, null)
  return all
}

/** Known languages of Latin letters that have no file. */
const latinWithoutFile: ReadonlySet<string> = new Set(['cs', 'ga', 'id', 'lt', 'pl', 'sl', 'vi'])

/** The keys of all words in the lists, each in its own language. */
function keysOfLists(languages: readonly Language[]): ReadonlySet<string> {
  return new Set(
    languages.flatMap((language) =>
      [language.everydayWords ?? '', language.questionWords, language.commonWords]
        .flatMap(listed)
        .flatMap((word) => keysIn([language], word)),
    ),
  )
}

/** The forms of each word of the tables, by the keys of all of them. */
function irregularForms(languages: readonly Language[]): ReadonlyMap<string, readonly (readonly [string, string])[]> {
  const found = new Map<string, (readonly [string, string])[]>()
  for (const language of languages) {
    const stop = new Set([language.questionWords, language.commonWords].flatMap(listed))
    for (const group of language.irregular?.split(',') ?? []) {
      const forms = listed(group).filter((form) => !stop.has(form))
      for (const key of new Set(forms.flatMap((form) => keysIn([language], form))))
        found.set(key, [...(found.get(key) ?? []), ...forms.map((form) => [form, language.tag] as const)])
    }
  }
  return found
}

function listed(list: string): readonly string[] {
  return list.split(' ').map(foldWord)
}
