/** Describes records for a language model as plain JSON. */
import type { StoredRecord } from '../core/model/record.ts'
import type { About, Contribution, Hit, Statement } from '../core/model/result.ts'
import { codePoints, passageText, placeOf } from '../core/present/passage-place.ts'

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

/** Of a text that is too long, the passage that answers is shown, as far as it is in the body. */
export function describeHit(hit: Hit, maxCharacters: number): JsonObject {
  const { id, score, record, matched, contributions } = hit
  const whole = textOf(record)
  const truncated = whole.length > maxCharacters
  const { body } = record
  const passage = truncated && body !== null ? hit.passage : null
  const text = passage === null ? whole : passageText(body!, passage)
  return {
    id,
    title: record.title,
    text: text.length > maxCharacters ? `${cutAt(text, maxCharacters)}…` : text,
    ...(passage === null
      ? {}
      : { place: placeOf(passage.from, passage.to, codePoints(body!, 0, body!.length), passage.heading) }),
    truncated,
    kind: record.kind,
    tags: [...record.tags],
    createdAt: timeOf(record.createdAt),
    score: rounded(score),
    matched: [...matched],
    why: contributions.filter(({ amount }) => amount !== 0).map(({ reason }) => reason),
  }
}

/** Long texts are cut. */
export function describeAbout(
  { current, earlier, upcoming, evidence, truncated }: About,
  maxCharacters: number,
): JsonObject {
  const described = ({ id, record, at, speaker, replacedBy, reasons }: Statement): JsonObject => {
    const text = record.title === null || speaker !== null ? textOf(record) : `${record.title}\n${textOf(record)}`
    return {
      id,
      text: text.length > maxCharacters ? `${cutAt(text, maxCharacters)}…` : text,
      at: timeOf(at),
      ...(speaker === null ? {} : { speaker }),
      ...(replacedBy === null ? {} : { replacedBy }),
      ...(reasons.length === 0 ? {} : { why: [...reasons] }),
    }
  }
  return {
    evidence: evidence.strength,
    current: current.map(described),
    earlier: earlier.map(described),
    ...(upcoming.length === 0 ? {} : { upcoming: upcoming.map(described) }),
    truncated,
  }
}

function textOf({ summary, body, instruction, command }: StoredRecord): string {
  return [summary, instruction, command, body].filter((part) => part !== null && part !== '').join('\n')
}

/** Cuts a text, but not between the halves of a surrogate pair. */
function cutAt(text: string, length: number): string {
  const last = text.charCodeAt(length - 1)
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length)
}

export function describeContribution({ signal, amount, reason }: Contribution): JsonObject {
  return { signal, amount: rounded(amount), reason }
}

/** Returns an ISO text, or the number of ms if the time is outside of the range of ISO texts. */
function timeOf(ms: number): Json {
  const date = new Date(ms)
  return Number.isFinite(date.getTime()) ? date.toISOString() : ms
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
