/** Reads the text of a PDF file: one record for each page, in the order of the pages. The library that parses PDF comes from the caller. */
import { joinBytes } from '../../core/collections/join-bytes.ts'
import { tuning } from '../../core/model/tuning.ts'
import { sha256HexOfBytes } from '../../core/text/hash/sha256.ts'
import { readTime } from './dates.ts'
import { isPdf } from '../files/is-pdf.ts'
import { tooLong } from '../files/open-file.ts'
import {
  type Context,
  fileId,
  left,
  type OpenedFile,
  type Part,
  type PdfDocument,
  type PdfPage,
  type Reader,
  stemOf,
} from '../reading/reader.ts'

/** The parsers need all bytes at once. */
const mostBytes = 128 * 1_048_576
const mostPages = 10_000
/** A record holds no more text. */
const mostOfPage = tuning.maxBodyBytes
/** Characters of a file: compressed text can expand a thousandfold. */
const mostOfFile = 64 * 1_048_576

export const pdf: Reader = {
  kind: 'pdf',
  recognises: ({ path, text }) => isPdf(path, text),
  async *read(opened, { openPdf, offsetAt }) {
    if (openPdf === undefined) {
      const message = 'is a PDF file: npm install unpdf, and in a program also give readExport the option openPdf'
      yield left('needs-library', null, message)
      return
    }
    const bytes = await bytesOf(opened)
    const sha256 = sha256HexOfBytes(bytes)
    let document: PdfDocument
    try {
      document = await openPdf(bytes)
    } catch (error) {
      yield isPasswordMissing(error)
        ? left('encrypted', null, 'opens only with a password; store a copy without one')
        : left('damaged', null, `cannot be opened as PDF: ${messageOf(error)}`)
      return
    }
    try {
      yield* pagesOf(document, opened, sha256, offsetAt)
    } finally {
      await document.destroy?.()
    }
  },
}

async function* pagesOf(
  document: PdfDocument,
  { file }: OpenedFile,
  sha256: string,
  offsetAt: Context['offsetAt'],
): AsyncIterable<Part> {
  const { title, created } = await describe(document, offsetAt)
  const { modifiedMs } = file
  const createdAt = created ?? modifiedMs ?? undefined
  const pages = document.numPages
  let hasText = false
  const empty: Part[] = []
  let size = 0
  let number = 1
  for (; number <= Math.min(pages, mostPages) && size < mostOfFile; number++) {
    const place = `page ${number}`
    let body: string | null
    try {
      body = await textOf(document, number)
    } catch (error) {
      yield left('damaged', place, `cannot be read: ${messageOf(error)}`)
      continue
    }
    size += body === null ? mostOfPage : body.length
    if (body === null) {
      yield left('too-large', place, `must have at most ${mostOfPage} characters`)
      continue
    }
    if (body === '') {
      empty.push(left('empty', place, 'holds no text; text in pictures is not read'))
      continue
    }
    hasText = true
    yield {
      id: fileId(file, `page=${number}`),
      kind: 'page',
      title: title ?? stemOf(file.path),
      body,
      session: fileId(file),
      position: number,
      source: fileId(file, `page=${number}`).slice('file:'.length),
      files: [{ path: file.path, sha256, ...(modifiedMs === null ? {} : { mtime: modifiedMs }) }],
      ...(createdAt === undefined ? {} : { createdAt, updatedAt: modifiedMs ?? createdAt }),
      metadata: { page: number, pages },
    }
  }
  if (hasText || empty.length === 0) yield* empty
  else yield left('empty', null, `holds no text on its ${empty.length} pages; text in pictures is not read`)
  if (number <= pages) {
    const reason = number > mostPages ? `one of ${mostPages} pages` : `within the first ${mostOfFile} characters`
    yield left('too-large', `page ${number} to ${pages}`, `must be ${reason}`)
  }
}

/** Null for more characters than a record holds. */
async function textOf(document: PdfDocument, number: number): Promise<string | null> {
  const page = await document.getPage(number)
  const lines: string[] = []
  let size = 0
  for await (const items of itemsOf(page)) {
    for (const item of items) {
      const { str, hasEOL } = item as { readonly str?: unknown; readonly hasEOL?: unknown }
      const line = `${typeof str === 'string' ? str : ''}${hasEOL === true ? '\n' : ''}`
      lines.push(line)
      // One for an item without text: it takes memory, too.
      size += Math.max(1, line.length)
    }
    if (size > mostOfPage) break
  }
  page.cleanup?.()
  if (size > mostOfPage) return null
  // Fonts without a table of characters give control characters.
  return withWholeWords(
    lines
      .join('')
      .replaceAll(/[^\P{Cc}\n\t]/gu, '')
      .trim(),
  )
}

/** In parts, so that a page that expands without end can be left. */
async function* itemsOf(page: PdfPage): AsyncIterable<readonly unknown[]> {
  if (page.streamTextContent === undefined) {
    yield (await page.getTextContent()).items
    return
  }
  const reader = page.streamTextContent().getReader()
  let isDone = false
  try {
    while (!isDone) {
      const { value, done } = await reader.read()
      isDone = done
      if (value !== undefined) yield value.items
    }
  } finally {
    if (!isDone) await reader.cancel(new Error('The page is too large'))
  }
}

/** Joins words that are broken at the end of a line; a word that the page also has with its hyphen keeps it. */
function withWholeWords(text: string): string {
  const hyphened = new Set(text.toLowerCase().match(/\p{L}+-\p{L}+/gu))
  return text.replaceAll(/(?<!\p{L})(\p{L}+)-\n(\p{Ll}+)/gu, (_, first: string, second: string) =>
    hyphened.has(`${first}-${second}`.toLowerCase()) ? `${first}-${second}` : `${first}${second}`,
  )
}

async function describe(
  document: PdfDocument,
  offsetAt: Context['offsetAt'],
): Promise<{ readonly title: string | null; readonly created: number | undefined }> {
  try {
    const { info } = (await document.getMetadata?.()) ?? {}
    const { Title: title, CreationDate: date } = (info ?? {}) as Record<string, unknown>
    // Programs put the name of their own file there.
    const isTitle = typeof title === 'string' && !/^\s*$|\.\w{2,5}\s*$|^\s*untitled/i.test(title)
    return { title: isTitle ? title : null, created: readTime(isoOf(date), offsetAt) }
  } catch {
    return { title: null, created: undefined }
  }
}

/** Of `D:20191103092133+01'00'`. */
function isoOf(date: unknown): string | undefined {
  const found = /^D:(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?)?(?:(Z)|([+-]\d\d)'?(\d\d)?)?/.exec(String(date))
  if (found === null) return undefined
  const [year, month, day, hour = '00', minute = '00', second = '00', utc = '', hours, minutes = '00'] = found.slice(1)
  return `${year}-${month}-${day} ${hour}:${minute}:${second}${hours === undefined ? utc : `${hours}:${minutes}`}`
}

async function bytesOf({ file, bytes }: OpenedFile): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of bytes()) {
    pieces.push(piece)
    size += piece.length
    if (size > mostBytes) throw tooLong(file, mostBytes)
  }
  return joinBytes(pieces, size)
}

/** The name that pdf.js gives this error. */
const isPasswordMissing = (error: unknown) => (error as Partial<Error> | null)?.name === 'PasswordException'

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
