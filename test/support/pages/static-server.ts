/**
 * The demo's static server, under the name that the tests use. It is in the demo's folder because `npm start` runs it
 * without any build step.
 */
import { type ServeOptions, type StaticServer, serveFolder as serve } from '../../../demo/static-server.mjs'

/**
 * Ports are origins, and browsers outlive a file: sites of a process never share one, unless the caller names a port.
 */
const givenUrls = new Set<string>()

export async function serveFolder(root: string, options: ServeOptions = {}): Promise<StaticServer> {
  for (;;) {
    const site = await serve(root, options)
    if (options.port || !givenUrls.has(site.url)) {
      givenUrls.add(site.url)
      return site
    }
    await site.close()
  }
}
