/**
 * `npm start`: builds what is missing, serves the demo on this machine and prints its address.
 * `npm start -- --port 8080` (or PORT=8080) asks for a port; without one, any free port is taken.
 */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { buildDemo, buildLibrary, isLibraryStale } from './build.mjs'
import { headerPolicy } from './security-policy.mjs'
import { serveFolder } from './static-server.mjs'

const outDir = fileURLToPath(new URL('dist', import.meta.url))

process.exitCode = await main()

/** @returns {Promise<number>} exit code; 0 leaves the server running */
async function main() {
  const port = requestedPort()
  if (port === null) {
    print('The port must be a whole number from 0 to 65535, for example: npm start -- --port 8080')
    return 1
  }
  if (isLibraryStale()) {
    print('Building the library …')
    if (!(await buildLibrary())) {
      print('The library did not build; its reason stands above.')
      return 1
    }
  }
  print('Building the demo …')
  await buildDemo(outDir)

  const site = await serveFolder(outDir, { port, headers: { 'Content-Security-Policy': headerPolicy } }).catch(
    (error) => {
      print(`Port ${port} cannot be had: ${error.message}`)
      return null
    },
  )
  if (site === null) return 1
  print(`\nScrubjay is at ${site.url}/\nCtrl+C ends it.`)
  return 0
}

/** @returns {number | null} 0: any free port; null: not a port */
function requestedPort() {
  const { values } = parseArgs({ options: { port: { type: 'string' } }, strict: false })
  const asked = typeof values.port === 'string' ? values.port : (process.env.PORT ?? '0')
  const port = Number(asked)
  return Number.isInteger(port) && port >= 0 && port <= 65_535 ? port : null
}

/** @param {string} line */
function print(line) {
  process.stdout.write(`${line}\n`)
}
