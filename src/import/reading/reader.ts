/** What a reader of one kind of export is: it recognises a file by its content, and yields records and the parts that it leaves out. */
import type { RecordInput } from '../../core/model/record.ts'
import type { OffsetAt } from '../../core/time/zone.ts'

/** A file that was given, found in a folder, or is in an archive. */
export interface SourceFile {
  /** With `/`, below the root. */
  readonly path: string
  /** Name of the folder that was given; null for single files. */
  readonly root: string | null
  /** Bytes; null if unknown. */
  readonly size: number | null
  /** ms since the epoch; null if unknown. */
  readonly modifiedMs: number | null
  bytes(): AsyncIterable<Uint8Array>
}

/** Why a part was left out. */
export type LeftCode =
  | 'empty'
  | 'damaged'
  | 'unknown'
  | 'attachment'
  | 'too-large'
  | 'unsafe-path'
  | 'duplicate'
  | 'deleted'
  | 'link'
  | 'archive'
  | 'unreadable'
  | 'encrypted'
  | 'needs-library'

/** A part of an export that becomes no record. */
export interface Left {
  readonly left: LeftCode
  /** Where it is in the file, for example `line 12`; null for the whole file. */
  readonly part: string | null
  readonly message: string
}

/** Parts that are inside of another record: a relation, the name of an attachment. */
export interface Joined {
  readonly joined: number
}

export type Part = RecordInput | Left | Joined

/** The beginning of a file. */
export interface Sample {
  readonly path: string
  /** Lower case, without the dot; empty without one. */
  readonly extension: string
  readonly text: string
  /** Whether `text` is all of the file. */
  readonly isWhole: boolean
}

export interface OpenedFile {
  readonly file: SourceFile
  readonly sample: Sample
  /** The text in pieces; only once. */
  texts(): AsyncIterable<string>
  /** The bytes; only once, instead of `texts`. */
  bytes(): AsyncIterable<Uint8Array>
  /** The whole text; a `RecallError` above `mostWholeBytes`. */
  whole(): Promise<string>
}

export interface Context {
  readonly offsetAt: OffsetAt
  /** The id of the note that a link means; null if no file has this name. */
  resolve(link: string, from: SourceFile): string | null
  /** A remark for the report about a part that became a record nevertheless. */
  warn(part: string | null, message: string): void
  readonly openPdf: OpenPdf | undefined
}

/** The members of a document of pdfjs-dist or unpdf that are used. */
export interface PdfDocument {
  readonly numPages: number
  getPage(number: number): Promise<PdfPage>
  getMetadata?(): Promise<{ readonly info?: unknown }>
  destroy?(): unknown
}

export interface PdfPage {
  getTextContent(): Promise<{ readonly items: readonly unknown[] }>
  /** The same in parts. */
  streamTextContent?(): ReadableStream<{ readonly items: readonly unknown[] }>
  cleanup?(): unknown
}

/** Opens a PDF file: `getDocumentProxy` of unpdf, or `(data) => getDocument({ data }).promise` of pdfjs-dist. */
export type OpenPdf = (data: Uint8Array) => Promise<PdfDocument>

export interface Reader {
  /** Its word in reports and in `metadata.import.kind`. */
  readonly kind: string
  recognises(sample: Sample): boolean
  read(opened: OpenedFile, context: Context): AsyncIterable<Part>
}

export function left(code: LeftCode, part: string | null, message: string): Left {
  return { left: code, part, message }
}

/** The id of a record that has none of its own: the file, and the place in it. */
export function fileId({ root, path }: Pick<SourceFile, 'root' | 'path'>, place = ''): string {
  return `file:${root === null ? '' : `${root}/`}${path}${place === '' ? '' : `#${place}`}`
}

/** The name of a file without folder and ending. */
export function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return dot <= 0 ? name : name.slice(0, dot)
}
