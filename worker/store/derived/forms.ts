/**
 * Reads the word forms of the store's languages, and the words that have a word as a part. What was read is kept until the texts of the store
 * change, and so is the vocabulary, as one text, once a compound was looked for.
 */
import { compareCodePoints } from '../../../src/core/text/hash/code-point-order.ts'
import { guessLanguages } from '../../../src/core/text/tokenise/guess-language.ts'
import { irregularFormsOf } from '../../../src/core/text/tokenise/irregular-forms.ts'
import { foldLetters } from '../../../src/core/text/tokenise/fold-letters.ts'
import type { WordForms } from '../../languages/word-forms.ts'
import { all, type Database, first } from '../../sqlite/database.ts'
import type { FormOfWord, Forms } from '../port/forms.ts'
import { after } from './after.ts'

/** Letters of the shortest part of a compound, and of the rest if it is a known word. */
const leastPart = 4
const leastRest = 3
/** Letters of the longest compound that is looked for by its parts. */
const longest = 64

/** Words of questions whose forms are kept until the texts change. */
const mostKnown = 4096
/** Bytes of a word in memory, in V8. */
const wordBytes = 96

interface Known {
  readonly forms: readonly FormOfWord[]
  /** Words with this word as a part. */
  readonly whole: readonly string[]
}

const nothing: Known = { forms: [], whole: [] }

interface Sought {
  readonly word: string
  readonly keys: readonly string[]
  readonly stems: readonly (readonly [stem: string, tag: string])[]
}

