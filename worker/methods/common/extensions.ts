/**
 * What an app adds to the engine: pure, synchronous functions on text, given in this process or as a module this thread
 * imports. Refuses modules without them, and answers of another kind than they promise.
 */
import { RecallError, recallError } from '../../../src/core/model/errors.ts'
import { type ContentField, contentFields } from '../../../src/core/model/record.ts'
import { estimateTokens } from '../../../src/core/text/tokens/token-count.ts'
import type { Extensions } from '../../../src/protocol/extensions.ts'

/** Complete: what the app does not bring is there all the same. */
export interface LoadedExtensions {
  /** A whole number of tokens. Throws `INVALID_CONFIG` when the app's function gives something else. */
  countTokens(text: string): number
  /**
   * A record as it may be stored: its text fields redacted; what is no record stays as it is, for the parser to refuse.
   * Throws `INVALID_CONFIG` when the app's function fails: text that could not be redacted is not stored.
   */
  redactRecord<R>(input: R): R
  /** Whether the app brought a function for it. */
  readonly redacts: boolean
}

export const noExtensions: LoadedExtensions = {
  countTokens: estimateTokens,
  redactRecord: (input) => input,
  redacts: false,
}

/** Rejects with `INVALID_CONFIG`. */
export async function loadExtensions(given: string | URL | Extensions | undefined): Promise<LoadedExtensions> {
  if (given === undefined) return noExtensions
  if (typeof given === 'string' || given instanceof URL) return completeExtensions(await importModule(wholeUrl(given)))
  if (typeof given === 'object' && given !== null) return completeExtensions(given)
  throw invalid('extensions', 'must be a URL', urlHint, given)
}

/** From the root of the site where there is one: this thread's own place is none of the app's. */
function wholeUrl(given: string | URL): string {
  const { location } = globalThis as { readonly location?: { readonly origin: string } }
  const text = String(given)
  if (URL.canParse(text, location?.origin)) return new URL(text, location?.origin).href
  throw invalid('extensions', 'must be a URL', urlHint, text)
}

const urlHint = 'Give the absolute URL of a module. Only the inline engine takes functions.'

/** Throws `INVALID_CONFIG` for functions that fail on a text of one word. */
function completeExtensions(given: Extensions): LoadedExtensions {
  const { countTokens, redact } = given
  if (typeof countTokens !== 'function' && typeof redact !== 'function') {
    throw invalid('extensions', 'must have countTokens or redact', 'Export one of them as a function.')
  }
  for (const [name, value] of Object.entries({ countTokens, redact })) {
    if (value === undefined || typeof value === 'function') continue
    throw invalid(`extensions.${name}`, 'must be a function', 'Export a function of a text, or leave it out.')
  }
  const loaded: LoadedExtensions = {
    countTokens: countTokens ? (text) => counted(countTokens, text) : estimateTokens,
    redactRecord: redact ? (input) => redactFields(redact, input) : (input) => input,
    redacts: redact !== undefined,
  }
  loaded.countTokens('word')
  loaded.redactRecord({ body: 'word' })
  return loaded
}

async function importModule(url: string): Promise<Extensions> {
  try {
    return (await import(/* @vite-ignore */ /* webpackIgnore: true */ url)) as Extensions
  } catch (error) {
    throw invalid('extensions', `must lead to a module, which cannot be loaded: ${messageOf(error)}`, moduleHint, url)
  }
}

const moduleHint = 'Serve a module there that loads in a worker. Allow it in script-src.'

function counted(countTokens: (text: string) => number, text: string): number {
  const count = called('countTokens', countTokens, text)
  if (typeof count === 'number' && Number.isSafeInteger(count) && count >= 0) return count
  throw invalid(
    'extensions.countTokens',
    'must return an integer of at least 0',
    'Let it return a number, not a promise.',
    count,
  )
}

function redactFields<R>(redact: (text: string) => string, input: R): R {
  if (typeof input !== 'object' || input === null) return input
  const fields = input as Partial<Record<ContentField, unknown>>
  const redacted = contentFields.flatMap((field) => {
    const text = fields[field]
    return typeof text === 'string' ? [[field, redactText(redact, text)] as const] : []
  })
  return { ...input, ...Object.fromEntries(redacted) }
}

function redactText(redact: (text: string) => string, text: string): string {
  const redacted = called('redact', redact, text)
  if (typeof redacted === 'string') return redacted
  // Says the kind alone: the value may hold what was to be hidden.
  throw invalid(
    'extensions.redact',
    `must return a string, but returned ${typeof redacted}`,
    'Let it return a string, not a promise.',
  )
}

/** What it throws is not passed on: it may quote the text. */
function called<T>(name: string, call: (text: string) => T, text: string): T {
  try {
    return call(text)
  } catch (error) {
    if (error instanceof RecallError) throw error
    throw invalid(`extensions.${name}`, 'must return for each text, but threw', 'Let it return a value for each text.')
  }
}

function invalid(field: string, problem: string, hint: string, ...value: readonly unknown[]) {
  return recallError('INVALID_CONFIG', problem, { field, hint, ...(value.length === 0 ? {} : { value: value[0] }) })
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
