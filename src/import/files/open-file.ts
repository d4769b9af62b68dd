/** Opens a file for a reader: its beginning as a sample, then its bytes or its text. Decides the encoding of the text. */
import { joinBytes } from '../../core/collections/join-bytes.ts'
import { type RecallError, recallError } from '../../core/model/errors.ts'
import { isPdf } from './is-pdf.ts'
import type { OpenedFile, SourceFile } from '../reading/reader.ts'

/** Bytes of the sample by which the kind of a file is recognised. */
const sampleBytes = 65_536
/** Highest size of a file that a reader takes as one text: a record of more than 1 MiB cannot be stored anyway. */
export const mostWholeBytes = 16 * 1_048_576

/** Resolves to null if the file is binary. */
export async function openFile(
  file: SourceFile,
  warn: (part: string | null, message: string) => void,
): Promise<OpenedFile | null> {
  const source = file.bytes()[Symbol.asyncIterator]()
  const first: Uint8Array[] = []
  let size = 0
  let isWhole = false
  while (size < sampleBytes) {
    const { value, done } = await source.next()
    if (done === true) {
      isWhole = true
      break
    }
    first.push(value)
    size += value.length
  }
  const head = joinBytes(first, size)
  const beginning = head.subarray(0, sampleBytes)
  const bytewise = 'windows-1252'
  const isDocument = isPdf(file.path, new TextDecoder(bytewise).decode(beginning.subarray(0, 1_024)))
  const encoding = isDocument ? bytewise : encodingOf(beginning, isWhole && beginning.length === head.length)
  if (encoding === null) {
    await source.return?.()
    return null
  }
  if (!isDocument && encoding !== 'utf-8') warn(null, `is read as ${encoding}, because it is not UTF-8`)
  async function* bytes() {
    yield head
    if (isWhole) return
    try {
      for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value
    } finally {
      await source.return?.()
    }
  }
  const texts = () => decode(bytes(), encoding, warn)
  const text = new TextDecoder(encoding).decode(beginning, { stream: true })
  const dot = file.path.lastIndexOf('.')
  const extension = dot > file.path.lastIndexOf('/') ? file.path.slice(dot + 1).toLowerCase() : ''
  return {
    file,
    sample: { path: file.path, extension, text, isWhole: isWhole && beginning.length === head.length },
    texts,
    bytes,
    async whole() {
      const parts: string[] = []
      let length = 0
      for await (const part of texts()) {
        parts.push(part)
        length += part.length
        if (length > mostWholeBytes) throw tooLong(file, mostWholeBytes)
      }
      return parts.join('')
    },
  }
}

/** The error of a file that must be read whole and has more bytes. */
export function tooLong({ path }: SourceFile, most: number): RecallError {
  return recallError('INVALID_RECORD', `must have at most ${most} bytes`, {
    field: path,
    hint: 'Cut the file into several.',
  })
}

async function* decode(
  bytes: AsyncIterable<Uint8Array>,
  encoding: string,
  warn: (part: string | null, message: string) => void,
): AsyncIterable<string> {
  let decoder = new TextDecoder(encoding, { fatal: encoding === 'utf-8' })
  const read = (piece?: Uint8Array) => {
    try {
      return piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true })
    } catch {
      warn(null, 'has bytes that are not UTF-8; U+FFFD stands for them')
      decoder = new TextDecoder(encoding)
      return piece === undefined ? '\uFFFD' : decoder.decode(piece, { stream: true })
    }
  }
  for await (const piece of bytes) yield read(piece)
  yield read()
}

/** Null for binary data. A text of Windows or an old Mac is read as windows-1252, the encoding that browsers assume. */
function encodingOf(head: Uint8Array, isWhole: boolean): string | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  let zeros = 0
  let odd = 0
  for (let i = 0; i < head.length; i++) {
    if (head[i] !== 0) continue
    zeros++
    odd += i % 2
  }
  if (zeros > 0) {
    const isWide = zeros > head.length / 4
    if (isWide && odd === zeros) return 'utf-16le'
    return isWide && odd === 0 ? 'utf-16be' : null
  }
  try {
    // A character may be cut at the end of the sample.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: !isWhole })
    return 'utf-8'
  } catch {
    return hasControls(head) ? null : isMostlyUtf8(head) ? 'utf-8' : 'windows-1252'
  }
}

/** Whether a text in UTF-8 has a few damaged bytes: it has more whole characters beyond ASCII than damaged ones. */
function isMostlyUtf8(head: Uint8Array): boolean {
  const text = new TextDecoder().decode(head)
  const damaged = text.match(/\uFFFD/g)?.length ?? 0
  const whole = text.match(/[^\p{ASCII}\uFFFD]/gu)?.length ?? 0
  return whole > damaged
}

function hasControls(head: Uint8Array): boolean {
  let controls = 0
  for (const byte of head)
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13 && byte !== 12 && byte !== 27) controls++
  return controls > head.length / 50
}
