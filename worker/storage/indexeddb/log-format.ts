/**
 * Defines the keys and values of the page log: batches of the journal, chunks and heads of the two generations, and the state, which says
 * where the journal ends. The state is stored twice, because nothing can be proven without it.
 */
import { type RecallError, recallError } from '../../../src/core/model/errors.ts'
import { stateKeys } from '../../../src/protocol/store-directory.ts'
import { type Page, type PageChanges, pageBytes } from '../../sqlite/pages/page-file.ts'
import type { Bytes } from '../common/byte-store.ts'
import { decodeFrame, encodeFrame } from './frame.ts'

/** Increases with every change of these shapes. */
export const logFormat = 1

/** The last acknowledged batch, which is the end of the journal. */
export interface LogState {
  readonly format: number
  readonly sequence: number
  /** The checksum of that batch. */
  readonly chain: string
  /** Whether the journal or a generation still contains deleted content. */
  readonly isErasing: boolean
}

export const beginning: LogState = { format: logFormat, sequence: 0, chain: '0'.repeat(16), isErasing: false }

/** A snapshot of the file after a batch. */
export interface GenerationHead {
  readonly sequence: number
  readonly chain: string
  readonly pageCount: number
  /** Checksums of the chunks, in order. */
  readonly checksums: readonly string[]
}

export type SlotName = 'a' | 'b'
export type Put = readonly [key: string, value: Bytes]

/** Pages per chunk (64 KiB): small enough that a forget rewrites little, large enough that a store has few chunks. */
export const chunkPages = 8

export const batchKey = (sequence: number) => `batch/${sequence}`
export const headKey = (slot: SlotName) => `${slot}/head`
export const chunkKey = (slot: SlotName, chunk: number) => `${slot}/${chunk}`
/** Null for keys of other kinds. */
export const batchOfKey = (key: string) => numberAfter('batch/', key)
export const chunkOfKey = (slot: SlotName, key: string) => numberAfter(`${slot}/`, key)

export function encodeState(state: LogState): readonly Put[] {
  return stateKeys.map((key) => [key, encodeFrame(key, state).bytes])
}

export function encodeHead(slot: SlotName, head: GenerationHead): Put {
  return [headKey(slot), encodeFrame(headKey(slot), head).bytes]
}

export function encodeChunk(slot: SlotName, chunk: number, view: readonly Page[]) {
  const key = chunkKey(slot, chunk)
  const { bytes, checksum } = encodeFrame(key, {}, view.slice(chunk * chunkPages, (chunk + 1) * chunkPages))
  return { put: [key, bytes] as Put, checksum }
}

interface BatchHeader {
  /** The checksum of the previous batch. */
  readonly previous: string
  readonly pageCount: number
  /** Number of pages; their numbers come first in the payload, as little-endian words. */
  readonly count: number
}

export function encodeBatch(sequence: number, previous: string, { pageCount, numbers, pages }: PageChanges) {
  const header: BatchHeader = { previous, pageCount, count: numbers.length }
  const words = new DataView(new ArrayBuffer(4 * numbers.length))
  for (const [i, number] of numbers.entries()) words.setUint32(4 * i, number, true)
  const key = batchKey(sequence)
  const { bytes, checksum } = encodeFrame(key, header, [new Uint8Array(words.buffer), ...pages])
  return { put: [key, bytes] as Put, checksum }
}

export interface Batch extends PageChanges {
  readonly previous: string
  readonly checksum: string
}

/** Null if damaged. */
export function decodeBatch(sequence: number, bytes: Bytes | undefined): Batch | null {
  const frame = decodeFrame<BatchHeader>(batchKey(sequence), bytes)
  if (frame === null) return null
  const { header, payload, checksum } = frame
  const { count, pageCount } = header
  if (![count, pageCount].every(isCount) || payload.length !== count * (4 + pageBytes)) return null
  const words = new DataView(payload.buffer, payload.byteOffset, payload.byteLength)
  const numbers = Array.from({ length: count }, (_, i) => words.getUint32(4 * i, true))
  if (numbers.some((number) => number >= pageCount)) return null
  const pages = numbers.map((_, i) => pageAt(payload, 4 * count + i * pageBytes))
  return { ...header, checksum, numbers, pages }
}

/** Whether a batch can follow a file of so many pages: it holds every page that the file gains. Otherwise a page count could be any number. */
export function canFollow({ pageCount, numbers }: Batch, pages: number): boolean {
  return pageCount <= pages + numbers.length
}

/** Null if damaged. */
export function decodeState(key: string, bytes: Bytes | undefined): LogState | null {
  const state = decodeFrame<LogState>(key, bytes)?.header
  return state !== undefined && isCount(state.format) && isCount(state.sequence) ? state : null
}

/** Null if damaged. */
export function decodeHead(slot: SlotName, bytes: Bytes | undefined): GenerationHead | null {
  const head = decodeFrame<GenerationHead>(headKey(slot), bytes)?.header
  if (head === undefined || !isCount(head.sequence) || !Array.isArray(head.checksums)) return null
  return Math.ceil(head.pageCount / chunkPages) === head.checksums.length ? head : null
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

export function pageAt(bytes: Uint8Array, offset: number): Page {
  return bytes.slice(offset, offset + pageBytes)
}

function numberAfter(prefix: string, key: string): number | null {
  const rest = key.startsWith(prefix) ? key.slice(prefix.length) : ''
  return /^\d+$/.test(rest) ? Number(rest) : null
}

/** The error for a log of a newer format. */
export function newerLog(format: number): RecallError {
  return recallError('STORE_NEWER', 'A newer Scrubjay wrote the journal', {
    value: format,
    hint: `Reload the page to get the newer build. This build reads format ${logFormat}.`,
  })
}
