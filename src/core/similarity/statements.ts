/**
 * Reads what a text states that another text may state otherwise: an amount, a share, a time of day, a day or a count, with the words
 * around it; and what it denies. Reads spelling, not meaning. A text with many values is a list or an explanation, and its values are
 * left out. Takes linear time, and reads the first `chatTuning.statementCharacters` characters.
 */
import { chatTuning } from './chat-tuning.ts'
import { stem } from '../text/tokenise/stem.ts'
import { tokenise } from '../text/tokenise/tokenise.ts'
import { type FoundValue, valuesIn } from './statement-values.ts'
import { isAboutWriter, isLight, negates, reportsChange, startsOfDenials } from './statement-wording.ts'

export type StatementKind = FoundValue['kind'] | 'denial' | 'assertion'

export interface Statement {
  readonly kind: StatementKind
  /** The value in one spelling, for example `1350` or `4-22`; empty for a denial and an assertion. */
  readonly value: string
  /** As written, with its unit. */
  readonly written: string
  /** Stems of what is counted, in order; empty for other kinds. */
  readonly unit: readonly string[]
  /** Stems of the words near it in its sentence. */
  readonly about: ReadonlySet<string>
  /** Whether its sentence reports a change, for example "now" or "rescheduled". */
  readonly isChange: boolean
  /** Whether its sentence is about its writer: "I", "my", "unser". */
  readonly isPersonal: boolean
}

/** The statements of a text, in its order. Empty for most texts that are code, lists or long explanations. */
export function statementsOf(text: string): readonly Statement[] {
  const found = sentencesOf(text.slice(0, chatTuning.statementCharacters)).flatMap(readSentence)
  const values = found.filter(({ value }) => value !== '').length
  const assertions = found.filter(({ kind }) => kind === 'assertion').length
  const isList = values > chatTuning.maxStatementValues
  return found.filter(
    ({ kind }) => kind === 'denial' || (!isList && (kind !== 'assertion' || assertions <= chatTuning.maxAssertions)),
  )
}

/** Without fenced code. */
function sentencesOf(text: string): readonly string[] {
  const prose = text.split('```').filter((_, i) => i % 2 === 0)
  return prose.flatMap((part) => part.split(sentenceEnd)).filter((sentence) => sentence.length <= longestSentence)
}

/** A day of a month, as in "3. März", ends no sentence. */
const sentenceEnd = /(?<=[.!?])(?<!(?<!\d)\d{1,2}\.)\s+|[\n。！？]+/

/** Characters. A person does not write longer ones. */
const longestSentence = 1000

/** A word of a sentence that says what the sentence is about. */
interface Word {
  readonly stem: string
  readonly from: number
  readonly to: number
  readonly isLight: boolean
}

function readSentence(sentence: string): readonly Statement[] {
  if (codeSigns.test(sentence)) return []
  const words: Word[] = tokenise(sentence).map(({ word, from, to }) => ({
    stem: stem(word),
    from,
    to,
    isLight: word.length < 2 || startsWithDigit.test(word) || isLight(word),
  }))
  const shared = { isChange: reportsChange(sentence), isPersonal: isAboutWriter(sentence) }
  const statements: Statement[] = []
  for (const found of valuesIn(sentence)) {
    const { unit, end } = found.kind === 'count' ? unitOf(sentence, words, found) : { unit: [], end: found.to }
    if (found.kind === 'count' && unit.length === 0) continue
    const { kind, value } = found
    const written = sentence.slice(found.from, end)
    statements.push({ kind, value, written, unit, about: around(words, found, unit), ...shared })
  }
  const denials = startsOfDenials(sentence)
  for (const from of denials) {
    const denied = words.filter((word) => word.from >= from && word.from < from + denialCharacters)
    const about = stemsOf(denied)
    const written = sentence.slice(from, denied.at(-1)?.to ?? from)
    if (about.size >= leastAbout)
      statements.push({ kind: 'denial', value: '', written, unit: [], about, ...shared, isChange: false })
  }
  if (!negates(sentence) && stemsOf(words).size >= leastAbout) {
    const written = sentence.trim()
    const about = stemsOf(words)
    statements.push({ kind: 'assertion', value: '', written, unit: [], about, ...shared, isChange: false })
  }
  return statements
}

/** Brackets, pipes, options, calls: the numbers of a command or of code state nothing. */
const codeSigns = /[{}|\\]|[=(]\s*[\w'"]*\)|=>|\s--?\w|::|\w\(/
const startsWithDigit = /^\p{Nd}/u
const denialCharacters = 90
const leastAbout = 2

/** Up to three words after a count, without a sign or a light word between them. Suffixes, as in `250ms`, are units. */
function unitOf(sentence: string, words: readonly Word[], { to, suffix }: FoundValue) {
  if (suffix !== '') return { unit: [suffix], end: to }
  const unit: string[] = []
  let end = to
  for (const word of words) {
    if (word.from < to) continue
    if (unit.length === 3 || word.isLight || !joint.test(sentence.slice(end, word.from))) break
    end = word.to
    if (!multipliers.has(word.stem)) unit.push(word.stem)
  }
  return { unit, end }
}

const joint = /^[\s-]*$/
const multipliers: ReadonlySet<string> = /* @__PURE__ */ new Set(['hundr', 'thousand', 'million', 'billion'])

/** The stems of up to `wordsAround` words on each side. */
function around(words: readonly Word[], { from, to }: FoundValue, unit: readonly string[]): ReadonlySet<string> {
  const before = words.filter((word) => word.from < from).slice(-wordsAround)
  const after = words.filter((word) => word.from >= to).slice(0, wordsAround)
  return stemsOf([...before, ...after].filter((word) => !unit.includes(word.stem)))
}

const wordsAround = 12

function stemsOf(words: readonly Word[]): ReadonlySet<string> {
  return new Set(words.filter((word) => !word.isLight).map((word) => word.stem))
}
