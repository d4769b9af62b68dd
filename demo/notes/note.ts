/**
 * What a note is as a record, and back. Its text is the only truth: tags are the #words in it, links the [[titles]] in it,
 * so nothing about a note has to be filled in beside it.
 */
import type { Cycle, RecordInput, StoredRecord } from 'scrubjay'
import { titleOf } from '../shared/title-of.ts'

/** What a person writes. */
export interface NoteText {
  readonly title: string
  readonly body: string
  readonly rhythm: Rhythm
}

/** How often a note comes back unasked. */
export type Rhythm = keyof typeof rhythmDays

export const rhythmDays = { never: 0, week: 7, month: 30, quarter: 91 } as const

/** What lists and links need to know of a note; its text stays in the store. */
export interface NoteLine {
  readonly id: string
  /** Never empty: an untitled note is called by its first line. */
  readonly title: string
  readonly excerpt: string
  readonly tags: readonly string[]
  /** Titles in [[ ]], as written, each once. */
  readonly links: readonly string[]
  readonly rhythm: Rhythm
  readonly updatedAt: number
}

const excerptLength = 180

export function lineOf(record: StoredRecord): NoteLine {
  const body = record.body ?? ''
  return {
    id: record.id,
    title: titleOf(record),
    excerpt: excerptOf(body),
    tags: record.tags,
    links: linksIn(body),
    rhythm: rhythmOf(record),
    updatedAt: record.updatedAt,
  }
}

/** With line ends as a text field has them. */
export function textOf(record: StoredRecord): NoteText {
  const body = (record.body ?? '').replaceAll(/\r\n?/g, '\n')
  return { title: record.title ?? '', body, rhythm: rhythmOf(record) }
}

export function isBlank({ title, body }: NoteText): boolean {
  return title.trim() === '' && body.trim() === ''
}

/** `idByTitle` knows which of the links lead somewhere. */
export function recordOf(
  { title, body }: NoteText,
  idByTitle: (title: string) => string | undefined,
): Pick<RecordInput, 'title' | 'body' | 'tags' | 'relations'> {
  const targets = linksIn(body).flatMap((link) => idByTitle(link) ?? [])
  return {
    title: title.trim() === '' ? null : title.trim(),
    body: body.trim() === '' ? null : body,
    tags: tagsIn(`${title}\n${body}`),
    relations: [...new Set(targets)].slice(0, mostRows).map((target) => ({ kind: linkKind, target })),
  }
}

/** A wave that peaks once a period, and a pressure that grows until somebody answers: a missed time is not missed for good. */
export function comingBack(rhythm: Rhythm, nowMs: number): Pick<RecordInput, 'cycles' | 'pressureRate'> {
  const days = rhythmDays[rhythm]
  if (days === 0) return { cycles: [], pressureRate: 0 }
  const cycle: Cycle = { periodSeconds: days * secondsPerDay, amplitude: 0.75, phaseSeconds: Math.round(nowMs / 1000) }
  return { cycles: [cycle], pressureRate: 0.25 / days }
}

/** Titles meet whatever their case and spaces. */
export function titleKey(title: string): string {
  return title.trim().replaceAll(/\s+/g, ' ').toLowerCase()
}

/** Lower case, each once, in their order; a # inside a word, an address, a link's target or code is none. */
export function tagsIn(text: string): readonly string[] {
  const found = withoutCode(text).matchAll(tagPattern)
  return [...new Set([...found].map(([, tag = '']) => tag.toLowerCase()))]
    .filter((tag) => tag.length <= mostTagLength)
    .slice(0, mostRows)
}

/** Behind `](`, `]: ` and `href="` stands a place in the page, as in `[text](#place)`. */
const tagPattern = /(?<![\p{L}\p{N}_&/#]|\]\(<?|\]: *|=["']?)#([\p{L}\p{N}_-]*\p{L}[\p{L}\p{N}_-]*)/gu

export const linkPattern = /\[\[([^[\]\n]{1,200})\]\]/

function linksIn(text: string): readonly string[] {
  const found = withoutCode(text).matchAll(new RegExp(linkPattern, 'g'))
  return [...new Set([...found].map(([, title = '']) => title.trim()))].filter((title) => title !== '')
}

/** The beginning, without the marks of Markdown, cut between words. */
function excerptOf(body: string): string {
  const plain = body
    .slice(0, 4 * excerptLength)
    .replaceAll(/^\s*(?:#{1,6}\s+|[-*+]\s+|>\s*|```.*$)/gm, '')
    .replaceAll(/\*\*|__|`|\[\[|\]\]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return plain.length <= excerptLength ? plain : `${plain.slice(0, excerptLength).replace(/\s+\S*$/, '')} …`
}

function rhythmOf({ cycles }: StoredRecord): Rhythm {
  const days = (cycles[0]?.periodSeconds ?? 0) / secondsPerDay
  if (days === 0) return 'never'
  return days <= rhythmDays.week ? 'week' : days <= rhythmDays.month ? 'month' : 'quarter'
}

function withoutCode(text: string): string {
  return text.replaceAll(/^(```|~~~)[\s\S]*?^\1[^\n]*$/gm, '').replaceAll(/`[^`\n]*`/g, '')
}

const linkKind = 'links_to'
const secondsPerDay = 86_400
// What a record may have of them.
const mostRows = 256
const mostTagLength = 256
