/**
 * Runs the operations that most pages never need, and is loaded with the first of them. Export, import and re-embedding send many short
 * requests, so that no request exceeds its deadline, other calls can run in between, and an abort takes effect at once.
 */
import type { Message } from '../core/ingest/messages-to-records.ts'
import type { AuthorityConfig } from '../core/model/authority.ts'
import type { OpeningLock } from '../core/model/lock.ts'
import { recallError } from '../core/model/errors.ts'
import type { ImportReceipt, ReembedReceipt, RememberReceipt } from '../core/model/receipts.ts'
import type { PromptPart, ReflectRequest } from '../core/present/reflect-prompt.ts'
import { madeOf } from '../protocol/catch-up.ts'
import { embedAll } from '../protocol/guarded-embedder.ts'
import type { CallOptions, ExportOptions, ImportOptions, ImportSource, Recall, RememberOptions } from './api/recall.ts'
import type { Calls } from './calls/run-calls.ts'
import { sendPlain } from './calls/send-records.ts'
import type { PageEmbedder } from './vectors/embed-records.ts'
import { packMade } from './vectors/pack-made.ts'

export async function* exportParts(
  calls: Calls,
  options?: ExportOptions,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const own = newName()
  const { encrypted } = options ?? {}
  try {
    for (let part = 0; ; part++) {
      const { bytes, isLast } = await calls.run(options, (send) => send('exportPart', { export: own, part, encrypted }))
      if (bytes.length > 0) yield bytes
      if (isLast) return
    }
  } finally {
    ignoreFailure(calls.run(undefined, (send) => send('endExport', { export: own })))
  }
}

export interface Importing {
  readonly calls: Calls
  readonly put: Recall['put']
  /** False: the engine is on a server, which must not get what opens an export. */
  readonly hasLocks: boolean
}

/** The signal may be in the import options or, as in every other method, in the last argument. */
export async function importParts(
  { calls, put, hasLocks }: Importing,
  source: ImportSource,
  options: ImportOptions,
  more: CallOptions = options,
): Promise<ImportReceipt> {
  const own = newName()
  const resolve = options?.onConflict
  if (resolve !== undefined && typeof resolve !== 'function')
    throw recallError('INVALID_ARGUMENT', 'must be a function', {
      field: 'options.onConflict',
      value: resolve,
      hint: 'Give (mine, theirs) => record, or leave it out.',
    })
  const lock = await lockOf(options, hasLocks)
  const { conflicting = [], ...receipt } = await calls.run(more, async (send, signal) => {
    try {
      let at = 0
      for await (const bytes of inParts(source, signal())) {
        const { length } = bytes
        const { buffer } = bytes
        await sendPlain(send, 'importPart', { import: own, at, bytes, ...(at === 0 ? lock : {}) }, lock, [buffer])
        at += length
      }
      // The engine must see an empty source, too, so that it reports the error.
      if (at === 0) await send('importPart', { import: own, at, bytes: new Uint8Array(0) })
      const { mode, authorityTier, redact, learned } = options ?? ({} as Partial<ImportOptions>)
      const withConflicts = resolve !== undefined
      const rules = { mode, authorityTier, redact, learned, withConflicts }
      return await sendPlain(send, 'finishImport', { import: own, ...rules }, rules)
    } finally {
      ignoreFailure(calls.run(undefined, (sendOn) => sendOn('endImport', { import: own })))
    }
  })
  let { revision } = receipt
  for (const { mine, theirs, kept } of conflicting) {
    const chosen = resolve!(mine, theirs)
    if (chosen === kept) continue
    const record = chosen === 'mine' ? mine : chosen === 'theirs' ? theirs : chosen
    revision = (await put({ ...record, id: mine.id! }, more)).revision
  }
  return { ...receipt, revision }
}

/** As a member of a request. */
async function lockOf(options: ImportOptions | undefined, hasLocks: boolean): Promise<{ readonly lock?: OpeningLock }> {
  if (options?.lock === undefined) return {}
  if (hasLocks) return { lock: await (await import('./link/check-lock.ts')).giveLock(options.lock) }
  throw recallError('INVALID_CONFIG', 'must be absent for a store of a server', {
    field: 'lock',
    hint: 'Import the export into a store of this device first.',
  })
}

const loadChat = () => import('./chat-operations.ts')

