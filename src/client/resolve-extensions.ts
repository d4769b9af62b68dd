/** Checks the `extensions` of an app and makes its URL whole. Loaded when there are any. */
import { recallError } from '../core/model/errors.ts'
import type { ResolvedOptions } from './resolve-options.ts'

/** Throws `INVALID_CONFIG`. */
export function resolveExtensions(resolved: ResolvedOptions): ResolvedOptions {
  const { engine, given } = resolved
  const { extensions } = given
  if (typeof extensions === 'string' || extensions instanceof URL) {
    return { ...resolved, engine: { ...engine, extensions: wholeUrl(extensions) } }
  }
  if (typeof extensions !== 'object' || extensions === null) {
    throw invalid(extensions, 'is no URL', 'Give the URL of a module.')
  }
  if (engine.runtime === 'worker') {
    throw invalid(extensions, 'functions cannot go to a worker', 'Give the URL of a module that exports them.')
  }
  return { ...resolved, functions: extensions }
}

/** Relative to the page, where there is one. */
function wholeUrl(given: string | URL): string {
  const base = typeof document === 'undefined' ? undefined : document.baseURI
  const text = String(given)
  if (!URL.canParse(text, base))
    throw invalid(text, 'is no URL', 'Give an absolute URL, for example import.meta.resolve(…).')
  return new URL(text, base).href
}

function invalid(value: unknown, problem: string, cure: string) {
  return recallError('INVALID_CONFIG', problem, { field: 'extensions', value, cure })
}
