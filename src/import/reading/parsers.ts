/** The parsers of other packages. Each is loaded by the first file that needs it, and once: an import asks the loader again each time. */
import type { parse } from 'yaml'

export const yaml = lazily<{ readonly parse: typeof parse }>(() => import('yaml'))
export const html = lazily(() => import('htmlparser2'))
export const mime = lazily(() => import('postal-mime'))
export const tables = lazily(() => import('papaparse'))

/** The parser of HTML takes time with the square of the depth. */
export const mostDepth = 10_000

function lazily<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | null = null
  return () => {
    loaded ??= load()
    return loaded
  }
}
