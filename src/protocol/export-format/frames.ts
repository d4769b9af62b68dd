/**
 * Reads and writes the inner layer of an export: frames with a kind, a length and bytes. A header comes first, then each record by
 * ascending id, followed by its vectors, then the states of files, then tombstones. Numbers are little-endian, texts canonical JSON in UTF-8.
 */
import { joinBytes } from '../../core/collections/join-bytes.ts'
import { canonicalJson } from '../../core/text/hash/canonical.ts'
import { damaged, getUint32, setUint32 } from './container.ts'

export const frameKinds = { header: 1, record: 2, vectors: 3, file: 4, tombstone: 5 } as const
export type FrameKind = (typeof frameKinds)[keyof typeof frameKinds]

/** Size of 4,096 vectors of 4,096 dimensions, the most that a record may have. */
const maxFrameBytes = 64 * 1024 * 1024
const headBytes = 5

export interface Header {
  /** 3: versions may have stamps of their fields. */
  readonly format: 1 | 2 | 3
  readonly stemmer: 'porter' | 'none'
  readonly metadataKeys: readonly string[]
  /** Absent for English alone. */
  readonly languages?: readonly string[]
  readonly records: number
  readonly files: number
  /** 0 in format 1. */
  readonly tombstones: number
  /** True if an import limited tiers in the exported store. Then an importer may lower tiers, but not raise them. */
  readonly tiersAreHeld?: true
}

/** The vectors of a record: their space, their origin, and the text span of each. */
export interface VectorsHead {
  readonly space: string
  readonly dimensions: number
  /** True: computed from the record's text; false: supplied by the caller. */
  readonly made: boolean
  readonly spans: readonly (readonly [number, number] | null)[]
}

export function encodeFrame(kind: FrameKind, payload: Uint8Array): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(headBytes + payload.length)
  frame[0] = kind
  setUint32(frame, 1, payload.length)
  frame.set(payload, headBytes)
  return frame
}

export function encodeJsonFrame(kind: FrameKind, value: unknown): Uint8Array<ArrayBuffer> {
  return encodeFrame(kind, encoder.encode(canonicalJson(value)))
}

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Parses the JSON of a frame. Throws INVALID_ARGUMENT. */
export function decodeJson(payload: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(payload))
  } catch {
    throw damaged('a frame has other data than JSON')
  }
}

/** Assembles frames from content as it arrives. Each frame has its own buffer. */
export function createFrameReader(frame: (kind: number, payload: Uint8Array<ArrayBuffer>) => void) {
  const head = new Uint8Array(headBytes)
  let headFilled = 0
  let parts: Uint8Array[] = []
  let filled = 0
  return {
    push(content: Uint8Array): void {
      for (let at = 0; at < content.length; ) {
        if (headFilled < headBytes) {
          head[headFilled++] = content[at++]!
          if (headFilled < headBytes) continue
          if (getUint32(head, 1) > maxFrameBytes) throw damaged('a frame claims more than 64 MiB')
        }
        const length = getUint32(head, 1)
        // Allocates for bytes that arrived, never for the length that a frame claims.
        const part = content.slice(at, at + length - filled)
        parts.push(part)
        filled += part.length
        at += part.length
        if (filled < length) continue
        const payload = joinBytes(parts, length)
        headFilled = filled = 0
        parts = []
        frame(head[0]!, payload)
      }
    },
    end(): void {
      if (headFilled > 0) throw damaged('its last frame is cut off')
    },
  }
}
