/** What `readExport` takes: files and folders of a browser or of Node, bytes and texts, in any nesting. */
import { recallError } from '../../core/model/errors.ts'
import { type Left, left, type SourceFile } from '../reading/reader.ts'
import { type Ignored, filesAt } from './paths.ts'
import { safePath } from './safe-path.ts'

/** A file as an object: a name, and its content under one of these names. */
export interface NamedContent {
  readonly path?: string | undefined
  readonly name?: string | undefined
  readonly text?: string | (() => Promise<string>) | undefined
  readonly bytes?: Uint8Array | ArrayBuffer | undefined
  readonly content?: string | Uint8Array | undefined
  readonly data?: string | Uint8Array | ArrayBuffer | undefined
  readonly file?: Blob | undefined
  readonly stream?: (() => AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>) | undefined
  readonly arrayBuffer?: (() => Promise<ArrayBuffer>) | undefined
  readonly lastModified?: number | undefined
  readonly size?: number | undefined
}

/** A handle of the File System Access API. */
export interface Handle {
  readonly kind: 'file' | 'directory'
  readonly name: string
}

/** A path is read in Node only. */
export type GivenFile = Blob | NamedContent | Handle | Uint8Array | ArrayBuffer | string
export type GivenFiles = GivenFile | Iterable<GivenFile> | AsyncIterable<GivenFile>

export type GivenPart = SourceFile | Left | Ignored

export async function* givenFiles(given: unknown, field = 'files'): AsyncIterable<GivenPart> {
  if (typeof given === 'string') yield* filesAt(given)
  else if (given instanceof Uint8Array || given instanceof ArrayBuffer) yield named('file', null, given)
  else if (isHandle(given)) yield* handleFiles(given, null)
  else if (isObject(given) && Symbol.iterator in given) {
    let i = 0
    for (const one of given as Iterable<unknown>) yield* givenFiles(one, `${field}[${i++}]`)
  } else if (isObject(given) && Symbol.asyncIterator in given) {
    let i = 0
    for await (const one of given as AsyncIterable<unknown>) yield* givenFiles(one, `${field}[${i++}]`)
  } else if (given instanceof Blob) yield* blobFile(given, (given as Partial<File>).name)
  else if (isObject(given)) yield* namedFile(given as NamedContent, field)
  else throw wrong(field, given)
}

function* namedFile(given: NamedContent, field: string): Iterable<GivenPart> {
  const path = given.path ?? given.name
  const content =
    given.bytes ?? given.content ?? given.data ?? (typeof given.text === 'string' ? given.text : undefined)
  if (path !== undefined && typeof path !== 'string') throw wrong(field, given)
  const name = path === undefined ? 'file' : safePath(path)
  if (name === null) yield left('unsafe-path', path ?? null, 'has a path that leaves its folder')
  else if (given.file instanceof Blob) yield* blobFile(given.file, name)
  else if (
    content !== undefined &&
    typeof content !== 'string' &&
    !(content instanceof Uint8Array || content instanceof ArrayBuffer)
  )
    throw wrong(field, given)
  else if (content !== undefined) yield named(name, given.lastModified ?? null, content)
  else if (
    typeof given.stream === 'function' ||
    typeof given.arrayBuffer === 'function' ||
    typeof given.text === 'function'
  ) {
    const { stream, arrayBuffer, text } = given
    const bytes = async function* () {
      if (typeof stream === 'function') yield* chunksOf(stream.call(given))
      else if (typeof arrayBuffer === 'function') yield new Uint8Array(await arrayBuffer.call(given))
      else yield new TextEncoder().encode(await (text as () => Promise<string>).call(given))
    }
    yield { path: name, root: null, size: given.size ?? null, modifiedMs: given.lastModified ?? null, bytes }
  } else throw wrong(field, given)
}

function named(path: string, modifiedMs: number | null, content: string | Uint8Array | ArrayBuffer): SourceFile {
  const bytes =
    typeof content === 'string'
      ? new TextEncoder().encode(content)
      : content instanceof ArrayBuffer
        ? new Uint8Array(content)
        : content
  return {
    path,
    root: null,
    size: bytes.length,
    modifiedMs,
    async *bytes() {
      yield bytes
    },
  }
}

/** The first folder of `webkitRelativePath` is the one that was picked. */
function* blobFile(blob: Blob, name = 'file'): Iterable<GivenPart> {
  const { webkitRelativePath = '', lastModified } = blob as Partial<File>
  const path = safePath(webkitRelativePath === '' ? name : webkitRelativePath)
  if (path === null) {
    yield left('unsafe-path', name, 'has a path that leaves its folder')
    return
  }
  const slash = webkitRelativePath === '' ? -1 : path.indexOf('/')
  yield {
    path: path.slice(slash + 1),
    root: slash === -1 ? null : path.slice(0, slash),
    size: blob.size,
    modifiedMs: lastModified ?? null,
    bytes: () => chunksOf(blob.stream()),
  }
}

async function* handleFiles(handle: Handle, root: string | null, folder = ''): AsyncIterable<GivenPart> {
  const path = folder === '' ? handle.name : `${folder}/${handle.name}`
  if (handle.kind === 'file') {
    const file = await (handle as unknown as { getFile(): Promise<File> }).getFile()
    const { size, lastModified: modifiedMs } = file
    yield { path, root, size, modifiedMs, bytes: () => chunksOf(file.stream()) }
    return
  }
  const members = (handle as unknown as { values(): AsyncIterable<Handle> }).values()
  for await (const member of members) {
    if (!member.name.startsWith('.')) yield* handleFiles(member, root ?? handle.name, root === null ? '' : path)
  }
}

async function* chunksOf(stream: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> {
  if (Symbol.asyncIterator in stream) {
    yield* stream as AsyncIterable<Uint8Array>
    return
  }
  // Not every browser can iterate over a stream.
  const reader = (stream as ReadableStream<Uint8Array>).getReader()
  try {
    for (let next = await reader.read(); next.done !== true; next = await reader.read()) yield next.value
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function isHandle(given: unknown): given is Handle {
  const { kind, getFile, values } = (given ?? {}) as Record<string, unknown>
  return (kind === 'file' && typeof getFile === 'function') || (kind === 'directory' && typeof values === 'function')
}

function isObject(given: unknown): given is object {
  return typeof given === 'object' && given !== null
}

function wrong(field: string, value: unknown) {
  return recallError('INVALID_ARGUMENT', 'must be a file, a folder, or a list of these', {
    field,
    value,
    hint: 'Give a File, { name, text }, { name, bytes }, or in Node a path.',
  })
}
