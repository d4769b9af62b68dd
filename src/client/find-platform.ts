/** Detects whether this context is Node and whether it has Web Workers. */
import type { Platform } from './link/resolve-options.ts'

export function findPlatform(): Platform {
  const { process } = globalThis as { readonly process?: { readonly versions?: { readonly node?: string } } }
  const hasWorkers = typeof Worker === 'function'
  const isPage = hasWorkers && typeof document !== 'undefined'
  // Pages of Electron also have a process. A simulated document in Node has no workers.
  return { isNode: process?.versions?.node !== undefined && !isPage, hasWorkers }
}