export async function remember(
  store: Pick<Recall, 'put' | 'recall' | 'get' | 'forget'>,
  now: () => number,
  messages: readonly Message[],
  options: RememberOptions,
): Promise<RememberReceipt> {
  const { extractFacts, messagesToRecords } = await loadChat()
  const { signal, atomic, findContradictions, extract, extractMs, ...given } = options ?? ({} as RememberOptions)
  checkExtract(extract, extractMs)
  const records = messagesToRecords(messages, { now: now(), position: 'time', ...given })
  const receipt = await store.put(records, { signal, atomic, findContradictions })
  if (extract === undefined) return receipt
  return { ...receipt, facts: await extractFacts(store, records, receipt, options) }
}

function checkExtract(extract: unknown, extractMs: unknown): void {
  if (extract !== undefined && typeof extract !== 'function')
    throw recallError('INVALID_ARGUMENT', 'must be a function', {
      field: 'options.extract',
      value: extract,
      hint: 'Give a function of turns, or leave it out.',
    })
  if (extractMs !== undefined && !(Number.isFinite(extractMs) && (extractMs as number) > 0))
    throw recallError('INVALID_ARGUMENT', 'must be a number of ms above 0', {
      field: 'options.extractMs',
      value: extractMs,
      hint: 'Leave it out for 60,000.',
    })
}

export async function reflect(request: ReflectRequest, authority: AuthorityConfig | null): Promise<PromptPart[]> {
  const { reflectPrompt } = await loadChat()
  return reflectPrompt(request, authority)
}

/** Makes missing vectors in batches, with the app's own embedder or else with the engine's. */
export function reembed(calls: Calls, embedder: PageEmbedder | null, options?: CallOptions): Promise<ReembedReceipt> {
  return calls.run(options, async (send, signal) => {
    let after = 0
    let done = 0
    let total = 0
    for (;;) {
      const batch = await send('embedNext', { after, done, total, byCaller: embedder !== null })
      if (after === 0) total = batch.total
      after = batch.after
      done += batch.embedded
      if (embedder !== null && batch.records.length > 0) {
        const texts = batch.records.flatMap(({ chunks }) => chunks.map(({ text }) => text))
        // An explicit call tries the embedder again, even in a pause after a failure.
        const embedded = await embedAll(embedder, texts, { signal: signal(), insist: true })
        // This embedder makes no vectors at all.
        if (embedded.kind === 'none') return { embedded: done, remaining: total - done, revision: batch.revision }
        if (embedded.kind === 'failed') throw embedded.error
        const made = madeOf(batch.records, embedded.vectors, (error) => {
          throw error
        })
        const { records, transfer } = packMade(made, embedder.dimensions)
        done += await send('attachVectors', { records, done, total }, transfer)
      }
      if (batch.isLast) return { embedded: done, remaining: Math.max(0, total - done), revision: batch.revision }
    }
  })
}

/** Size of one import request (bytes). */
const partBytes = 256 * 1024

/** Yields the source's bytes in parts of one size. Each part has its own buffer. */
async function* inParts(source: ImportSource, signal: AbortSignal): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let part = new Uint8Array(partBytes)
  let filled = 0
  for await (const given of partsOf(source)) {
    signal.throwIfAborted()
    const bytes = given instanceof ArrayBuffer ? new Uint8Array(given) : given
    if (!(bytes instanceof Uint8Array)) throw notBytes(given)
    for (let at = 0; at < bytes.length; ) {
      const slice = bytes.subarray(at, at + partBytes - filled)
      part.set(slice, filled)
      filled += slice.length
      at += slice.length
      if (filled < partBytes) continue
      yield part
      part = new Uint8Array(partBytes)
      filled = 0
    }
  }
  if (filled > 0) yield part.slice(0, filled)
}

function partsOf(source: ImportSource): AsyncIterable<unknown> | Iterable<unknown> {
  if (source instanceof Uint8Array || source instanceof ArrayBuffer) return [source]
  const stream = source instanceof Blob ? source.stream() : source
  if (stream instanceof ReadableStream) return chunksOf(stream)
  if (typeof source === 'object' && source !== null && (Symbol.asyncIterator in source || Symbol.iterator in source))
    return source
  throw notBytes(source)
}

/** Reads a stream, because not every browser can iterate over one. */
async function* chunksOf(stream: ReadableStream<unknown>): AsyncGenerator<unknown> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    ignoreFailure(reader.cancel())
  }
}

function notBytes(value: unknown) {
  return recallError('INVALID_ARGUMENT', 'must be a source of bytes', {
    field: 'source',
    value,
    hint: 'Give a Uint8Array, an ArrayBuffer, a Blob, a ReadableStream or an async iterable of Uint8Arrays.',
  })
}

/** Ignores the failure of a clean-up, which changes nothing for the caller. */
function ignoreFailure(promise: Promise<unknown>): void {
  promise.catch(() => undefined)
}

function newName(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(36)).join('-')
}
