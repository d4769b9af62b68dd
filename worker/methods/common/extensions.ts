/**
 * Loads an app's extensions: pure, synchronous functions on text, given as functions (inline engine) or as a module that this
 * thread imports. Rejects modules without them, and results of the wrong type.
 */
import { RecallError, recallError } from '../../../src/core/model/errors.ts'
import { type ContentField, contentFields } from '../../../src/core/model/record.ts'
import { estimateTokens } from '../../../src/core/text/tokens/token-count.ts'
import type { Extensions } from '../../../src/protocol/extensions.ts'

/** The extensions of an app, completed with defaults. */
export interface LoadedExtensions {
  /** Number of tokens. Throws `INVALID_CONFIG` if the app's function returns anything but an integer of at least 0. */
  countTokens(text: string): number
  /**
   * Redacts the text fields of a record. Other values are returned unchanged; the parser rejects them. Throws
   * `INVALID_CONFIG` if the app's function fails: text that could not be redacted must not be stored.
   */
  redactRecord<R>(input: R): R
  /** Whether the app has a redact function. */
  readonly redacts: boolean
}

export const noExtensions: LoadedExtensions = {
  countTokens: estimateTokens,
  redactRecord: (input) => input,
  redacts: false,
}

/** Loads and checks the extensions. Rejects with `INVALID_CONFIG`. */
export async function loadExtensions(given: string | URL | Extensions | undefined): Promise<LoadedExtensions> {
  if (given === undefined) return noExtensions
  if (typeof given === 'string' || given instanceof URL)
    return completeExtensions(await importModule(absoluteUrl(given)))
  if (typeof given === 'object' && given !== null) return completeExtensions(given)
  throw invalid('extensions', 'must be a URL', urlHint, given)
}

/** Resolves a URL against the origin of the site, because the app does not know the URL of this worker. */
function absoluteUrl(url: string | URL): string {
  const { location } = globalThis as { readonly location?: { readonly origin: string } }
  const text = String(url)
  if (URL.canParse(text, location?.origin)) return new URL(text, location?.origin).href
  throw invalid('extensions', 'must be a URL', urlHint, text)
}

const urlHint = 'Give the absolute URL of a module. Only the inline engine takes functions.'

/** Calls each function once with one word. Throws `INVALID_CONFIG` if it fails. */
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
    throw invalid(
      'extensions',
      `must be the URL of a module, but loading it failed: ${messageOf(error)}`,
      moduleHint,
      url,
    )
  }
}

const moduleHint = 'Serve a module at this URL that loads in a worker. Allow it in script-src.'

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
  // The error has the type only: the value may contain text that must be hidden.
  throw invalid(
    'extensions.redact',
    `must return a string, but returned ${typeof redacted}`,
    'Let it return a string, not a promise.',
  )
}

/** Hides the function's own error: it may quote the text. */
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
