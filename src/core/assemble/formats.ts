/**
 * Formats records into a context. Each format escapes what could break its structure [A1]; other text is unchanged.
 * Each record is formatted once; wrapping is a join.
 */
import { clausesOfRecord } from '../changes/clauses-of-record.ts'
import type { ContextFormat } from '../model/assemble.ts'
import { contentFields, proseOf, type StoredRecord } from '../model/record.ts'
import { escapeItem, escapeJson, escapeLine, escapeText } from '../present/escape.ts'
import { speakerOf } from '../said/read-turn.ts'
import { formatRecallBlocks } from '../present/recall-blocks.ts'
import { isoTime } from '../time/iso-time.ts'

/** A selected record, with more values for the `recall` format. */
export interface Entry {
  readonly record: StoredRecord
  readonly score: number
  readonly freshness: string
  readonly matched: readonly string[]
  /** When it was replaced by a later record of the answer, ms, in part if it states several things; absent if it was not. */
  readonly replacedAt?: number | undefined
  /** Which part of its body the record has; null for all of it. */
  readonly place?: string | null | undefined
}

export interface Formatter {
  /** Formats one record, independent of the others. */
  segment(entry: Entry): string
  /** The whole text, wrappers included. */
  wrap(segments: readonly string[]): string
}

/** `now`: ms, for ages. */
export function formatterOf(format: ContextFormat, now: number): Formatter {
  return format === 'recall' ? recallBlocks(now) : formatters[format]
}

/** A line for each record: its day, who said it, its text. Further lines of a text begin with `  | `. */
const compact: Formatter = {
  segment({ record, replacedAt, place }) {
    const spoken = speakerLabel(record)
    const texts = contentFields.flatMap((field) => (spoken !== null && field === 'title' ? [] : (record[field] ?? [])))
    const head = `${dayOf(record.occurredAt ?? record.createdAt)}${spoken === null ? '' : ` ${spoken}`}:`
    return `- ${head} ${escapeItem(`${texts.join('\n')}${placeNote(place)}`)}${replacedNote(record, replacedAt)}`
  },
  wrap: (segments) => segments.join('\n'),
}

/** Who said a turn; null if the record is none. A colon would end the label. */
function speakerLabel(record: StoredRecord): string | null {
  const speaker = speakerOf(record)
  if (speaker === null) return null
  const { role, name } = speaker
  return escapeLine(name === null || name === role ? role : `${name} (${role})`).replaceAll(':', '&#x3A;')
}

const structured: Formatter = {
  segment: (entry) => escapeJson(JSON.stringify(Object.fromEntries(fieldsOf(entry)), null, 2)).replace(/^/gm, '  '),
  wrap: (segments) => (segments.length === 0 ? '[]' : `[\n${segments.join(',\n')}\n]`),
}

const xml: Formatter = {
  segment(entry) {
    const lines = fieldsOf(entry).map(([name, value]) => {
      const text = typeof value === 'object' ? value.map(listed).join(', ') : escapeText(String(value))
      return `    <${name}>${text}</${name}>`
    })
    return ['  <record>', ...lines, '  </record>'].join('\n')
  },
  wrap: (segments) => ['<records>', ...segments, '</records>'].join('\n'),
}

const natural: Formatter = {
  segment: (entry) =>
    fieldsOf(entry)
      .map(([name, value]) => {
        const text = typeof value === 'object' ? value.map(listed).join(', ') : escapeLine(String(value))
        return `${name}: ${text.replace(comma, referenceWhereForged)}`
      })
      .join(', '),
  wrap: (segments) => segments.map((segment, i) => `${i + 1}. ${segment}`).join('\n'),
}

const content: Formatter = {
  segment({ record, replacedAt, place }) {
    const text = contentFields.flatMap((field) => record[field] ?? []).join('\n')
    return `- ${escapeItem(`${text}${placeNote(place)}`)}${replacedNote(record, replacedAt)}`
  },
  wrap: (segments) => segments.join('\n'),
}

const formatters: Readonly<Record<Exclude<ContextFormat, 'recall'>, Formatter>> = {
  compact,
  json: structured,
  structured,
  xml,
  natural,
  content,
}

function recallBlocks(now: number): Formatter {
  return {
    segment({ record, score, freshness, matched, replacedAt, place }) {
      const { id, createdAt, instruction, command, exitCode, files } = record
      const text = `${proseOf(record)}${placeNote(place)}${replacedNote(record, replacedAt)}`
      const block = { id, createdAt, instruction, command, exitCode, matched, text, status: freshness }
      // Three digits distinguish scores; more would cost tokens.
      const rounded = Math.round(score * 1000) / 1000
      return formatRecallBlocks([{ ...block, score: rounded, files: files.map(({ path }) => path) }], { now })
    },
    wrap: (segments) => (segments.length === 0 ? formatRecallBlocks([], { now }) : segments.join('\n\n')),
  }
}

/** The fields that are written, in their order. Absent ones are left out. */
export const writtenFields = [
  'id',
  'kind',
  'speaker',
  'title',
  'summary',
  'body',
  'place',
  'instruction',
  'command',
  'exitCode',
  'files',
  'tags',
  'source',
  'authority',
  'createdAt',
  'replacedAt',
] as const

type Written = readonly [name: (typeof writtenFields)[number], value: string | number | readonly string[]]

function fieldsOf(entry: Entry): readonly Written[] {
  return writtenFields.flatMap((name): readonly Written[] => {
    const value = valueOf(entry, name)
    return value === null || (typeof value === 'object' && value.length === 0) ? [] : [[name, value]]
  })
}

function valueOf({ record, replacedAt, place = null }: Entry, name: Written[0]): Written[1] | null {
  if (name === 'speaker') {
    const { role } = record.metadata
    return typeof role === 'string' && role !== '' ? role : null
  }
  if (name === 'createdAt') return isoTime(record.createdAt)
  if (name === 'place') return place
  if (name === 'replacedAt') return replacedAt === undefined ? null : isoTime(replacedAt)
  if (name === 'files') return record.files.map(({ path }) => path)
  return record[name]
}

function placeNote(place: Entry['place']): string {
  return place === undefined || place === null ? '' : ` (${place})`
}

/** Marks a statement that a later one replaced, where a format has no field for it. */
function replacedNote(record: StoredRecord, at: number | undefined): string {
  if (at === undefined) return ''
  return ` (${clausesOfRecord(record).length > 1 ? 'in part ' : ''}replaced on ${dayOf(at)})`
}

function dayOf(ms: number): string {
  return isoTime(ms).slice(0, 10)
}

/** One of several values on a line: a comma would split it. */
function listed(text: string): string {
  return escapeLine(text).replaceAll(',', '&#x2C;')
}

/** Every character that looks like a comma: ASCII, full width, small, vertical, ideographic, half width, Arabic. */
const comma = /[,\uff0c\ufe50\ufe10\u3001\uff64\u060c]/g

/** What looks like a field, in any case and width. */
const fieldAhead = new RegExp(`^\\s*(?:${writtenFields.join('|')})\\s*:`, 'i')
const longestField = 64

/** A comma as a reference, if the text after it looks like the next field. */
function referenceWhereForged(found: string, at: number, text: string): string {
  let from = at + 1
  while (from < text.length && /\s/.test(text[from]!)) from++
  const isForged = fieldAhead.test(text.slice(from, from + longestField).normalize('NFKC'))
  return isForged ? `&#x${found.codePointAt(0)!.toString(16).toUpperCase()};` : found
}
