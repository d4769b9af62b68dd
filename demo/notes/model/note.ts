/**
 * Converts notes to records and back. The text is the only source: tags are the #words in it, links are the [[titles]] in
 * it, so a note needs no further fields.
 */
import type { Cycle, RecordInput, StoredRecord } from 'scrubjay'
import { titleKey } from '../../shared/title-first.ts'
import { titleOf } from '../../shared/title-of.ts'
import { aliasesIn, fileFactsOf, isPinnedIn, tagsOfHead } from './front-matter.ts'
import { addressesIn } from './links.ts'
import { plainPassage } from '../../shared/record/plain-passage.ts'

/** The name of their store. */
export const noteStore = 'notes'

/** Notes with this tag come first. It is in the text, or comes of `pinned: true` in the front matter. */
export const pinTag = 'pinned'

/** The parts that the user edits. */
export interface NoteText {
  readonly title: string
  readonly body: string
  readonly rhythm: Rhythm
}

/** How often a note comes back by itself. */
export type Rhythm = keyof typeof rhythmDays

export const rhythmDays = { never: 0, week: 7, month: 30, quarter: 91 } as const

/** The parts of a note that lists and links need; the text stays in the store. */
export interface NoteLine {
  readonly id: string
  /** Never empty: an untitled note is named after its first line. */
  readonly title: string
  readonly excerpt: string
  readonly tags: readonly string[]
  /** The title as `titleKey` gives it. */
  readonly key: string
  /** Keys of its other names: its file's, and the aliases of its front matter. */
  readonly otherKeys: readonly string[]
  /** Addresses in [[ ]], as written, each once. */
  readonly links: readonly string[]
  readonly rhythm: Rhythm
  readonly createdAt: number
  readonly updatedAt: number
  /** When it was moved to the trash, in ms; null: it is not there. */
  readonly trashedAt: number | null
}

const excerptLength = 180

export function lineOf(record: StoredRecord): NoteLine {
  const title = titleOf(record)
  return {
    id: record.id,
    title,
    key: titleKey(title),
    excerpt: excerptOf(record, title),
    tags: record.tags,
    otherKeys: namesOf(record).map(titleKey),
    links: linksIn(record.body ?? ''),
    rhythm: rhythmOf(record),
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
    trashedAt: trashedAtOf(record),
  }
}

/** Null: it is not in the trash. */
export function trashedAtOf({ metadata }: Pick<StoredRecord, 'metadata'>): number | null {
  const at = metadata?.['trashedAt']
  return typeof at === 'number' ? at : null
}

/** With the line ends of a text field. */
export function textOf(record: StoredRecord): NoteText {
  const body = (record.body ?? '').replaceAll(/\r\n?/g, '\n')
  return { title: record.title ?? '', body, rhythm: rhythmOf(record) }
}

export function isBlank({ title, body }: NoteText): boolean {
  return title.trim() === '' && body.trim() === ''
}

/**
 * `idByLink` finds the id of a linked note; undefined if it does not exist. `frontMatter` is that of the file of which the note
 * came; its tags count, too.
 */
export function recordOf(
  { title, body }: NoteText,
  idByLink: (address: string) => string | undefined,
  frontMatter = '',
): Pick<RecordInput, 'title' | 'body' | 'summary' | 'tags' | 'relations'> {
  const targets = linksIn(body).flatMap((link) => idByLink(link) ?? [])
  return {
    title: title.trim() === '' ? null : title.trim(),
    body: body.trim() === '' ? null : body,
    // Other names find the note, too.
    summary: aliasesIn(frontMatter).join(', ') || null,
    tags: [
      ...new Set([
        ...(isPinnedIn(frontMatter) ? [pinTag] : []),
        ...tagsIn(`${title}\n${body}`),
        ...tagsOfHead(frontMatter),
      ]),
    ].slice(0, maxRows),
    relations: [...new Set(targets)].slice(0, maxRows).map((target) => ({ kind: linkKind, target })),
  }
}

/** A cycle that peaks once per period, and a pressure that grows until the user answers, so that missed notes come back. */
export function comingBack(rhythm: Rhythm, nowMs: number): Pick<RecordInput, 'cycles' | 'pressureRate'> {
  const days = rhythmDays[rhythm]
  if (days === 0) return { cycles: [], pressureRate: 0 }
  const cycle: Cycle = { periodSeconds: days * secondsPerDay, amplitude: 0.75, phaseSeconds: Math.round(nowMs / 1000) }
  return { cycles: [cycle], pressureRate: 0.25 / days }
}

/** In lower case, each once, in order. A # inside words, addresses, link targets or code does not start a tag. */
export function tagsIn(text: string): readonly string[] {
  const found = withoutCode(text).matchAll(tagPattern)
  return [...new Set([...found].map(([, tag = '']) => tag.toLowerCase()))]
    .filter((tag) => tag.length <= maxTagLength)
    .slice(0, maxRows)
}

/**
 * After `](`, `]: ` and `href="`, a # starts an anchor, as in `[text](#place)`.
 * The # comes first: otherwise each place of a run of spaces may look back over all of it.
 */
const tagPattern =
  /#(?<!(?:[\p{L}\p{N}_&/#]|\]\(<?|\]: *|=["']?)#)([\p{L}\p{N}_-]*\p{L}[\p{L}\p{N}_-]*(?:\/[\p{L}\p{N}_-]+)*)/gu

function linksIn(text: string): readonly string[] {
  return addressesIn(withoutCode(text))
}

/** Its other names: its file's, and the aliases of its front matter. */
export function namesOf({ id, metadata }: Pick<StoredRecord, 'id' | 'metadata'>): readonly string[] {
  const file = /^file:(?:.*\/)?([^/]+?)(?:\.[^./]+)?$/s.exec(id)?.[1]
  return [...(file === undefined ? [] : [file]), ...aliasesIn(fileFactsOf(metadata).frontMatter)]
}

/** An untitled note is named after its first line, which its excerpt does not repeat. */
function withoutTitle(body: string, title: string): string {
  const text = body.trimStart()
  return text.startsWith(title) ? text.slice(title.length) : text
}

/** The beginning of the text without Markdown characters, cut between words. `title`: the name on the page. */
export function excerptOf({ title: own, body }: Pick<StoredRecord, 'title' | 'body'>, title: string): string {
  const whole = own === null ? withoutTitle(body ?? '', title) : (body ?? '')
  const { text } = plainPassage({ text: whole.slice(0, 4 * excerptLength), marks: [] })
  const plain = text.replaceAll(/\s+/g, ' ').trim()
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
// Limits of a record.
const maxRows = 256
const maxTagLength = 256
