/** What there is here to run an engine in. */
import type { Platform } from './link/resolve-options.ts'

export function findPlatform(): Platform {
  const { process } = globalThis as { readonly process?: { readonly versions?: { readonly node?: string } } }
  const hasWorkers = typeof Worker === 'function'
  const isPage = hasWorkers && typeof document !== 'undefined'
  // Electron's pages have a process too, and are pages; a document made up in Node has no workers.
  return { isNode: process?.versions?.node !== undefined && !isPage, hasWorkers }
}
