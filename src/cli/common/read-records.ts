/** Reads records from a file or stdin: JSON Lines, one record a line, or one JSON array. */
import { createReadStream, statSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { recallError } from '../../core/model/errors.ts'
import type { RecordInput } from '../../core/model/record.ts'

export interface ReadRecord {
  readonly record: RecordInput
  /** How much of the input is read after this record, from 0 to 1; null if its size is unknown. */
  readonly share: number | null
}

/** Rejects with `INVALID_ARGUMENT` and the number of the line if a line is not JSON. */
export async function* readRecords(path: string, stdin: Readable, signal: AbortSignal): AsyncIterable<ReadRecord> {
  const input = path === '-' ? stdin : createReadStream(path, { signal })
  const size = path === '-' ? 0 : (statSync(path, { throwIfNoEntry: false })?.size ?? 0)
  let bytes = 0
  // `for await` over readline never sees the error of its input.
  const failed = new Promise<never>((_, fail) => input.once('error', fail))
  failed.catch(() => undefined)
  const lines = createInterface({ input, crlfDelay: Infinity })[Symbol.asyncIterator]()
  const array: string[] = []
  for (let number = 1; ; number++) {
    const { value: line, done } = await Promise.race([lines.next(), failed])
    if (done === true) break
    bytes += Buffer.byteLength(line) + 1
    const text = number === 1 ? line.replace(/^\uFEFF/, '') : line
    if (array.length > 0 || (number === 1 && text.trimStart().startsWith('['))) array.push(text)
    else if (text.trim() !== '') {
      const record = parsed(text, `line ${number}`) as RecordInput
      yield { record, share: size === 0 ? null : Math.min(1, bytes / size) }
    }
  }
  if (array.length === 0) return
  const records = parsed(array.join('\n'), 'array') as readonly RecordInput[]
  for (const [i, record] of records.entries()) yield { record, share: (i + 1) / records.length }
}

function parsed(text: string, field: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw recallError('INVALID_ARGUMENT', 'must be JSON', {
      field,
      value: text,
      hint: 'Give one record as JSON on each line, or one JSON array of records. Records of earlier lines may be stored.',
    })
  }
}
