/**
 * A saved graph and all that must agree before it is believed: what it was made of, at which revision, whole to the last
 * byte. Whatever differs, the answer is null, and the graph is made anew: it is derived, so nothing is lost.
 * Layout: magic, bytes of the JSON (u32 each, little-endian), JSON padded to whole words, key of each point (u32), graph, SHA-256.
 */
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { sha256HexOfBytes } from '../../../src/core/text/hash/sha256.ts'
import { graphLinks, graphWidth } from './graph.ts'

/** What a graph was made of. */
export interface GraphOrigin {
  readonly space: string
  readonly dimensions: number
  readonly revision: number
}

export interface SealedGraph {
  readonly keys: Uint32Array
  readonly dead: number
  readonly graph: Uint8Array
}

export function sealGraph(origin: GraphOrigin, { keys, dead, graph }: SealedGraph): Uint8Array {
  const json = encoder.encode(canonicalJson({ ...expected(origin), count: keys.length, dead }))
  const keysAt = 8 + padded(json.length)
  const graphAt = keysAt + keys.byteLength
  const sealed = new Uint8Array(graphAt + graph.length + checksumBytes)
  const view = new DataView(sealed.buffer)
  view.setUint32(0, magic, true)
  view.setUint32(4, json.length, true)
  sealed.set(json, 8)
  for (let label = 0; label < keys.length; label++) view.setUint32(keysAt + label * 4, keys[label]!, true)
  sealed.set(graph, graphAt)
  sealed.set(encoder.encode(checksumOf(sealed)), sealed.length - checksumBytes)
  return sealed
}

export function openSealedGraph(sealed: Uint8Array, origin: GraphOrigin): SealedGraph | null {
  if (sealed.length < 8 + checksumBytes) return null
  const view = new DataView(sealed.buffer, sealed.byteOffset, sealed.byteLength)
  const json = view.getUint32(4, true)
  const keysAt = 8 + padded(json)
  if (view.getUint32(0, true) !== magic || keysAt + checksumBytes > sealed.length) return null
  if (decoder.decode(sealed.subarray(sealed.length - checksumBytes)) !== checksumOf(sealed)) return null
  const { count, dead, ...own } = JSON.parse(decoder.decode(sealed.subarray(8, 8 + json))) as Record<string, unknown>
  if (canonicalJson(own) !== canonicalJson(expected(origin))) return null
  const keys = Uint32Array.from({ length: Number(count) }, (_, label) => view.getUint32(keysAt + label * 4, true))
  const graph = sealed.slice(keysAt + keys.byteLength, sealed.length - checksumBytes)
  return { keys, dead: Number(dead), graph }
}

/** 'JayG'. */
const magic = 0x4779614a

const format = 1

/** As hex digits. */
const checksumBytes = 64

const encoder = new TextEncoder()
const decoder = new TextDecoder()

function expected({ space, dimensions, revision }: GraphOrigin) {
  const made = { library: 'hnswlib-wasm 0.8.2', metric: 'cosine', links: graphLinks, width: graphWidth }
  return { format, ...made, space, dimensions, revision }
}

function checksumOf(sealed: Uint8Array): string {
  return sha256HexOfBytes(sealed.subarray(0, sealed.length - checksumBytes))
}

function padded(bytes: number): number {
  return Math.ceil(bytes / 4) * 4
}
