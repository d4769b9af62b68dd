/** Serves the built site locally: `npm run site:serve`, `-- --port 8080` chooses a port. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { serveFolder } from '../demo/static-server.mjs'
import { siteFolder } from './build.ts'
import { headerPolicy } from './site-policy.ts'

const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } })
const port = Number(values.port)
if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  process.stderr.write(
    'The port must be a whole number from 0 to 65535, for example: npm run site:serve -- --port 8080\n',
  )
  process.exit(1)
}
if (!existsSync(join(siteFolder, 'index.html'))) {
  process.stderr.write('The site is not built. Run: npm run site\n')
  process.exit(1)
}
const { url } = await serveFolder(siteFolder, { port, headers: { 'Content-Security-Policy': headerPolicy } })
process.stdout.write(`The site is at ${url}/\nPress Ctrl+C to stop.\n`)
