/** A page around the built package, served under the policy an extension page lives under: the strictest the library must run in. */
import { bundlePage } from './bundle-page.ts'
import { serveFolder } from './static-server.ts'

export const strictPolicy = "script-src 'self' 'wasm-unsafe-eval'; object-src 'self'"

export interface StrictPage {
  readonly url: string
  /** What is written here is served beside the page. */
  readonly folder: string
  close(): Promise<void>
}

/** `policy`: instead of that one. `mounts`: further folders, by path. */
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
