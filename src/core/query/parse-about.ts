/** Validates the request of `about`, and reads which words of it name the subject, or whether that is the person who asks. Takes linear time. */
import { parseObject, refuse } from '../ingest/parse-fields.ts'
import type { AboutRequest, RecallQuery } from '../model/query.ts'
import { tuning } from '../model/tuning.ts'
import { wordsOf } from '../said/read-turn.ts'
import { saidWording } from '../said/wording.ts'
import { commonWords } from '../text/tokenise/stop-words.ts'
import { parseRecallQuery } from './parse-query.ts'

export interface ParsedAbout {
  readonly subject: string
  /** The words that name the subject; `''` if it is the person who asks. */
  readonly words: string
  readonly limit: number
  /** A recall of the subject, for its evidence. */
  readonly query: RecallQuery
}

const fields = ['text', 'vector', 'scope', 'limit', 'now', 'policy', 'timeZone'] as const
const invalid = 'INVALID_ARGUMENT'

export function parseAbout(input: unknown): ParsedAbout {
  const given = parseObject(input, 'options', new Set(fields), invalid, { instead: 'Give { scope }, or leave it out.' })
  const { text } = given
  if (typeof text !== 'string' || text.trim() === '')
    throw refuse('subject', text, 'must be a text', 'Give a name, words or a question.', invalid)
  if (text.length > tuning.maxQueryCharacters)
    throw refuse('subject', text, `must have at most ${tuning.maxQueryCharacters} characters`, 'Shorten it.', invalid)
  const { limit = shippedLimit, ...rest } = given as unknown as AboutRequest
  if (!Number.isInteger(limit) || limit < 1 || limit > tuning.maxStatements)
    throw refuse(
      'options.limit',
      limit,
      `must be an integer from 1 to ${tuning.maxStatements}`,
      `Give an integer in this range, or leave it out for ${shippedLimit}.`,
      invalid,
    )
  const query = parseRecallQuery(
    Object.fromEntries(Object.entries(rest).filter((entry) => entry[1] !== undefined)),
    'options',
  )
  return { subject: text, words: subjectWords(text), limit, query: { ...query, times: 'off' } }
}

const shippedLimit = 100

/** "What do you know about Anna?" names Anna. A text without a name of its own is looked for as it is; "me" names who asks. */
export function subjectWords(text: string): string {
  const words = wordsOf(text)
  const { self } = saidWording()
  const named = words.filter((word) => !commonWords.has(word) && !asking.has(word) && !self.has(word))
  if (named.length > 0 && !(named.length === 1 && named[0] === 'user')) return named.join(' ')
  return words.some((word) => self.has(word) || word === 'user' || word === 'myself') ? '' : words.join(' ')
}

/** Words that ask what is known. */
const asking: ReadonlySet<string> = /* @__PURE__ */ new Set(
  (
    'know knows known tell say said remember remembered recall anything everything something all facts information info learned stored ' +
    'was weißt weisst weiß weiss du uber alles que sais tu sur sabes sobre cosa sai su wat weet je over o sabe'
  ).split(' '),
)
