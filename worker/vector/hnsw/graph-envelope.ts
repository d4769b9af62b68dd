/**
 * Writes and reads the envelope of a saved graph: format, embedding space, revision and checksum. If any of them differs,
 * reading returns null and the graph is rebuilt. The graph is derived from the store, so no data is lost.
 * Layout: magic, bytes of the JSON (u32 each, little-endian), JSON padded to whole words, key of each point (u32), graph, SHA-256.
 */
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { sha256HexOfBytes } from '../../../src/core/text/hash/sha256.ts'
import { graphLinks, graphWidth } from './graph.ts'

/** The state of the store that a graph was built from. */
export interface GraphOrigin {
  readonly space: string
  readonly dimensions: number
  readonly revision: number
}

export interface GraphEnvelope {
  readonly keys: Uint32Array
  readonly dead: number
  readonly graph: Uint8Array
}

export function writeGraphEnvelope(origin: GraphOrigin, { keys, dead, graph }: GraphEnvelope): Uint8Array {
  const json = encoder.encode(canonicalJson({ ...expected(origin), count: keys.length, dead }))
  const keysAt = 8 + padded(json.length)
  const graphAt = keysAt + keys.byteLength
  const envelope = new Uint8Array(graphAt + graph.length + checksumBytes)
  const view = new DataView(envelope.buffer)
  view.setUint32(0, magic, true)
  view.setUint32(4, json.length, true)
  envelope.set(json, 8)
  for (let label = 0; label < keys.length; label++) view.setUint32(keysAt + label * 4, keys[label]!, true)
  envelope.set(graph, graphAt)
  envelope.set(encoder.encode(checksumOf(envelope)), envelope.length - checksumBytes)
  return envelope
}

export function openGraphEnvelope(envelope: Uint8Array, origin: GraphOrigin): GraphEnvelope | null {
  if (envelope.length < 8 + checksumBytes) return null
  const view = new DataView(envelope.buffer, envelope.byteOffset, envelope.byteLength)
  const json = view.getUint32(4, true)
  const keysAt = 8 + padded(json)
  if (view.getUint32(0, true) !== magic || keysAt + checksumBytes > envelope.length) return null
  if (decoder.decode(envelope.subarray(envelope.length - checksumBytes)) !== checksumOf(envelope)) return null
  const { count, dead, ...own } = JSON.parse(decoder.decode(envelope.subarray(8, 8 + json))) as Record<string, unknown>
  if (canonicalJson(own) !== canonicalJson(expected(origin))) return null
  const keys = Uint32Array.from({ length: Number(count) }, (_, label) => view.getUint32(keysAt + label * 4, true))
  const graph = envelope.slice(keysAt + keys.byteLength, envelope.length - checksumBytes)
  return { keys, dead: Number(dead), graph }
}

/** 'JayG'. */
const magic = 0x4779614a

const format = 1

/** SHA-256 as hex digits. */
const checksumBytes = 64

const encoder = new TextEncoder()
const decoder = new TextDecoder()

function expected({ space, dimensions, revision }: GraphOrigin) {
  const build = { library: 'hnswlib-wasm 0.8.2', metric: 'cosine', links: graphLinks, width: graphWidth }
  return { format, ...build, space, dimensions, revision }
}

function checksumOf(envelope: Uint8Array): string {
  return sha256HexOfBytes(envelope.subarray(0, envelope.length - checksumBytes))
}

function padded(bytes: number): number {
  return Math.ceil(bytes / 4) * 4
}
