/**
 * Finds a person whom a question names and the best records are not about: what Melanie said of her painting does not say what Caroline painted.
 * Reads who speaks, as records of turns and chats name it, and whom a text without a speaker names at its beginning.
 */
import type { Facts } from '../model/facts.ts'
import type { QueryPlan } from '../model/query-plan.ts'
import { proseOf, type StoredRecord } from '../model/record.ts'
import type { Evidence } from '../model/result.ts'
import { wordsOf } from '../said/read-turn.ts'
import { saidWording } from '../said/wording.ts'
import { foldWord, tokenise } from '../text/tokenise/tokenise.ts'

/** At most weak if the best record is of another person, with the reason. */
export function ofRightPerson(evidence: Evidence, question: string, best: StoredRecord | undefined): Evidence {
  if (evidence.strength !== 'strong' || best === undefined) return evidence
  const persons = personsNamedIn(question)
  if (!isOfAnotherPerson(best, persons) && !beginsWithAnother(best, subjectsOf(question))) return evidence
  return { ...evidence, strength: 'weak', reason: reasonOf(persons) }
}

/**
 * None if others say clearly more words of the question of themselves than what is said by or about the person whom it names. `rows`: the first
 * ones of the answer. Counts words, not their rarity, which copies of a record would change [G7].
 */
export function ofNamedSpeaker(
  evidence: Evidence,
  { terms }: QueryPlan,
  { candidates, lexical, records, duplicates }: Facts,
  rows: readonly number[],
): Evidence {
  const copies = new Set(duplicates.get(rows[0]!))
  const said = rows
    .filter((row) => records.has(row) && (row === rows[0] || !copies.has(row)))
    .map((row) => ({ row, record: records.get(row)!, speaker: speakerOf(records.get(row)!) }))
  const namedIn = (speaker: string | null) =>
    wordsOf(speaker ?? '').filter((word) => terms.some((term) => term.word === word))
  const [person = null, another] = new Set(said.map(({ speaker }) => speaker).filter((speaker) => namedIn(speaker)[0]))
  if (person === null || another !== undefined) return evidence
  const names = namedIn(person)
  const { self } = saidWording()
  let [own, others] = [0, 0]
  for (const { row, record, speaker } of said.slice(0, firstSaid)) {
    const text = proseOf(record).slice(0, longestRead)
    const words = wordsOf(text)
    const ofSelf = words.some((word) => self.has(word))
    const toOther = words.some((word) => listener.has(word))
    const held = candidates.matched[row]! - names.filter((name) => words.includes(name)).length
    if (speaker === person ? ofSelf || !toOther : isAbout(names[0]!, text)) own = Math.max(own, held)
    else if (ofSelf && !toOther && speaker !== null) others = Math.max(others, held)
  }
  const all = (lexical?.idfs?.length ?? 0) - names.length
  if (others <= own || leastShare * (others - own) < all) return evidence
  return { ...evidence, strength: 'none', reason: reasonOf([person]) }
}

const reasonOf = (persons: readonly string[]) => `no record that answers is by or about ${persons.join(' or ')}`

/** Hits that are read: the farther ones hold words of the question by chance. */
const firstSaid = 5
/** Others say clearly more if it is at least one in so many words of the question, without the name. */
const leastShare = 4

/** Names of the question: its subject, else all that are written with a capital inside it. */
function personsNamedIn(question: string): readonly string[] {
  const subjects = subjectsOf(question)
  if (subjects.length > 0) return subjects
  return Array.from(question.matchAll(inside), ([, name]) => name!)
}

function subjectsOf(question: string): readonly string[] {
  return Array.from(question.matchAll(subject), ([, asked, owner]) => (asked ?? owner)!)
}

/** "did Caroline …", "Caroline's …". */
const subject =
  /\b(?:[Dd]id|[Dd]oes|[Dd]o|[Ii]s|[Ww]as|[Aa]re|[Ww]ere|[Hh]as|[Hh]ad|[Hh]ave|[Cc]an|[Cc]ould|[Ww]ill|[Ww]ould|[Ss]hould)\s+(\p{Lu}\p{Ll}+)|(\p{Lu}\p{Ll}+)['’]s\b/gu
const inside = /(?<=\p{L}[,]?\s)(\p{Lu}\p{Ll}+)/gu

/** Whether somebody else says it, and not of one of these persons. */
function isOfAnotherPerson(record: StoredRecord, persons: readonly string[]): boolean {
  const speaker = wordsOf(speakerOf(record) ?? '')
  if (persons.length === 0 || speaker.length === 0) return false
  const names = persons.map(foldWord)
  return !names.some((name) => speaker.includes(name) || isAbout(name, proseOf(record)))
}

/** "Did Melanie break her ankle?", "Omar broke his ankle": somebody else is named first, and none of these at all. */
function beginsWithAnother(record: StoredRecord, subjects: readonly string[]): boolean {
  if (subjects.length === 0 || speakerOf(record) !== null) return false
  const text = proseOf(record).slice(0, longestRead)
  const [, name] = firstNamed.exec(record.body ?? '') ?? []
  if (name === undefined || saidWording().self.has(foldWord(name))) return false
  const words = wordsOf(`${text} ${record.tags.join(' ')}`)
  return !subjects.some((subject) => words.some((word) => word.startsWith(foldWord(subject))))
}

/** A name, or "my aunt" and a name, and what may be an action behind it. */
const firstNamed =
  /^(?:(?:My|Our|His|Her|Their)\s\p{Ll}+\s)?(?!(?:The|This|That|These|Those|There|It|He|She|They|We|You|In|On|At|For|If|When|While|After|Before|No|Not|A|An|My|Our|His|Her|Their|Its|All|Some|Every|Each)\s)(\p{Lu}\p{Ll}+)(?:\s\p{Lu}\p{Ll}+)?\s(?:is|was|has|had|does|did|will|can|\p{Ll}{2,}(?:s|ed)|\p{Ll}{3,})\s/u

/** Whether a text names somebody, and not only to address them: "Thanks, Caroline!" is not about her. */
function isAbout(name: string, text: string): boolean {
  return tokenise(text).some(
    ({ word, from, to }) => word === name && !/[,!?]/.test(text[to] ?? '') && !text.slice(0, from).endsWith(', '),
  )
}

function speakerOf({ kind, title, body, metadata: { role, speaker, author } }: StoredRecord): string | null {
  const isTurn = kind === 'turn' && (title !== null || typeof role === 'string')
  const name = speaker ?? author ?? (isTurn ? title : label.exec(body ?? '')?.[1])
  return typeof name !== 'string' || roles.has(foldWord(name)) ? null : name
}

const label = /^\s*(\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)?):\s/u
const roles: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'user assistant system human note notes todo question answer'.split(' '),
)
/** The one who is spoken to. */
const listener: ReadonlySet<string> = /* @__PURE__ */ new Set('you your du dich dir dein tu te vous votre'.split(' '))

/** A text says at its beginning of whom it is. */
const longestRead = 4_096
