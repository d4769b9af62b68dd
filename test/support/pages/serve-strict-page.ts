/**
 * Serves a page around the built package under the policy of an extension page: the strictest under which the library
 * must run.
 */
import { bundlePage } from './bundle-page.ts'
import { serveFolder } from './static-server.ts'

export const strictPolicy = "script-src 'self' 'wasm-unsafe-eval'; object-src 'self'"

export interface StrictPage {
  readonly url: string
  /** Files written here are served with the page. */
  readonly folder: string
  close(): Promise<void>
}

/** `policy`: used instead of the default. `mounts`: further folders, by path. */
export async function serveStrictPage(
  script: string,
  options: { readonly policy?: string; readonly mounts?: Record<string, string> } = {},
): Promise<StrictPage> {
  const { policy = strictPolicy, mounts = {} } = options
  const bundle = await bundlePage(script)
  const site = await serveFolder(bundle.folder, { headers: { 'Content-Security-Policy': policy }, mounts })
  return {
    url: `${site.url}/`,
    folder: bundle.folder,
    async close() {
      await site.close()
      await bundle.remove()
    },
  }
}
