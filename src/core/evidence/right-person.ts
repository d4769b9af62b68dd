/**
 * Finds a person whom a question names and a record is not about: what Melanie said of her painting does not say what Caroline painted. Reads
 * who speaks, as records of turns and chats name it; decides nothing of records without a speaker.
 */
import type { StoredRecord } from '../model/record.ts'
import type { Evidence } from '../model/result.ts'
import { foldWord, tokenise } from '../text/tokenise/tokenise.ts'

/** At most weak if the best record is of another person, with the reason. */
export function ofRightPerson(evidence: Evidence, question: string, best: StoredRecord | undefined): Evidence {
  if (evidence.strength !== 'strong' || best === undefined) return evidence
  const persons = personsNamedIn(question)
  if (!isOfAnotherPerson(best, persons)) return evidence
  return { ...evidence, strength: 'weak', reason: `no record that answers is by or about ${persons.join(' or ')}` }
}

/** Names of the question: its subject, else all that are written with a capital inside it. */
function personsNamedIn(question: string): readonly string[] {
  const subjects = Array.from(question.matchAll(subject), ([, asked, owner]) => (asked ?? owner)!)
  if (subjects.length > 0) return subjects
  return Array.from(question.matchAll(inside), ([, name]) => name!)
}

/** "did Caroline …", "Caroline's …". */
const subject =
  /\b(?:did|does|do|is|was|are|were|has|had|have|can|could|will|would|should)\s+(\p{Lu}\p{Ll}+)|(\p{Lu}\p{Ll}+)['’]s\b/gu
const inside = /(?<=\p{L}[,]?\s)(\p{Lu}\p{Ll}+)/gu

/** Whether somebody else says it, and it names none of these persons. */
function isOfAnotherPerson(record: StoredRecord, persons: readonly string[]): boolean {
  const speaker = speakerOf(record)
  if (persons.length === 0 || speaker === null) return false
  const { title, summary, body } = record
  const words = new Set(tokenise([title, summary, body].join('\n')).map(({ word }) => word))
  return !persons.some((name) => words.has(foldWord(name)))
}

function speakerOf({ kind, title, body, metadata }: StoredRecord): string | null {
  if (kind === 'turn' && typeof metadata.role === 'string' && title === null) return null
  const name = kind === 'turn' && title !== null ? title : (label.exec(body ?? '')?.[1] ?? null)
  return name === null || roles.has(foldWord(name)) ? null : name
}

const label = /^\s*(\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)?):\s/u
const roles: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'user',
  'assistant',
  'system',
  'human',
  'note',
  'notes',
  'todo',
  'question',
  'answer',
])
