/** Reads and writes exports as frames, by bucket: the records, tombstones and states of files that belong to one blob. */

import { fileMark, tombstoneMark } from '../core/merge/tombstone-mark.ts'
import type { RecordInput } from '../core/model/record.ts'
import { canonicalJson } from '../core/text/hash/canonical.ts'
import { compareCodePoints } from '../core/text/hash/code-point-order.ts'
import { sha256Hex } from '../core/text/hash/sha256.ts'
import { createContainerReader, createContainerWriter, damaged } from '../protocol/export-format/container.ts'
import {
  createFrameReader,
  decodeJson,
  encodeFrame,
  encodeJsonFrame,
  frameKinds,
  type Header,
} from '../protocol/export-format/frames.ts'

/** The fields of which `contentHash` is the hash. */
const hashedTexts = ['title', 'summary', 'body', 'instruction', 'command'] as const

/** The block of a record, as an export has it, with only the fields that are needed here. */
export interface Block {
  readonly record: RecordInput & { readonly id: string; readonly updatedAt: number }
  readonly links?: readonly { readonly id: string }[]
  readonly reports?: readonly object[]
  readonly predictions?: readonly object[]
  readonly proposals?: readonly object[]
  readonly contradictions?: readonly { readonly id: string }[]
  readonly life?: number
  readonly stamp?: readonly [at: number, count: number, device: string]
  readonly fields?: readonly unknown[]
}

export interface RecordFrames {
  readonly block: Block
  /** The bytes of its vectors; null if it has none. */
  readonly vectors: Uint8Array | null
}

/** The content of a store, or of some of its buckets. */
export interface Snapshot {
  readonly header: Header
  /** By id. */
  readonly records: ReadonlyMap<string, RecordFrames>
  /** By path. */
  readonly files: ReadonlyMap<string, object>
  /** By mark. */
  readonly tombstones: ReadonlyMap<string, object>
}

export async function readSnapshot(parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Snapshot> {
  const records = new Map<string, RecordFrames>()
  const files = new Map<string, object>()
  const tombstones = new Map<string, object>()
  let header: Header | null = null
  let last: Block | null = null
  const frames = createFrameReader((kind, payload) => {
    if (kind === frameKinds.vectors) {
      if (last !== null) records.set(last.record.id, { block: last, vectors: payload })
      return
    }
    const value = decodeJson(payload) as never
    if (kind === frameKinds.header) header = value
    else if (kind === frameKinds.record) {
      last = value as Block
      records.set(last.record.id, { block: last, vectors: null })
    } else if (kind === frameKinds.file) files.set((value as { path: string }).path, value)
    else if (kind === frameKinds.tombstone) tombstones.set((value as { mark: string }).mark, value)
  })
  const container = createContainerReader(frames.push)
  for await (const part of parts) container.push(part)
  container.end()
  frames.end()
  if (header === null) throw damaged('it has no header')
  return { header, records, files, tombstones }
}

/** The bytes of an export with this content. */
export function writeSnapshot({ header, records, files, tombstones }: Snapshot): Uint8Array<ArrayBuffer> {
  const container = createContainerWriter()
  const counts = { records: records.size, files: files.size, tombstones: tombstones.size }
  container.write(encodeJsonFrame(frameKinds.header, { ...header, ...counts }))
  for (const [, { block, vectors }] of inOrder(records)) {
    container.write(encodeJsonFrame(frameKinds.record, block))
    if (vectors !== null) container.write(encodeFrame(frameKinds.vectors, vectors))
  }
  for (const [, file] of inOrder(files)) container.write(encodeJsonFrame(frameKinds.file, file))
  for (const [, tombstone] of inOrder(tombstones)) container.write(encodeJsonFrame(frameKinds.tombstone, tombstone))
  container.end()
  return container.take()
}

interface Parts {
  readonly records: Map<string, RecordFrames>
  readonly files: Map<string, object>
  readonly tombstones: Map<string, object>
}

/** The parts of a store by bucket. Each record and file is in the bucket of its tombstone, so that a forgotten text or path leaves its blob. */
export async function intoBuckets(
  { header, records, files, tombstones }: Snapshot,
  bucketOf: (text: string) => Promise<number>,
): Promise<ReadonlyMap<number, Snapshot>> {
  const buckets = new Map<number, Parts>()
  const partsFor = async (text: string) => {
    const bucket = await bucketOf(text)
    const parts = buckets.get(bucket) ?? { records: new Map(), files: new Map(), tombstones: new Map() }
    buckets.set(bucket, parts)
    return parts
  }
  for (const [id, frames] of records) (await partsFor(tombstoneMark(id))).records.set(id, frames)
  for (const [mark, tombstone] of tombstones) (await partsFor(mark)).tombstones.set(mark, tombstone)
  for (const [path, file] of files) (await partsFor(fileMark(path))).files.set(path, file)
  return new Map([...buckets].map(([bucket, parts]) => [bucket, { header, ...parts }]))
}

/** Equal for buckets of the same versions with the same learned state. A repeated put moves only a time, so it is not pushed. */
export function summaryOf({ records, files, tombstones }: Snapshot): string {
  const versions = inOrder(records).map(([id, { block }]) => [id, versionOf(block), learnedOf(block)])
  const rest = [inOrder(files).map(([, file]) => file), inOrder(tombstones).map(([, tombstone]) => tombstone)]
  return sha256Hex(canonicalJson([versions, ...rest]))
}

/** The fields that are merged with those of other devices, whichever version wins. */
export const learnedFields = ['links', 'reports', 'predictions', 'proposals'] as const

export function learnedOf(block: Block): readonly unknown[] {
  return learnedFields.map((field) => block[field] ?? [])
}

/**
 * Life, stamps and content. Two copies of one store may have given the same stamp to different contents [R12], and two devices may have changed
 * a record of an older release, which has no stamp, in the same millisecond.
 */
export function versionOf({ record, life = 0, stamp, fields = [] }: Block): string {
  const { updatedAt, ...content } = record
  // Their hash is part of the content.
  if (content.contentHash !== undefined) for (const field of hashedTexts) delete content[field]
  return canonicalJson([life, stamp ?? [updatedAt, 0, ''], fields, content])
}

export function inOrder<T>(values: ReadonlyMap<string, T>): readonly (readonly [string, T])[] {
  return [...values].sort(([a], [b]) => compareCodePoints(a, b))
}
