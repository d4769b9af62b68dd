/**
 * Reads FTS5's posting lists through an auxiliary function, registered with `fts5_api`. It walks the list of every phrase of the
 * running query with a WebAssembly callback (`worker/kernel/assembly/bridge.ts`). So all phrases of a query cost one statement, with
 * FTS5's own tokenizer and stemmer. Lists are complete, whatever their length.
 * SQLite's function table cannot shrink, so each SQLite module gets two entries, which all readers share.
 */
import { recallError } from '../../../src/core/model/errors.ts'
import type { SqliteModule } from '../types.ts'
import { createWalker, functionName, registerAuxiliary, type Walker } from './postings-fts5.ts'
import { emptyPostingList, type LongKeys, noLongKeys, type PostingList, type PostingsReader } from './postings-list.ts'
import { parsePhrase } from './postings-phrase.ts'
import { errorOfCode } from '../errors.ts'
import { prepareStatement, type Statement } from './postings-statement.ts'

/** Rows of the first buffer (28 kB). Most words are rarer than that; the list of a common word is walked a second time. */
const firstCapacityRows = 4096
const bytesPerRow = 7
const bytesPerPlace = 8
const firstCapacityPlaces = 1024
const scratchBytes = 16

/** Opens a bridge reader. Throws if this SQLite module lacks a function that the bridge needs. */
export function createBridgeReader(sqlite3: SqliteModule, database: number, table: string): PostingsReader {
  const bridge = bridgeOf(sqlite3)
  const buffer: RowBuffer = { address: 0, capacityRows: 0 }
  const places: PlaceBuffer = { address: 0, capacity: 0, longAddress: 0, long: noLongKeys }
  const statement = prepareQuery(sqlite3, database, table, bridge)
  let closed = false

  return {
    mode: 'bridge',
    fallbackReason: null,
    read(phrases, long = noLongKeys) {
      if (closed) throw recallError('CLOSED', 'The posting reader is closed')
      for (const phrase of phrases) parsePhrase(phrase)
      if (phrases.length === 0) return []
      copyLongKeys(sqlite3, places, long)
      return readPhrases(bridge, statement, buffer, places, phrases)
    },
    close() {
      if (closed) return
      closed = true
      statement.finalize()
      for (const address of [buffer.address, places.address, places.longAddress]) sqlite3.wasm.dealloc(address)
    },
  }
}

/** The request of the running statement for the auxiliary function, and its result. */
interface Request {
  readonly phrases: number
  readonly buffer: RowBuffer
  readonly places: PlaceBuffer
  lists: PostingList[] | null
  failure: unknown
}

/** A buffer in SQLite's memory through which lists are copied. It grows to the longest list read so far. */
interface RowBuffer {
  address: number
  capacityRows: number
}

/** The same for occurrences in long records, with a copy of the keys of these. */
interface PlaceBuffer {
  address: number
  capacity: number
  longAddress: number
  long: LongKeys
}

interface Bridge {
  /** Index of the auxiliary function in the function table. */
  readonly auxiliary: number
  request: Request | null
}

function readPhrases(
  bridge: Bridge,
  statement: Statement,
  buffer: RowBuffer,
  places: PlaceBuffer,
  phrases: readonly string[],
): PostingList[] {
  const request: Request = { phrases: phrases.length, buffer, places, lists: null, failure: null }
  let rows = 0
  bridge.request = request
  try {
    statement.run([phrases.join(' OR ')], () => {
      rows++
    })
  } finally {
    bridge.request = null
  }
  if (request.failure !== null) throw request.failure
  if (request.lists !== null) return request.lists
  if (rows > 0) throw recallError('INVALID_CONFIG', `This connection has ${functionName} of another copy of Scrubjay`)
  // FTS5 calls the function only if a record contains one of the phrases.
  return phrases.map(emptyPostingList)
}

/**
 * Prepares the reader's statement. FTS5 cannot drop a registered function, which lives as long as the connection. So the function is
 * registered only if the statement does not compile without it.
 */
function prepareQuery(sqlite3: SqliteModule, database: number, table: string, bridge: Bridge): Statement {
  const sql = `SELECT ${functionName}("${table}") FROM main."${table}" WHERE "${table}" MATCH ?1 LIMIT 1`
  try {
    return prepareStatement(sqlite3, database, sql)
  } catch {
    registerAuxiliary(sqlite3, database, bridge.auxiliary)
    return prepareStatement(sqlite3, database, sql)
  }
}

const bridges = new WeakMap<object, Bridge>()

