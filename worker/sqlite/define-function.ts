/** Registers a function of JavaScript for SQL. Triggers may call it although the schema is not trusted, so it must change no table. */
import type { SqliteDatabase } from './sqlite-database.ts'

export interface FunctionShape {
  readonly name: string
  /** Number of arguments. */
  readonly length: number
  /** Whether equal arguments give equal results, so that SQLite may call it less often. Default false. */
  readonly isDeterministic?: boolean
}

/** `work` gets the arguments as JavaScript values. What it returns is the result; undefined is NULL. */
export function defineFunction(
  { sqlite3, pointer }: SqliteDatabase,
  { name, length, isDeterministic = false }: FunctionShape,
  work: (...values: unknown[]) => string | null | undefined,
): void {
  const { capi } = sqlite3
  const flags = capi.SQLITE_UTF8 | capi.SQLITE_INNOCUOUS | (isDeterministic ? capi.SQLITE_DETERMINISTIC : 0)
  capi.sqlite3_create_function_v2(
    pointer,
    name,
    length,
    // The type declares only the encoding; SQLite also takes these flags.
    flags as typeof capi.SQLITE_UTF8,
    0 as never,
    (_context: number, ...values: unknown[]) => work(...values) ?? null,
    0 as never,
    0 as never,
    0 as never,
  )
}
