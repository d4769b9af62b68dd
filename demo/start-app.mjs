/** Builds what is missing of one of the demo apps, serves it locally and prints its address. */
import { parseArgs } from 'node:util'
import { buildLibrary, isLibraryStale } from './build.mjs'
import { headerPolicy } from './security-policy.mjs'
import { serveFolder } from './static-server.mjs'

/**
 * @typedef {object} App
 * @property {string} name for messages
 * @property {string} command that starts it
 * @property {(outDir: string) => Promise<void>} build
 * @property {string} outDir
 * @property {number} [defaultPort] default 0: any free port
 * @property {string} [policy] Content-Security-Policy of every file; default: the demo's
 */

/**
 * @param {App} app
 * @returns {Promise<number>} exit code; with 0, the server keeps running
 */
export async function startApp({ name, command, build, outDir, defaultPort = 0, policy = headerPolicy }) {
  const port = requestedPort(defaultPort)
  if (port === null) {
    print(`The port must be a whole number from 0 to 65535, for example: ${command} -- --port 8080`)
    return 1
  }
  if (isLibraryStale()) {
    print('Building the library …')
    if (!(await buildLibrary())) {
      print('The library did not build. The reason is above.')
      return 1
    }
  }
  print(`Building ${name} …`)
  await build(outDir)

  const site = await serveFolder(outDir, { port, headers: { 'Content-Security-Policy': policy } }).catch((error) => {
    print(`Port ${port} cannot be used: ${error.message}\nChoose another: ${command} -- --port 8080`)
    return null
  })
  if (site === null) return 1
  print(`\n${name} is at ${site.url}/\nPress Ctrl+C to stop.`)
  return 0
}

/**
 * @param {number} defaultPort
 * @returns {number | null} null if the requested port is invalid
 */
function requestedPort(defaultPort) {
  const { values } = parseArgs({ options: { port: { type: 'string' } }, strict: false })
  const requested = typeof values.port === 'string' ? values.port : (process.env.PORT ?? String(defaultPort))
  const port = Number(requested)
  return Number.isInteger(port) && port >= 0 && port <= 65_535 ? port : null
}

/** @param {string} line */
function print(line) {
  process.stdout.write(`${line}\n`)
}
