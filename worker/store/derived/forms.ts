/**
 * Reads the word forms of the store's languages. The vocabulary is kept in memory as one text once a compound was looked for, until the
 * texts of the store change.
 */
import { compareCodePoints } from '../../../src/core/text/hash/code-point-order.ts'
import { guessLanguages } from '../../../src/core/text/tokenise/guess-language.ts'
import { foldLetters } from '../../languages/fold-letters.ts'
import type { WordForms } from '../../languages/word-forms.ts'
import { all, type Database, first } from '../../sqlite/database.ts'
import type { FormOfWord, Forms } from '../port/forms.ts'
import { heldWords } from '../rows/vocabulary-rows.ts'

/** Letters of the shortest part of a compound. */
const leastPart = 4

export function createForms(
  database: Database,
  { hasKeys, keysOf, wordKeysOf, joints, stopWords, functionWords }: WordForms,
): Forms {
  let words: string | null = null
  let languages: ReadonlyMap<number, string> | null = null
  /** Those of the stems, and of the folded word, that are words of the vocabulary, each with its language; '' for the folded word. */
  const writtenStems = (stems: readonly string[], folded: string) => {
    const tagged = [...stems, ` ${folded}`].map((key) => {
      const space = key.indexOf(' ')
      return [key.slice(space + 1), key.slice(0, space)] as const
    })
    const written = new Set(
      heldWords(
        database,
        tagged.map(([other]) => other),
      ),
    )
    return tagged.filter(([other]) => written.has(other))
  }

  return {
    hasForms: hasKeys,
    stopWords,
    languagesOf: (text) => (hasKeys ? guessLanguages(text, functionWords) : []),
    of(word) {
      if (!hasKeys) return []
      const found = new Map<string, readonly string[] | null>()
      const folded = foldLetters(word)
      const stems = keysOf(word)
      // The stem of a form may be the word, and the stem of the word a form: Snowball cuts `fietsen` to `fiets`, and that to `fiet`.
      const keys = new Set([...stems, ...wordKeysOf(word), ` ${folded}`])
      const rows = all(database, formsSql, [JSON.stringify([...keys])], (row) => [row.text(1), row.text(0)] as const)
      const tagged = rows.map(([other, key]) => [other, key.slice(0, key.indexOf(' '))] as const)
      for (const [other, tag] of [...tagged, ...writtenStems(stems, folded)]) {
        const known = found.get(other)
        found.set(other, tag === '' || known === null ? null : [...new Set([...(known ?? []), tag])])
      }
      found.delete(word)
      return [...found]
        .map(([other, tags]): FormOfWord => ({ word: other, languages: tags }))
        .sort((a, b) => compareCodePoints(a.word, b.word))
    },
    compoundsOf(word) {
      if (joints.length === 0 || word.length < leastPart) return []
      words ??= ` ${first(database, `SELECT group_concat(word, ' ') FROM vocabulary`, [], (row) => row.textOrNull(0)) ?? ''} `
      const found = new Map<string, string[]>()
      const keys = new Set([...keysOf(word), ...wordKeysOf(word)])
      const isForm = (end: string) => end === word || keysOf(end).some((key) => keys.has(key))
      const stems = [...keysOf(word)].map((key) => key.slice(key.indexOf(' ') + 1))
      const needle = stems.filter((stem) => stem.length >= leastPart && word.startsWith(stem)).sort(byLength)[0] ?? word
      for (const [compound, other] of [...beginning(words, word, joints), ...ending(words, needle, isForm, joints)])
        found.set(compound, [...(found.get(compound) ?? []), other])
      return [...found]
        .map(([compound, others]) => ({ word: compound, others }))
        .sort((a, b) => compareCodePoints(a.word, b.word))
    },
    inLanguages(keys, admitted) {
      languages ??= new Map(all(database, languagesSql, [], (row) => [row.number(0), row.text(1)] as const))
      const known = languages
      if (known.size === 0) return Array<boolean>(keys.length).fill(true)
      return Array.from(keys, (key) => admitted.includes(known.get(key) ?? admitted[0]!))
    },
    clear() {
      words = null
      languages = null
    },
    bytes: () => 2 * (words?.length ?? 0) + 40 * (languages?.size ?? 0),
  }
}

const formsSql = `SELECT key, word FROM forms WHERE key IN (SELECT value FROM json_each(?)) ORDER BY key, word`
const languagesSql = `SELECT key, language FROM records WHERE language IS NOT NULL`

/** Words that begin with `part`, each with every rest that may be the other part. */
function* beginning(words: string, part: string, joints: readonly string[]): Iterable<readonly [string, string]> {
  for (let at = words.indexOf(` ${part}`); at !== -1; at = words.indexOf(` ${part}`, at + 1)) {
    const word = words.slice(at + 1, words.indexOf(' ', at + 1))
    const rest = word.slice(part.length)
    for (const joint of joints)
      if (rest.startsWith(joint) && rest.length - joint.length >= leastPart) yield [word, rest.slice(joint.length)]
  }
}

/** Words that end in a form of a word, each with every rest that may be the other part. `needle`: what such a form begins with. */
function* ending(
  words: string,
  needle: string,
  isForm: (end: string) => boolean,
  joints: readonly string[],
): Iterable<readonly [string, string]> {
  for (let at = words.indexOf(needle); at !== -1; at = words.indexOf(needle, at + 1)) {
    const start = words.lastIndexOf(' ', at) + 1
    const word = words.slice(start, words.indexOf(' ', at))
    const rest = words.slice(start, at)
    if (rest.length < leastPart || !isForm(words.slice(at, start + word.length))) continue
    for (const joint of joints)
      if (rest.endsWith(joint) && rest.length - joint.length >= leastPart)
        yield [word, rest.slice(0, rest.length - joint.length)]
  }
}

function byLength(some: string, other: string): number {
  return some.length - other.length || compareCodePoints(some, other)
}
