/**
 * Arranges the pulled records of a context [H6]: what the person said before an assistant's echo of it, no question and no small talk in the
 * place of a fact, and what has a place of its own right after the best record. Records other than turns of a chat keep their order.
 */
import type { StoredRecord } from '../model/record.ts'
import type { Hit } from '../model/result.ts'
import { speakerOf, utteranceOf } from '../said/read-turn.ts'
import { sharedTopics, topicsOf } from '../said/topics.ts'
import type { Places } from './standing-places.ts'

export interface Arranged {
  /** In the order of the context; without a hit: not pulled, but with a place of its own. */
  readonly entries: readonly { readonly record: StoredRecord; readonly hit: Hit | null }[]
  readonly left: readonly { readonly id: string; readonly reason: string }[]
}

/** `roles`: of turns that may be facts; undefined: all. `asked`: the text of the request. */
export function arrange(
  hits: readonly Hit[],
  places: Places,
  { roles, asked }: { readonly roles: readonly string[] | undefined; readonly asked: string },
): Arranged {
  const left: { id: string; reason: string }[] = []
  const facts: Hit[] = []
  for (const hit of hits) {
    const reason = noFact(hit.record, roles)
    if (reason === null) facts.push(hit)
    else left.push({ id: hit.id, reason })
  }
  const topics = topicsOf(asked)
  const echoes = new Set(facts.filter((hit) => isEcho(hit, facts, topics)))
  const ordered = [...facts.filter((hit) => !echoes.has(hit)), ...echoes]
  const entries: { record: StoredRecord; hit: Hit | null }[] = []
  const known = new Set<string>()
  const add = (record: StoredRecord, hit: Hit | null) => {
    if (known.has(record.id)) return
    known.add(record.id)
    entries.push({ record, hit })
  }
  const byId = new Map(facts.map((hit) => [hit.id, hit]))
  const place = (records: readonly StoredRecord[]) => {
    for (const record of records) add(record, byId.get(record.id) ?? null)
  }
  for (const [i, hit] of ordered.entries()) {
    if (i === 1) place([...places.later, ...places.rules])
    if (i === firstRecords) place(places.profile)
    add(hit.record, hit)
  }
  place([...places.later, ...places.rules, ...places.profile])
  return { entries, left }
}

/** Pulled records that get tokens before the profile does. */
const firstRecords = 3

/** Why a record cannot be a fact of a context; null if it can. */
export function noFact(record: StoredRecord, roles: readonly string[] | undefined): string | null {
  const speaker = speakerOf(record)
  if (speaker === null) return null
  if (roles !== undefined && !roles.includes(speaker.role)) return `said by ${speaker.role}`
  if (speaker.role !== 'user' && speaker.role !== 'assistant') return null
  const utterance = utteranceOf(record.body ?? '')
  return utterance === 'statement' ? null : `${utterance}, no statement`
}

/** Whether an assistant's turn repeats, or only reacts to, what a person said before it in the same session; or is about something else. */
function isEcho({ record }: Hit, facts: readonly Hit[], asked: ReadonlySet<string>): boolean {
  if (speakerOf(record)?.role !== 'assistant') return false
  const said = topicsOf(record.body ?? '')
  if (sharedTopics(said, asked) === 0) return true
  return facts.some(({ record: other }) => {
    if (record.session === null || other.session !== record.session || speakerOf(other)?.role === 'assistant')
      return false
    const before = (record.position ?? 0) - (other.position ?? 0)
    if (before <= 0) return false
    const shared = sharedTopics(topicsOf(other.body ?? ''), said)
    return shared >= sharedWords || (shared > 0 && (record.body ?? '').length <= shortReaction)
  })
}

/** Topics that an echo shares with what it repeats, and characters up to which one is enough. */
const sharedWords = 2
const shortReaction = 120

/**
 * The order in which entries are written: of what people said about the matter that is asked for, the newest first; all else keeps its place.
 * `related`: ids of further turns about it. Returns indexes.
 */
export function writtenOrder(
  records: readonly StoredRecord[],
  asked: string,
  related: ReadonlySet<string>,
): readonly number[] {
  const topics = topicsOf(asked)
  const places = [...records.keys()].filter((i) => {
    const { role } = speakerOf(records[i]!) ?? {}
    if (role === undefined || role === 'assistant') return false
    return related.has(records[i]!.id) || sharedTopics(topicsOf(records[i]!.body ?? ''), topics) > 0
  })
  const newest = places.toSorted((a, b) => timeOf(records[b]!) - timeOf(records[a]!) || a - b)
  const order = [...records.keys()]
  for (const [n, place] of places.entries()) order[place] = newest[n]!
  return order
}

function timeOf({ occurredAt, createdAt }: StoredRecord): number {
  return occurredAt ?? createdAt
}