export function createForms(
  database: Database,
  {
    hasLanguages,
    isEnglish,
    keysOf,
    wordKeysOf,
    neutralKeyOf,
    isListed,
    irregularOf,
    joints,
    stopWords,
    functionWords,
  }: WordForms,
): Forms {
  let words: string | null = null
  let languages: ReadonlyMap<number, string> | null = null
  const known = new Map<string, Known>()
  // By scope, so that the words of a scope that was dropped go with it.
  let found = new WeakMap<object, Map<string, readonly unknown[]>>()
  let foundWords = 0
  /** Null: not known yet. */
  let hasRows: boolean | null = null

  const read = (asked: readonly string[]) => {
    const missing = [...new Set(asked)].filter((word) => !known.has(word))
    if (missing.length === 0) return
    if (known.size + missing.length > mostKnown) known.clear()
    hasRows ??= hasForms(database)
    const sought: Sought[] = []
    for (const word of missing) {
      const folded = foldLetters(word)
      if (!hasRows && folded === word) known.set(word, nothing)
      else sought.push({ word, keys: keysFor(word), stems: stemsFor(word, folded) })
    }
    if (sought.length === 0) return
    const keys = [...new Set(sought.flatMap((one) => one.keys))]
    const stems = [...new Set(sought.flatMap((one) => one.stems.map(([stem]) => stem)))]
    const rows = new Map(keys.map((key) => [key, [] as { readonly word: string; readonly isPart: boolean }[]]))
    const written = new Set<string>()
    database.each(formsSql, [JSON.stringify(keys), JSON.stringify(stems)], (row) => {
      const [key, word] = [row.text(0), row.text(1)]
      if (key === '') written.add(word)
      else rows.get(key)!.push({ word, isPart: row.number(2) === 1 })
    })
    for (const { word, keys: own, stems: ownStems } of sought) {
      const whole: string[] = []
      const forms = new Map<string, readonly string[] | null>()
      const note = (other: string, tag: string) => {
        const before = forms.get(other)
        forms.set(other, tag === '' || before === null ? null : [...new Set([...(before ?? []), tag])])
      }
      for (const key of own)
        for (const row of rows.get(key)!)
          if (row.isPart) whole.push(row.word)
          else note(row.word, key.slice(0, key.indexOf(' ')))
      for (const [stem, tag] of ownStems) if (written.has(stem)) note(stem, tag)
      forms.delete(word)
      known.set(word, {
        forms: Array.from(forms, ([other, tags]) => ({ word: other, languages: tags })).sort((a, b) =>
          compareCodePoints(a.word, b.word),
        ),
        whole: whole.sort(compareCodePoints),
      })
    }
  }
  const forgetFound = () => {
    found = new WeakMap()
    foundWords = 0
  }
  const knownOf = (word: string) => {
    read([word])
    return known.get(word)!
  }
  /** The stem of a form may be the word, and the stem of the word a form: Snowball cuts `fietsen` to `fiets`, and that to `fiet`. */
  const keysFor = (word: string) => [...new Set([...keysOf(word), ...wordKeysOf(word), neutralKeyOf(word)])]
  /** What may be a word of the vocabulary: each stem with its language, and the folded word with ''. */
  const stemsFor = (word: string, folded: string) => {
    const stems = keysOf(word).map((key) => [key.slice(key.indexOf(' ') + 1), key.slice(0, key.indexOf(' '))] as const)
    return [...stems.filter(([, tag]) => tag !== ''), [folded, ''] as const].filter(([stem]) => stem !== word)
  }

  return {
    read,
    isListed,
    stopWords,
    languagesOf: (text) => (hasLanguages ? guessLanguages(text, functionWords) : []),
    of(word) {
      const { forms } = knownOf(word)
      const own = irregularOf(word)
      read(own.map(([form]) => form))
      // `gingen` has the stem of `ging`.
      const others = own.flatMap(([form, tag]) => [
        { word: form, languages: [tag] },
        ...knownOf(form).forms.filter(({ languages }) => languages === null || languages.includes(tag)),
      ])
      const added = others.filter((one) => one.word !== word && forms.every((known) => known.word !== one.word))
      const all = added.length === 0 ? forms : [...forms, ...added]
      return isEnglish ? withIrregular(word, all) : all
    },
    withPart: (word) => knownOf(word).whole,
    beginningsOf(typed) {
      const folded = foldLetters(typed)
      if (folded === '') return []
      const found = new Set(folded === typed ? [] : [folded])
      hasRows ??= hasForms(database)
      // A stem may have another second letter than its word.
      const key = ` ${[...folded][0]}`
      for (const word of hasRows ? all(database, beginningsSql, [key, after(key)], (row) => row.text(0)) : []) {
        if (word.startsWith(typed) || !foldLetters(word).startsWith(folded)) continue
        let length = 1
        while (foldLetters(word.slice(0, length)).length < folded.length) length++
        found.add(word.slice(0, length))
      }
      return [...found].sort(compareCodePoints)
    },
    compoundsOf(word) {
      if (joints.length === 0 || word.length < leastPart) return []
      words ??= ` ${first(database, `SELECT group_concat(word, ' ') FROM vocabulary`, [], (row) => row.textOrNull(0)) ?? ''} `
      const found = new Map<string, string[]>()
      const keys = new Set([...keysOf(word), ...wordKeysOf(word)])
      const isForm = (end: string) => end === word || keysOf(end).some((key) => keys.has(key))
      const stems = [...keysOf(word)].map((key) => key.slice(key.indexOf(' ') + 1))
      const needle = stems.filter((stem) => stem.length >= leastPart && word.startsWith(stem)).sort(byLength)[0] ?? word
      const add = ([compound, other]: readonly [string, string]) => {
        if (!isForm(compound)) found.set(compound, [...(found.get(compound) ?? []), other])
      }
      for (const one of ending(words, needle, isForm, joints)) add(one)
      // Of a short stem the other part must be longer: `rem` in `remblokken`.
      const shortest = stems.map((stem) => unfolded(word, stem)).sort(byLength)[0] ?? word
      const isShort = shortest.length < leastPart
      for (const one of beginning(words, isShort ? shortest : unfolded(word, needle), joints))
        if (!isShort || (shortest.length >= leastRest && one[1].length >= leastPart)) add(one)
      return [...found]
        .map(([compound, others]) => ({ word: compound, others }))
        .sort((a, b) => compareCodePoints(a.word, b.word))
    },
    partsOf(word) {
      if (joints.length === 0 || word.length < 2 * leastPart || word.length > longest) return []
      const heads = new Set<string>()
      const tails = new Set<string>()
      for (let cut = leastPart; cut <= word.length - leastPart; cut++) {
        tails.add(word.slice(cut))
        const head = word.slice(0, cut)
        for (const joint of joints)
          if (head.endsWith(joint) && head.length - joint.length >= leastPart)
            heads.add(head.slice(0, head.length - joint.length))
      }
      const asked = [...new Set([...heads, ...tails])]
      read(asked)
      const written = new Set(all(database, writtenSql, [JSON.stringify(asked)], (row) => row.text(0)))
      const parts = asked.flatMap((part) => [
        ...(written.has(part) ? [part] : []),
        ...knownOf(part).forms.map((form) => form.word),
      ])
      return [...new Set(parts)].filter((part) => part !== word).sort(compareCodePoints)
    },
    inLanguages(keys, admitted) {
      languages ??= new Map(all(database, languagesSql, [], (row) => [row.number(0), row.text(1)] as const))
      const known = languages
      if (known.size === 0) return Array<boolean>(keys.length).fill(true)
      return Array.from(keys, (key) => admitted.includes(known.get(key) ?? admitted[0]!))
    },
    kept<T>(word: string, scope: object | null, find: () => readonly T[]) {
      const before = found.get(scope ?? known)?.get(word)
      if (before !== undefined) return before as readonly T[]
      const now = find()
      if (foundWords === mostKnown) forgetFound()
      const inScope = found.get(scope ?? known) ?? new Map<string, readonly unknown[]>()
      found.set(scope ?? known, inScope.set(word, now))
      foundWords++
      return now
    },
    clear() {
      forgetFound()
      words = null
      languages = null
      hasRows = null
      known.clear()
    },
    bytes() {
      const ofKnown = [...known].reduce(
        (sum, [word, { forms, whole }]) => sum + 2 * word.length + wordBytes * (1 + forms.length + whole.length),
        0,
      )
      return 2 * (words?.length ?? 0) + 40 * (languages?.size ?? 0) + ofKnown + wordBytes * foundWords
    },
  }
}

