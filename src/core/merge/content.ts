/**
 * Decides what of a record is merged as one: fields one by one, a few of them together because one depends on the other, and lists and
 * metadata by element.
 */
import { contentFields, type RecordInput, type StoredRecord } from '../model/record.ts'
import { tuning } from '../model/tuning.ts'
import { canonicalJson } from '../text/hash/canonical.ts'
import { compareCodePoints } from '../text/hash/code-point-order.ts'
import { sha256Hex } from '../text/hash/sha256.ts'
import type { PortableStamp } from './portable-stamp.ts'

export interface Content {
  /** Values by name; null if absent. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Lists by name, in the caller's order. */
  readonly lists: Readonly<Record<string, readonly Element[]>>
}

export interface Element {
  /** The list and a hash, so that the stamp of a removed element does not contain it. */
  readonly name: string
  readonly value: unknown
}

/** Where the outcomes of each cycle begin, as in an export; empty if all count. */
export type CycleStarts = readonly (readonly [amplitude: number, stamp: PortableStamp] | null)[]

/** A record as it was put or stored. Its `cycles` are those of the caller. */
export interface Described
  extends Omit<StoredRecord, 'risks' | 'confidence' | 'contentHash' | 'updatedAt' | 'language'> {
  readonly risks: readonly { readonly flag: string }[]
  readonly language?: string | null
}

const single = [
  ...contentFields,
  'kind',
  'project',
  'topic',
  'agent',
  'source',
  'authority',
  'exitCode',
  'expiresAt',
  'occurredAt',
  'importance',
  'pressureRate',
  'writeScore',
] as const

/** The first is the name of the group. A tier follows from bank and profile, so a merge never combines those of two devices. */
const groups = {
  authorityTier: ['authorityTier', 'bank', 'profile'],
  status: ['status', 'supersededBy'],
  validFrom: ['validFrom', 'validUntil'],
  session: ['session', 'position'],
} as const
/** What distinguishes an element from the others of its list. */
const identities: Readonly<Record<string, (element: never) => unknown>> = {
  tags: (tag: string) => tag,
  files: ({ path }: { readonly path: string }) => path,
  terms: ({ term, kind }: { readonly term: string; readonly kind: string }) => [term, kind],
  anchors: (anchor: unknown) => anchor,
  reasons: ({ code }: { readonly code: string }) => code,
  risks: ({ flag }: { readonly flag: string }) => flag,
  relations: (relation: unknown) => relation,
  metadata: ([key]: readonly [string, unknown]) => key,
}

export const listNames = Object.keys(identities)

/** `starts`: of a stored record. */
export function contentOf(record: Described, starts: CycleStarts = []): Content {
  const fields: Record<string, unknown> = {}
  for (const name of single) fields[name] = record[name] ?? null
  for (const [name, members] of Object.entries(groups)) fields[name] = members.map((member) => record[member] ?? null)
  fields['language'] = record.language ?? null
  fields['createdAt'] = record.createdAt
  fields['cycles'] = record.cycles.length === 0 ? null : [record.cycles, starts]
  const { files, terms, risks, metadata } = record
  const given: Readonly<Record<string, readonly unknown[]>> = {
    tags: record.tags,
    files: files.filter(({ declared }) => declared).map(({ declared: _declared, ...file }) => file),
    terms: terms.filter(({ declared }) => declared).map(({ term, kind }) => ({ term, kind })),
    anchors: record.anchors,
    reasons: record.reasons,
    risks: risks.map(({ flag }) => ({ flag })),
    relations: record.relations,
    metadata: Object.entries(metadata).sort(([a], [b]) => compareCodePoints(a, b)),
  }
  const lists: Record<string, readonly Element[]> = {}
  for (const list of listNames) lists[list] = elementsOf(list, given[list] ?? [])
  return { fields, lists }
}

/** The caller's fields of a content, without its cycles' starts. */
export function recordFrom({ fields, lists }: Content): RecordInput {
  const { cycles, ...others } = fields
  const record: Record<string, unknown> = { ...others }
  for (const [name, members] of Object.entries(groups))
    for (const [i, member] of members.entries()) record[member] = (fields[name] as readonly unknown[])[i]
  for (const list of listNames) record[list] = (lists[list] ?? []).map(({ value }) => value)
  record['metadata'] = Object.fromEntries(record['metadata'] as readonly (readonly [string, unknown])[])
  record['cycles'] = (cycles as readonly unknown[] | null)?.[0] ?? []
  return record as RecordInput
}

export function cycleStartsOf({ fields }: Content): CycleStarts {
  return (fields['cycles'] as readonly [unknown, CycleStarts] | null)?.[1] ?? []
}

/** Whether any text field has a letter or another sign that is not a space. */
export function hasText({ fields }: Content): boolean {
  return contentFields.some((name) => isText(fields[name]))
}

export function isText(value: unknown): boolean {
  return typeof value === 'string' && /\S/u.test(value)
}

/** Whether a list is within the limits of a record. */
export function fits(list: string, elements: readonly Element[]): boolean {
  const most = mostElements[list]
  if (most !== undefined) return elements.length <= most
  const json = canonicalJson(Object.fromEntries(elements.map(({ value }) => value as [string, unknown])))
  // At most three bytes for each code unit.
  return json.replace(/[^\0-\x7f]/g, '...').length <= tuning.maxMetadataBytes
}

const mostElements: Readonly<Record<string, number>> = {
  tags: tuning.maxTags,
  files: tuning.maxFiles,
  terms: tuning.maxTerms,
  anchors: tuning.maxAnchors,
  relations: tuning.maxRelations,
  // Closed registries, each row once.
  reasons: Number.POSITIVE_INFINITY,
  risks: Number.POSITIVE_INFINITY,
}

function elementsOf(list: string, values: readonly unknown[]): readonly Element[] {
  const counts = new Map<string, number>()
  return values.map((value) => {
    const identity = canonicalJson([list, identities[list]!(value as never)])
    const count = (counts.get(identity) ?? 0) + 1
    counts.set(identity, count)
    // A list may hold an element twice.
    const name = sha256Hex('scrubjay element\n', count === 1 ? identity : `${count} ${identity}`).slice(0, 32)
    return { name: `${list} ${name}`, value }
  })
}
