/**
 * The demo's static server, under the name the tests know. It lives beside the demo because `npm start` runs it
 * without any build step.
 */
import { type ServeOptions, type StaticServer, serveFolder as serve } from '../../../demo/static-server.mjs'

/** Ports are origins, and browsers outlive a file: no two sites of a process share one, unless a port is asked for. */
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
