/**
 * Reads an export, a folder or single files as records: finds the reader of each file by its content, follows the files of archives, and counts
 * what was found, what became a record, and what was left out and why. Stores nothing.
 */
import { problemOf, RecallError, recallError } from '../core/model/errors.ts'
import { isPlainObject } from '../core/model/plain-object.ts'
import type { RecordInput } from '../core/model/record.ts'
import { type GivenFiles, givenFiles } from './files/given-files.ts'
import { openFile } from './files/open-file.ts'
import { isPrivate } from './files/safe-path.ts'
import { unzip } from './files/unzip.ts'
import { fitRecord } from './reading/fit-record.ts'
import { createIdSet, type IdSet } from './reading/id-set.ts'
import { createLinks, type Links } from './notes/links.ts'
import { offsetsOf } from './notes/zone.ts'
import { type Context, fileId, type Left, left, type OpenPdf, type SourceFile } from './reading/reader.ts'
import { readers } from './readers.ts'
import { type ImportReport, type OpenReport, openReport } from './reading/report.ts'

export interface ImportOptions {
  /** IANA name: the zone in which the days of daily notes are read. Default: that of the device. */
  readonly timeZone?: string | undefined
  /** Fields that all records get, for example `project` or `tags`; tags are added. */
  readonly record?: Partial<RecordInput> | undefined
  /** Ends the reading with `ABORTED`. */
  readonly signal?: AbortSignal | undefined
  /** Called after each file. */
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined
  /** Opens PDF files, which are left out without it: `getDocumentProxy` of the package unpdf, or what pdfjs-dist has for it. */
  readonly openPdf?: OpenPdf | undefined
}

export interface ImportProgress {
  readonly file: string
  readonly report: ImportReport
}

/** Each iteration reads the files again, and counts again. */
export interface ImportedRecords extends AsyncIterable<RecordInput> {
  /** Of the last iteration; complete when it has ended. */
  readonly report: ImportReport
}

export function readExport(files: GivenFiles, options: ImportOptions = {}): ImportedRecords {
  checkOptions(options)
  let last = openReport()
  const offsetAt = offsetsOf(options.timeZone)
  return {
    get report() {
      return last.report
    },
    async *[Symbol.asyncIterator]() {
      const counts = openReport()
      last = counts
      const given = await collect(files, counts)
      const links = await findLinks(given)
      const taken = createIdSet()
      for (const file of given) {
        for await (const one of insideOf(file, counts, () => true)) {
          throwIfAborted(options)
          yield* recordsOf(one, { offsetAt, links, counts, taken, options })
          options.onProgress?.({ file: placeOf(one), report: counts.report })
        }
      }
    },
  }
}

/** The list of the files, without their contents. */
async function collect(files: GivenFiles, counts: OpenReport): Promise<readonly SourceFile[]> {
  const found: SourceFile[] = []
  for await (const one of givenFiles(files)) {
    if ('ignored' in one) counts.countIgnored()
    else if ('left' in one) {
      counts.countFile()
      counts.leave(one.part ?? '', { ...one, part: null })
    } else found.push(one)
  }
  return found
}

interface Reading {
  readonly offsetAt: Context['offsetAt']
  readonly links: Links
  readonly counts: OpenReport
  /** Ids of this import. */
  readonly taken: IdSet
  readonly options: ImportOptions
}

async function* recordsOf(file: SourceFile, reading: Reading): AsyncIterable<RecordInput> {
  const { counts, taken, options } = reading
  const place = placeOf(file)
  counts.countFile()
  const warn = (part: string | null, message: string) => counts.warn(place, part, message)
  try {
    const opened = await openFile(file, warn)
    if (opened === null) {
      counts.leave(place, left('attachment', null, 'must be text; pictures and other binary files are not read'))
      return
    }
    if (opened.sample.isWhole && opened.sample.text.trim() === '') {
      counts.leave(place, left('empty', null, 'holds no text'))
      return
    }
    const reader = readers.find(({ recognises }) => recognises(opened.sample))
    if (reader === undefined) {
      counts.leave(place, left('unknown', null, 'is of no kind that can be read'))
      return
    }
    const context = {
      offsetAt: reading.offsetAt,
      resolve: (link: string, from: SourceFile) => reading.links.resolve(link, from),
      warn,
      openPdf: options.openPdf,
    }
    for await (const part of reader.read(opened, context)) {
      throwIfAborted(options)
      if ('left' in part) counts.leave(place, part)
      else if ('joined' in part) counts.countJoined(part.joined)
      else {
        const record = fitRecord(part, reader.kind, file, options.record, warn)
        if ('left' in record) counts.leave(place, record)
        else if (!taken.add(record.id))
          counts.leave(place, left('duplicate', record.id, 'has the id of an earlier part'))
        else {
          counts.countRecord(reader.kind)
          yield record
        }
      }
    }
  } catch (error) {
    throwIfAborted(options)
    counts.leave(place, leftOf(error))
  }
}

