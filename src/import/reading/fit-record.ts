/** Completes a record with its provenance and the caller's fields, and fits it into the limits of a store: a text that is too long is left out. */
import type { Metadata, RecordInput } from '../../core/model/record.ts'
import { tuning } from '../../core/model/tuning.ts'
import { sha256Hex } from '../../core/text/hash/sha256.ts'
import { type Left, left, type SourceFile } from './reader.ts'

export function fitRecord(
  record: RecordInput,
  kind: string,
  file: SourceFile,
  extra: Partial<RecordInput> | undefined,
  warn: (part: string | null, message: string) => void,
): (RecordInput & { readonly id: string }) | Left {
  const id = shortId(record.id!)
  const body = record.body ?? null
  if (body !== null && body.length * 3 > tuning.maxBodyBytes && bytesOf(body) > tuning.maxBodyBytes)
    return left('too-large', id, `must have at most ${tuning.maxBodyBytes} bytes`)
  const title = record.title?.replaceAll(/\s+/g, ' ').trim().slice(0, mostTitle)
  if ((title ?? '') === '' && (body ?? '').trim() === '') return left('empty', id, 'holds no text')
  const tags = [
    ...new Set([...(record.tags ?? []), ...(extra?.tags ?? [])].map((tag) => tag.slice(0, tuning.maxTagLength))),
  ]
  const relations = unique(
    (record.relations ?? [])
      .filter(({ target }) => target !== id)
      .map((row) => ({ ...row, target: shortId(row.target) })),
  )
  if (tags.length > tuning.maxTags || relations.length > tuning.maxRelations)
    warn(id, 'has more tags or links than a record can have; the first ones are kept')
  const from: Metadata = { kind, ...(file.root === null ? {} : { root: file.root }), path: file.path }
  const { title: _title, tags: _tags, relations: _relations, metadata, ...rest } = record
  const { modifiedMs } = file
  return {
    // Without a time of its own, it would get that of the call, and importing again would not equal a fresh import.
    ...(modifiedMs === null ? {} : { createdAt: modifiedMs, updatedAt: modifiedMs }),
    ...rest,
    ...extra,
    id,
    ...(title === undefined || title === '' ? {} : { title }),
    ...(tags.length === 0 ? {} : { tags: tags.slice(0, tuning.maxTags) }),
    ...(relations.length === 0 ? {} : { relations: relations.slice(0, tuning.maxRelations) }),
    metadata: fitMetadata({ ...metadata, ...extra?.metadata, import: from }, id, warn),
  }
}

const mostTitle = 1_000

/** An id that is too long ends in a digest of all of it. */
export function shortId(id: string): string {
  return id.length <= tuning.maxIdLength ? id : `${id.slice(0, tuning.maxIdLength - 65)}~${sha256Hex(id).slice(0, 64)}`
}

function unique<T extends { readonly kind: string; readonly target: string }>(rows: readonly T[]): readonly T[] {
  return [...new Map(rows.map((row) => [`${row.kind}\n${row.target}`, row])).values()]
}

/** Members of the export's own are kept while there is room. */
function fitMetadata(metadata: Metadata, id: string, warn: (part: string | null, message: string) => void): Metadata {
  const { import: from, ...own } = metadata
  const kept: Record<string, Metadata[string]> = { import: from! }
  let size = bytesOf(JSON.stringify(kept))
  for (const [name, value] of Object.entries(own)) {
    const bytes = bytesOf(JSON.stringify({ [name]: value }))
    if (size + bytes > mostMetadata || name === '__proto__')
      warn(id, `has a field ${JSON.stringify(name)} that is too long; it is not kept`)
    else {
      kept[name] = value
      size += bytes
    }
  }
  return kept
}

const mostMetadata = 12_000

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}
