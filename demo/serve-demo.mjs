/**
 * What `npm start` and `npm run agent` have in common: build what is missing, serve it on this machine, print the address.
 * `-- --port 8080` (or PORT=8080) asks for a port; without one, any free port is taken.
 */
import { parseArgs } from 'node:util'
import { buildLibrary, isLibraryStale } from './build.mjs'
import { serveFolder } from './static-server.mjs'

/**
 * @typedef {object} Demo
 * @property {string} name as a person would say it
 * @property {string} outDir
 * @property {(outDir: string) => Promise<void>} build
 * @property {string} policy the header of every file
 */

/**
 * @param {Demo} demo
 * @returns {Promise<number>} exit code; 0 leaves the server running
 */
export async function serveDemo({ name, outDir, build, policy }) {
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
  print(`Building ${name} …`)
  await build(outDir)

  const site = await serveFolder(outDir, { port, headers: { 'Content-Security-Policy': policy } }).catch((error) => {
    print(`Port ${port} cannot be had: ${error.message}`)
    return null
  })
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