/** The bridge of a module, installed at its first use. Its two entries of the function table are never freed. */
function bridgeOf(sqlite3: SqliteModule): Bridge {
  const installed = bridges.get(sqlite3.wasm)
  if (installed) return installed
  const bridge: Bridge = { auxiliary: sqlite3.wasm.installFunction('v(pppip)', answer), request: null }
  bridges.set(sqlite3.wasm, bridge)
  let walker: Walker | null = null
  return bridge

  /** The auxiliary function. An exception must not unwind SQLite's frames, so it is stored in the request. */
  function answer(api: number, query: number): void {
    const { request } = bridge
    if (request === null) return
    try {
      walker ??= createWalker(sqlite3, api)
      request.lists = readLists(sqlite3, walker, query, request)
    } catch (failure) {
      request.failure = failure
    }
  }
}

function readLists(sqlite3: SqliteModule, walker: Walker, query: number, request: Request): PostingList[] {
  const phrases = walker.phraseCount(query)
  if (phrases !== request.phrases) {
    throw recallError('INVALID_ARGUMENT', `FTS5 must see ${request.phrases} phrases`, {
      value: phrases,
    })
  }
  return Array.from({ length: phrases }, (_, phrase) => readList(sqlite3, walker, query, phrase, request))
}

function readList(
  sqlite3: SqliteModule,
  walker: Walker,
  query: number,
  phrase: number,
  { buffer, places }: Pick<Request, 'buffer' | 'places'>,
): PostingList {
  let rows = walk()
  // The first walk counted all rows. If the buffer was too small, it grows and a second walk stores all rows.
  if (rows > buffer.capacityRows) {
    growBuffer(sqlite3, buffer, rows)
    rows = walk()
  }
  // Only a walk that stored all rows counted all their occurrences.
  if (walker.exports.foundPlaces() > places.capacity) {
    growPlaces(sqlite3, places, walker.exports.foundPlaces())
    rows = walk()
  }
  return { ...copyRows(sqlite3, buffer, rows), places: copyPlaces(sqlite3, places, walker.exports.foundPlaces()) }

  function walk(): number {
    if (buffer.address === 0) growBuffer(sqlite3, buffer, firstCapacityRows)
    walker.exports.begin(buffer.address, buffer.capacityRows)
    walker.exports.beginPlaces(places.address, places.capacity, places.longAddress, places.long.length * 8)
    const code = walker.queryPhrase(query, phrase, 0, walker.visit)
    if (code !== 0) throw errorOfCode(code, 'FTS5 could not walk a posting list', 'a posting list')
    return walker.exports.found()
  }
}

function growBuffer(sqlite3: SqliteModule, buffer: RowBuffer, rows: number): void {
  const { wasm } = sqlite3
  let capacityRows = Math.max(buffer.capacityRows, firstCapacityRows)
  while (capacityRows < rows) capacityRows *= 2
  wasm.dealloc(buffer.address)
  buffer.address = 0
  buffer.capacityRows = 0
  buffer.address = wasm.alloc(scratchBytes + capacityRows * bytesPerRow)
  buffer.capacityRows = capacityRows
}

/** Copies a list out of the buffer, whose three blocks are adjacent, as `begin` laid them out. */
function copyRows(sqlite3: SqliteModule, buffer: RowBuffer, rows: number): Omit<PostingList, 'places'> {
  const memory = sqlite3.wasm.heap8u().buffer
  const keysAt = buffer.address + scratchBytes
  const countsAt = keysAt + 4 * buffer.capacityRows
  const titleCountsAt = countsAt + 2 * buffer.capacityRows
  return {
    keys: new Uint32Array(memory, keysAt, rows).slice(),
    counts: new Uint16Array(memory, countsAt, rows).slice(),
    titleCounts: new Uint8Array(memory, titleCountsAt, rows).slice(),
  }
}

function growPlaces({ wasm }: SqliteModule, places: PlaceBuffer, needed: number): void {
  let capacity = Math.max(places.capacity, firstCapacityPlaces)
  while (capacity < needed) capacity *= 2
  wasm.dealloc(places.address)
  places.address = 0
  places.capacity = 0
  places.address = wasm.alloc(capacity * bytesPerPlace)
  places.capacity = capacity
}

function copyPlaces({ wasm }: SqliteModule, { address }: PlaceBuffer, found: number): Uint32Array {
  return found === 0 ? noPlaces : new Uint32Array(wasm.heap8u().buffer, address, found * 2).slice()
}

const noPlaces = emptyPostingList().places

/** Copies the keys of long records into SQLite's memory when they changed. */
function copyLongKeys({ wasm }: SqliteModule, places: PlaceBuffer, long: LongKeys): void {
  if (places.long === long) return
  wasm.dealloc(places.longAddress)
  places.longAddress = 0
  places.long = noLongKeys
  if (long.length === 0) return
  places.longAddress = wasm.alloc(long.length)
  wasm.heap8u().set(long, places.longAddress)
  places.long = long
}
