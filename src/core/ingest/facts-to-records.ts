/**
 * Turns the facts that an extractor read in chat turns into records, and says why others are left out: an extractor is a language model, whose
 * answer may have any shape. Pure. A fact names its turns, is never more certain than they are, and is forgotten when all of them are [H5].
 */
import type { FactSkip } from '../model/receipts.ts'
import type { RecordInput } from '../model/record.ts'
import { canonicalJson } from '../text/hash/canonical.ts'
import { sha256Hex } from '../text/hash/sha256.ts'

/** What an extractor read. */
export interface Fact {
  /** One statement that makes sense by itself, at most 2,000 characters. */
  readonly text: string
  /** Ids of the turns of this call that state it, 1 to 100. */
  readonly from: readonly string[]
  /** ms since the epoch: when it happened. */
  readonly occurredAt?: number | undefined
  /** 0 to 1. */
  readonly confidence?: number | undefined
  readonly tags?: readonly string[] | undefined
}

/** A turn as an extractor gets it. */
export interface ExtractedTurn {
  /** Id of its record. */
  readonly id: string
  readonly role: string
  /** Name of the speaker. */
  readonly name: string | null
  readonly text: string
  /** ms since the epoch. */
  readonly createdAt: number
}

export interface FactRecords {
  readonly records: readonly RecordInput[]
  readonly skipped: readonly FactSkip[]
}

const mostFacts = 200
const mostCharacters = 2_000
const mostTurns = 100
const mostTags = 32
const longestTag = 256

/** `given`: the answer of an extractor. `record`: fields of every fact, as of the turns. */
export function factsToRecords(
  given: unknown,
  turns: readonly ExtractedTurn[],
  { session, record = {} }: { readonly session: string; readonly record?: Partial<RecordInput> | undefined },
): FactRecords {
  if (!Array.isArray(given))
    return { records: [], skipped: [skip(null, 'invalid', 'the extractor must return an array of facts')] }
  const known = new Map(turns.map((turn) => [turn.id, turn]))
  const records = new Map<string, RecordInput>()
  const skipped: FactSkip[] = []
  for (const [at, one] of given.slice(0, mostFacts).entries()) {
    const read = readFact(one, known)
    if ('reason' in read) {
      skipped.push(skip(at, read.reason, read.message))
      continue
    }
    const { text, sources, ...fields } = read
    const from = sources.map(({ id }) => id)
    const id = `${session}/fact/${sha256Hex(canonicalJson([text, [...from].sort()])).slice(0, 16)}`
    if (records.has(id)) {
      skipped.push(skip(at, 'duplicate', 'it repeats another fact'))
      continue
    }
    const createdAt = Math.max(...sources.map((source) => source.createdAt))
    const tags = [...new Set([...(record.tags ?? []), ...fields.tags])]
    records.set(id, {
      ...record,
      kind: 'fact',
      source: 'llm_response',
      authority: 'llm_generated',
      id,
      body: text,
      tags,
      createdAt,
      updatedAt: createdAt,
      ...(fields.occurredAt === undefined ? {} : { occurredAt: fields.occurredAt }),
      ...(fields.confidence === undefined ? {} : { confidence: fields.confidence }),
      relations: [...(record.relations ?? []), ...from.map((target) => ({ kind: 'derived_from', target }))],
      metadata: { ...record.metadata, extracted: true },
    })
  }
  if (given.length > mostFacts)
    skipped.push(skip(null, 'too_many', `only the first ${mostFacts} of ${given.length} facts are stored`))
  return { records: [...records.values()], skipped }
}

interface ReadFact {
  readonly text: string
  readonly sources: readonly ExtractedTurn[]
  readonly tags: readonly string[]
  readonly occurredAt: number | undefined
  readonly confidence: number | undefined
}

/** Reads each member once: a member may be a getter. */
function readFact(one: unknown, known: ReadonlyMap<string, ExtractedTurn>): ReadFact | Omit<FactSkip, 'at'> {
  if (typeof one !== 'object' || one === null) return invalid('a fact must be an object')
  const { text, from, occurredAt, confidence, tags = [] } = one as Readonly<Record<string, unknown>>
  if (typeof text !== 'string' || text.trim() === '') return invalid('its text must be a text')
  if (text.length > mostCharacters)
    return { reason: 'too_long', message: `its text must have at most ${mostCharacters} characters` }
  if (!isTexts(from, mostTurns) || from.length === 0) return invalid(`it must name 1 to ${mostTurns} turns`)
  const sources = [...new Set(from)].flatMap((id) => known.get(id) ?? [])
  if (sources.length < new Set(from).size)
    return { reason: 'unknown_turn', message: 'it must name only turns of this call that are stored' }
  if (occurredAt !== undefined && occurredAt !== null && !Number.isSafeInteger(occurredAt))
    return invalid('its occurredAt must be ms since the epoch')
  if (confidence !== undefined && confidence !== null && !isShare(confidence))
    return invalid('its confidence must be from 0 to 1')
  if (!isTexts(tags, mostTags) || tags.some((tag) => tag === '' || tag.length > longestTag))
    return invalid(`its tags must be at most ${mostTags} texts`)
  return {
    text: text.trim(),
    sources,
    tags,
    occurredAt: (occurredAt as number | null | undefined) ?? undefined,
    confidence: (confidence as number | null | undefined) ?? undefined,
  }
}

function isShare(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1
}

function isTexts(value: unknown, most: number): value is readonly string[] {
  return Array.isArray(value) && value.length <= most && value.every((one) => typeof one === 'string')
}

function invalid(message: string): Omit<FactSkip, 'at'> {
  return { reason: 'invalid', message }
}

function skip(at: number | null, reason: FactSkip['reason'], message: string): FactSkip {
  return { at, reason, message }
}
