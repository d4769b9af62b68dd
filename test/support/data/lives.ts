/** Lives in chats over months, among 300 other turns, and questions about them with the words that decide. */
import { readFileSync } from 'node:fs'
import { messagesToRecords } from '../../../src/core/ingest/messages-to-records.ts'
import type { ContextFormat } from '../../../src/core/model/assemble.ts'
import { staticEmbedder } from '../../../src/embedders/index.ts'
import { ownTables } from '../../../src/embedders/static-embedder.ts'
import { openEngine } from '../stores/open-engine.ts'
import { createRandom } from './random.ts'

export interface Life {
  readonly id: string
  readonly sessions: readonly {
    readonly day: string
    readonly turns: readonly { readonly role: string; readonly content: string }[]
  }[]
  readonly asks: readonly Ask[]
}

export interface Ask {
  readonly question: string
  readonly needs: string
  readonly stale: string | null
}

export interface AskedLife {
  readonly life: string
  readonly ask: Ask
  readonly isRight: boolean
  /** Whether every turn says who spoke, and when. */
  readonly isNamed: boolean
  readonly formatted: string
}

/** The lives of a text of fixtures/lives.txt: `# id`, days, `u` and `a` for the turns, `? question | needs | stale`. */
export function readLives(text: string): readonly Life[] {
  return text
    .split(/^# /m)
    .slice(1)
    .map((part) => {
      const [id = '', ...lines] = part.trimEnd().split('\n')
      const sessions: { day: string; turns: { role: string; content: string }[] }[] = []
      const asks: Ask[] = []
      for (const line of lines) {
        const [, sign = '', rest = ''] = /^([ua?]) (.*)$/.exec(line) ?? []
        if (sign === '') sessions.push({ day: line, turns: [] })
        else if (sign === '?') {
          const [question = '', needs = '', stale = ''] = rest.split(' | ')
          asks.push({ question, needs, stale: stale === '-' ? null : stale })
        } else sessions.at(-1)!.turns.push({ role: sign === 'u' ? 'user' : 'assistant', content: rest })
      }
      return { id, sessions, asks }
    })
}

export function ownLives(): readonly Life[] {
  return readLives(readFileSync(new URL('../../fixtures/lives.txt', import.meta.url), 'utf8'))
}

const table = staticEmbedder()
const maxTokens = 160
const otherTurns = 300
const minute = 60_000

export async function askLives(
  lives: readonly Life[],
  { embedder, format }: { readonly embedder: 'default' | 'none'; readonly format?: ContextFormat },
): Promise<readonly AskedLife[]> {
  const { call } = await openEngine(
    embedder === 'none' ? {} : { space: { name: table.space, dimensions: table.dimensions } },
    embedder === 'none' ? null : ownTables({}),
  )
  const asked: AskedLife[] = []
  for (const { id: life, sessions, asks } of lives) {
    const days = sessions.map(({ day }) => Date.parse(`${day}T09:00:00Z`))
    const [first, last] = [days[0]!, days.at(-1)!]
    const others = chatter(life)
    const chats = [
      ...sessions.map(({ turns }, i) => ({ turns, start: days[i]!, session: `${life}-${i}` })),
      ...others.map((turns, i) => ({
        turns,
        start: Math.floor(first + ((last - first) * i) / others.length) + 5 * 60 * minute,
        session: `${life}-other-${i}`,
      })),
    ]
    const batch = chats.flatMap(({ turns, start, session }) =>
      messagesToRecords(
        turns.map((turn, i) => ({ ...turn, createdAt: start + i * minute })),
        { session, position: 'time', record: { bank: life } },
      ),
    )
    const now = last + 24 * 60 * minute
    await call('put', { batch }, now)
    for (const ask of asks) {
      const query = { text: ask.question, maxTokens, scope: { bank: life }, format }
      const { formatted } = await call('assemble', { query }, now)
      const at = formatted.indexOf(ask.needs)
      const staleAt = ask.stale === null ? -1 : formatted.indexOf(ask.stale)
      const isRight = at >= 0 && (staleAt < 0 || at < staleAt)
      const isNamed = formatted.split('\n').every((line) => turnLine.test(line))
      asked.push({ life, ask, isRight, isNamed, formatted })
    }
  }
  await call('close', {})
  return asked
}

const turnLine = /^(?: {2}\||- \d{4}-\d\d-\d\d (?:user|assistant): )/

/** Sessions of six turns about other matters, made of parts by a seed. */
function chatter(life: string): readonly (readonly { readonly role: string; readonly content: string }[])[] {
  const random = createRandom([...life].reduce((sum, letter) => sum * 31 + letter.codePointAt(0)!, 7) % 1_000_003)
  const { pick } = random
  return Array.from({ length: otherTurns / 6 }, () =>
    Array.from({ length: 3 }).flatMap(() => {
      const [thing, place] = [pick(things), pick(wheres)]
      return [
        { role: 'user', content: pick(told).replace('#', thing).replace('@', place) },
        { role: 'assistant', content: pick(answered).replace('#', thing).replace('@', place) },
      ]
    }),
  )
}

const things =
  'the printer,a poem,the spreadsheet,a crossword,the balcony,the bus line,a podcast,the museum,a lamp,the newspaper,a keyboard,the library card,a puzzle,the calendar,the radio,a photograph,the neighbour’s fence,the parcel,a chess problem,the curtains'.split(
    ',',
  )
const wheres =
  'at the station,in the hall,on the second floor,near the river,in the office,by the window,at the market,in the cellar'.split(
    ',',
  )
const told = [
  'What do you know about #?',
  'I saw # @ this morning.',
  'Somebody left # @, strange.',
  'Can you explain how # works?',
  'The story about # @ made me laugh.',
  'They talked about # for an hour @.',
  'We repaired # @ on Sunday.',
  'Is # older than it looks?',
  'My colleague asked about # again.',
  'I read that # @ will be replaced soon.',
]
const answered = [
  'Interesting, # is a topic with a long history.',
  'I would look for # @ first.',
  'Happy to help with #.',
  'There are several ways to think about # @.',
  'That sounds like a good day.',
  'You could make a list about #.',
]