function leftOf(error: unknown): Left {
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (error instanceof RecallError && code === 'INVALID_RECORD') return left('too-large', null, problemOf(error))
  // Of the file system.
  return left(typeof code === 'string' && /^E[A-Z]+$/.test(code) ? 'unreadable' : 'damaged', null, message)
}

/** The file itself, or the files of an archive. */
async function* insideOf(
  file: SourceFile,
  counts: OpenReport | null,
  wants: (path: string) => boolean,
): AsyncIterable<SourceFile> {
  if (!(await isZip(file))) {
    yield file
    return
  }
  if (file.size !== null && isOffice(file.path)) {
    counts?.countFile()
    counts?.leave(placeOf(file), left('attachment', null, 'is a document of an office program'))
    return
  }
  try {
    for await (const one of unzip(file, (path) => wants(path) && !isPrivate(path))) {
      if ('left' in one) {
        counts?.countFile()
        counts?.leave(placeOf(file), one)
      } else if (isPrivate(one.path)) counts?.countIgnored()
      else if (/\.zip$/i.test(one.path)) {
        counts?.countFile()
        counts?.leave(one.path, left('archive', null, 'is an archive inside of an archive'))
      } else yield one
    }
  } catch (error) {
    counts?.countFile()
    counts?.leave(placeOf(file), leftOf(error))
  }
}

async function isZip(file: SourceFile): Promise<boolean> {
  if (isPlain(file.path)) return false
  try {
    for await (const bytes of file.bytes()) return bytes[0] === 0x50 && bytes[1] === 0x4b
  } catch {
    // Reading it reports the reason.
  }
  return false
}

/** Not opened twice. */
const isPlain = (path: string) => /\.(?:md|markdown|mdx|txt|json|jsonl|ndjson|csv|tsv|html?|enex|eml|mbox)$/i.test(path)
const isOffice = (path: string) => /\.(?:docx|xlsx|pptx|odt|epub)$/i.test(path)
const isNote = (path: string) => /\.(?:md|markdown|mdx)$/i.test(path)

/** The names of all notes, which links need before the first note is read. */
async function findLinks(files: readonly SourceFile[]): Promise<Links> {
  const links = createLinks()
  for (const file of files) {
    if (isPlain(file.path) && !isNote(file.path)) continue
    for await (const one of insideOf(file, null, isNote)) {
      if (!isNote(one.path)) continue
      try {
        links.add(one, await beginningOf(one))
      } catch {
        // Reading the note reports the reason.
      }
    }
  }
  return links
}

/** Enough for the front matter. */
async function beginningOf(file: SourceFile): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of file.bytes()) {
    text += decoder.decode(bytes.subarray(0, 16_384), { stream: true })
    if (text.length >= 8_192) break
    if (!text.startsWith('---') && text.length > 512) break
  }
  return text
}

function placeOf(file: SourceFile): string {
  return fileId(file).slice('file:'.length)
}

function throwIfAborted({ signal }: ImportOptions): void {
  if (signal?.aborted === true)
    throw recallError('ABORTED', 'The import was aborted', { hint: 'Call readExport again.' })
}

/** The zone is checked where it is used. */
function checkOptions(options: unknown): void {
  const wrong = (field: string, value: unknown, problem: string, hint: string) =>
    recallError('INVALID_ARGUMENT', problem, { field, value, hint })
  if (typeof options !== 'object' || options === null)
    throw wrong(
      'options',
      options,
      'must be an object',
      'Give { timeZone, record, signal, onProgress, openPdf }, or nothing.',
    )
  for (const [name, value] of Object.entries(options)) {
    if (!optionNames.has(name))
      throw wrong(name, value, 'must be a known option', `Use one of ${[...optionNames].join(', ')}.`)
    if (value === undefined) continue
    if (name === 'record' && !isPlainObject(value))
      throw wrong(name, value, 'must be an object', 'Give the fields that all records get.')
    if (name === 'signal' && typeof (value as AbortSignal).aborted !== 'boolean')
      throw wrong(name, value, 'must be an AbortSignal', 'Give that of an AbortController.')
    if ((name === 'onProgress' || name === 'openPdf') && typeof value !== 'function')
      throw wrong(name, value, 'must be a function', 'Give a function, or leave it out.')
  }
}

const optionNames: ReadonlySet<string> = new Set<keyof ImportOptions>([
  'timeZone',
  'record',
  'signal',
  'onProgress',
  'openPdf',
])
