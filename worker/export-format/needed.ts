/** Shared by the parsers of an export: required numbers and known fields. */
import { optionalNumber, refuse } from '../../src/core/ingest/parse-fields.ts'

export type Given = Readonly<Record<string, unknown>>

export function fields(...names: readonly string[]): ReadonlySet<string> {
  return new Set(names)
}

export function needed(given: Given, name: string, bounds: Parameters<typeof optionalNumber>[2], at: string): number {
  const value = optionalNumber(given, name, bounds, at)
  if (value === null) throw refuse(`${at}.${name}`, undefined, 'is required', 'Export again.')
  return value
}
