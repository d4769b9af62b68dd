/** Moves values between JavaScript and SQLite's memory: binds parameters and reads columns, by the raw exports of the module. */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import type { BindValue, Row } from './database.ts'

/** The raw functions that the driver calls; sqlite-wasm's own typings have only wrappers of them. */
export interface RawExports {
  sqlite3_step(statement: number): number
  sqlite3_reset(statement: number): number
  sqlite3_clear_bindings(statement: number): number
  sqlite3_finalize(statement: number): number
  sqlite3_changes(database: number): number
  sqlite3_bind_null(statement: number, index: number): number
  sqlite3_bind_int(statement: number, index: number, value: number): number
  sqlite3_bind_double(statement: number, index: number, value: number): number
  sqlite3_bind_text(statement: number, index: number, text: number, bytes: number, destructor: number): number
  sqlite3_bind_blob(statement: number, index: number, blob: number, bytes: number, destructor: number): number
  sqlite3_column_type(statement: number, column: number): number
  sqlite3_column_double(statement: number, column: number): number
  sqlite3_column_text(statement: number, column: number): number
  sqlite3_column_blob(statement: number, column: number): number
  sqlite3_column_bytes(statement: number, column: number): number
}

export function rawExports({ wasm }: Sqlite3Static): RawExports {
  return wasm.exports as unknown as RawExports
}

const encoder = new TextEncoder()
// A leading U+FEFF is part of the text.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Decodes short ASCII texts, as most columns have, without the decoder, whose call costs more than a few characters. */
function decode(heap: Uint8Array, from: number, to: number): string {
  if (to - from > shortText) return decoder.decode(heap.subarray(from, to))
  let text = ''
  for (let at = from; at < to; at++) {
    const byte = heap[at]!
    if (byte >= 0x80) return decoder.decode(heap.subarray(from, to))
    text += String.fromCharCode(byte)
  }
  return text
}

const shortText = 16

/** Binds one parameter, numbered from 1. Returns SQLite's result code. */
export function bindOne(sqlite3: Sqlite3Static, statement: number, index: number, value: BindValue): number {
  const { capi, wasm } = sqlite3
  const raw = rawExports(sqlite3)
  if (value === null) return raw.sqlite3_bind_null(statement, index)
  if (typeof value === 'number') {
    return (value | 0) === value
      ? raw.sqlite3_bind_int(statement, index, value)
      : raw.sqlite3_bind_double(statement, index, value)
  }
  if (typeof value === 'string') {
    const target = wasm.alloc(value.length * 3 + 1) as number
    const { written } = encoder.encodeInto(value, wasm.heap8u().subarray(target, target + value.length * 3))
    return raw.sqlite3_bind_text(statement, index, target, written, capi.SQLITE_WASM_DEALLOC as unknown as number)
  }
  const target = wasm.alloc(value.byteLength || 1) as number
  wasm.heap8u().set(value, target)
  return raw.sqlite3_bind_blob(
    statement,
    index,
    target,
    value.byteLength,
    capi.SQLITE_WASM_DEALLOC as unknown as number,
  )
}

/** The cursor of a statement: reads the columns of its current row. */
export function rowOf(sqlite3: Sqlite3Static, statement: number): Row {
  const { wasm } = sqlite3
  const { SQLITE_NULL } = sqlite3.capi
  const raw = rawExports(sqlite3)
  const isNull = (column: number) => raw.sqlite3_column_type(statement, column) === SQLITE_NULL
  const text = (column: number): string => {
    const start = raw.sqlite3_column_text(statement, column)
    if (start === 0) return ''
    const length = raw.sqlite3_column_bytes(statement, column)
    return decode(wasm.heap8u(), start, start + length)
  }
  const bytesInPlace = (column: number): Uint8Array => {
    const start = raw.sqlite3_column_blob(statement, column)
    return wasm.heap8u().subarray(start, start + raw.sqlite3_column_bytes(statement, column))
  }
  return {
    number: (column) => raw.sqlite3_column_double(statement, column),
    numberOrNull: (column) => (isNull(column) ? null : raw.sqlite3_column_double(statement, column)),
    text,
    textOrNull: (column) => (isNull(column) ? null : text(column)),
    bytes: (column) => bytesInPlace(column).slice(),
    bytesInPlace,
  }
}
