/**
 * Chooses what has a place of its own in a context [H6]: of what the person stated to hold on, instructions and constraints if the request
 * asks for something to be done, and a small profile if it is about the person. Only turns of a chat, and records of these kinds.
 */
import type { StandingKind } from '../model/query.ts'
import type { StoredRecord } from '../model/record.ts'
import { changeBetween } from '../changes/change-between.ts'
import { clausesOfRecord } from '../changes/clauses-of-record.ts'
import { wording } from '../changes/change-wording.ts'
import { domainsOf, type ReadRequest } from '../said/read-request.ts'
import { speakerOf, utteranceOf, wordsOf } from '../said/read-turn.ts'
import { sharedTopics, topicsOf } from '../said/topics.ts'
import { saidWording } from '../said/wording.ts'

export interface Standing {
  readonly kind: StandingKind
  readonly record: StoredRecord
}

export interface Places {
  /** What was said later about the matter of the best record: gets tokens right after it. */
  readonly later: readonly StoredRecord[]
  /** What holds for what is to be done: gets tokens right after the best record. */
  readonly rules: readonly StoredRecord[]
  /** What the person is: gets tokens after the first records. */
  readonly profile: readonly StoredRecord[]
}

export const placesOfStanding = {
  /** Most instructions, most constraints, and most statements of the profile. */
  rules: 3,
  profile: 8,
  /** Most later turns about the matter of the best record. */
  later: 3,
  /** Tokens of the profile. */
  profileTokens: 100,
  /** Share of the budget that the profile may take. */
  profileShare: 0.4,
  /** Cosine from which on the best record may be meant, whatever the evidence of a small store. Questions about the world reached .31. */
  nearCosine: 0.36,
  /** Most statements that are read for one request; the newest. */
  read: 256,
} as const

const noPlaces = { rules: [], profile: [] }

/** Whether a request has such places at all. */
export function hasPlaces({ isSmallTalk, asksForDeed, isPersonal }: ReadRequest): boolean {
  return !isSmallTalk && (asksForDeed || isPersonal)
}

/** `standing`: newest first. `pulled`: the records that were found. */
export function placesFor(
  request: ReadRequest,
  text: string,
  standing: readonly Standing[],
  pulled: readonly StoredRecord[],
): Omit<Places, 'later'> {
  if (!hasPlaces(request) || standing.length === 0) return noPlaces
  const own = standing.filter(({ record, kind }) => isOwn(record, kind))
  const asked = topicsOf(text)
  const shares = ({ record }: Standing) => sharedTopics(topicsOf(textOf(record)), asked)
  const first = (kind: StandingKind, weight: (one: Standing) => number, least: number) =>
    own
      .filter((one) => one.kind === kind)
      .map((one, i) => ({ record: one.record, i, weight: weight(one) }))
      .filter((one) => one.weight >= least)
      .sort((a, b) => b.weight - a.weight || a.i - b.i)
      .slice(0, compared)
      .map(({ record }) => record)
  const matters = (one: Standing) => {
    const named = domainsOf(wordsOf(textOf(one.record)))
    return [...named].some((domain) => request.domains.has(domain)) ? 2 : 0
  }
  const instructions = request.asksForDeed ? first('instruction', (one) => 2 * shares(one) + strengthOf(one), 1) : []
  const constraints =
    request.asksForDeed || request.isPersonal
      ? first(
          'preference',
          (one) => matters(one) + shares(one),
          request.isPersonal && request.domains.size === 0 ? 0 : 1,
        )
      : []
  const described = request.isPersonal ? first('profile', weightOfProfile, 0) : []
  const others = [...instructions, ...constraints, ...described, ...pulled.slice(0, compared)]
  // Of several statements in one turn, one may be replaced while the others hold.
  const isCurrent = (record: StoredRecord) =>
    clausesOfRecord(record).length > 1 ||
    !others.some((other) => other !== record && changeBetween(record, other)?.earlier === record.id)
  const rules = [instructions, request.asksForDeed ? constraints : []].flatMap((list) =>
    list.filter(isCurrent).slice(0, placesOfStanding.rules),
  )
  const profile = [...(request.isPersonal ? constraints : []), ...described].filter(
    (record) => !rules.includes(record) && isCurrent(record),
  )
  return { rules, profile: profile.slice(0, placesOfStanding.profile) }
}

/** Statements of each kind, and pulled records, that are compared with each other. */
const compared = 12

/** The turn whose later ones are looked for: the best, if a person said it. */
export function followed(hits: readonly StoredRecord[]): StoredRecord | null {
  const best = hits.find((record) => {
    const speaker = speakerOf(record)
    return speaker === null || (speaker.role !== 'assistant' && utteranceOf(record.body ?? '') === 'statement')
  })
  return best === undefined || speakerOf(best) === null ? null : best
}

/** Of turns that came later, those about the same matter: they share a name with it, two topics, or one and tell a change. */
export function laterOn(best: StoredRecord, found: readonly StoredRecord[]): readonly StoredRecord[] {
  const { now, turn, end } = wording()
  const topics = topicsOf(best.body ?? '')
  const names = new Set((best.body ?? '').match(/(?<=[^.!?\s]\s{1,3})\p{Lu}[\p{L}\p{N}]+/gu) ?? [])
  return found
    .filter((record) => {
      const { role } = speakerOf(record) ?? {}
      if (role === undefined || role === 'assistant' || utteranceOf(record.body ?? '') !== 'statement') return false
      const shared = sharedTopics(topicsOf(record.body ?? ''), topics)
      const tells =
        shared > 0 && wordsOf(record.body ?? '').some((word) => now.has(word) || turn.has(word) || end.has(word))
      return shared > 1 || tells || (record.body ?? '').split(/[^\p{L}\p{N}]+/u).some((word) => names.has(word))
    })
    .slice(0, placesOfStanding.later)
}

/** Whether the person said it of themselves, or the app says that it is one. */
function isOwn(record: StoredRecord, kind: StandingKind): boolean {
  if (record.kind === kind) return true
  const speaker = speakerOf(record)
  return speaker !== null && speaker.role === 'user' && utteranceOf(textOf(record)) === 'statement'
}

/** 2 for what is said to the assistant, 1 for what may be a habit. */
function strengthOf({ record }: Standing): number {
  if (record.kind === 'instruction') return 3
  const text = textOf(record)
  const [beginning] = wordsOf(text.slice(0, 40))
  return /\bplease\b|\bbitte\b|s[’']il te pla|por favor|per favore|alsjeblieft/i.test(text) ||
    !saidWording().self.has(beginning ?? '')
    ? 2
    : 1
}

/** What names somebody, their home and work before the rest. */
function weightOfProfile({ record }: Standing): number {
  return Number(
    /\b(?:my name|i am|i['’]m|i live|i work|i moved|ich bin|ich wohne|ich arbeite|je suis|j[’']habite|je travaille|soy|vivo|trabajo)\b/i.test(
      textOf(record),
    ),
  )
}

function textOf({ summary, body, instruction }: StoredRecord): string {
  return [summary, body, instruction].filter((part) => part !== null).join('\n')
}
