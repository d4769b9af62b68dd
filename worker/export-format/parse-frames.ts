/** Parses the frames of one record, as `readFrames` of the store wrote them. */
import { createFrameReader, decodeJson, frameKinds } from '../../src/protocol/export-format/frames.ts'
import { type ParsedBlock, parseBlock, parseVectorBytes } from './block.ts'
import type { StagedRecord } from './staging.ts'

export function parseRecordFrames(frames: Uint8Array): StagedRecord {
  let block: ParsedBlock | undefined
  let chunks: readonly Float32Array[] = []
  eachFrame(frames, (kind, payload) => {
    if (kind === frameKinds.record) block = parseBlock(decodeJson(payload))
    else if (kind === frameKinds.vectors && block?.vectors) chunks = parseVectorBytes(block.vectors, payload)
  })
  if (block === undefined) throw new TypeError('it has no record')
  return { ...block, chunks }
}

export function eachFrame(bytes: Uint8Array, visit: (kind: number, payload: Uint8Array<ArrayBuffer>) => void): void {
  const reader = createFrameReader(visit)
  reader.push(bytes)
  reader.end()
}