/** Irregular forms count in records of every language: the table of leanings is not exact enough to leave records out. */
function withIrregular(word: string, forms: readonly FormOfWord[]): readonly FormOfWord[] {
  const own = irregularFormsOf(word).filter((form) => forms.every((other) => other.word !== form))
  return own.length === 0 ? forms : [...forms, ...own.map((form) => ({ word: form, languages: null }))]
}

function hasForms(database: Database): boolean {
  return first(database, `SELECT 1 FROM forms LIMIT 1`, [], () => true) ?? false
}

const beginningsSql = `SELECT word FROM forms WHERE key >= ? AND key < ? AND records IS NULL`
const formsSql = `SELECT key, word, records IS NOT NULL FROM forms WHERE key IN (SELECT value FROM json_each(?))
  UNION ALL SELECT '', word, 0 FROM vocabulary WHERE word IN (SELECT value FROM json_each(?))`
const writtenSql = `SELECT word FROM vocabulary WHERE word IN (SELECT value FROM json_each(?))`
const languagesSql = `SELECT key, language FROM records WHERE language IS NOT NULL`

/** Words that begin with `part`, each with every rest that may be the other part. */
function* beginning(words: string, part: string, joints: readonly string[]): Iterable<readonly [string, string]> {
  for (let at = words.indexOf(` ${part}`); at !== -1; at = words.indexOf(` ${part}`, at + 1)) {
    const word = words.slice(at + 1, words.indexOf(' ', at + 1))
    const rest = word.slice(part.length)
    for (const joint of joints)
      if (rest.startsWith(joint) && rest.length - joint.length >= leastRest) yield [word, rest.slice(joint.length)]
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
    if (rest.length < leastRest || !isForm(words.slice(at, start + word.length))) continue
    for (const joint of joints)
      if (rest.endsWith(joint) && rest.length - joint.length >= leastRest)
        yield [word, rest.slice(0, rest.length - joint.length)]
  }
}

/** The beginning of the word that folds to the stem; the word, if none does. */
function unfolded(word: string, stem: string): string {
  for (let length = Math.min(word.length, stem.length); length >= leastRest; length--)
    if (foldLetters(word.slice(0, length)) === stem) return word.slice(0, length)
  return word
}

function byLength(some: string, other: string): number {
  return some.length - other.length || compareCodePoints(some, other)
}
