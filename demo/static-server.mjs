/**
 * A small server of static files on 127.0.0.1, shared by the demo and by the browser tests. It refuses every path
 * that leaves the served folders and every method but GET and HEAD. Ranges, caching and compression are left out.
 */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join, resolve, sep } from 'node:path'

/**
 * Answers a request itself instead of serving a folder, with any method.
 * @typedef {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => void} Handler
 *
 * @typedef {object} ServeOptions
 * @property {Readonly<Record<string, string>>} [headers] added to every served file, for instance a
 *   Content-Security-Policy; they win over the headers set here
 * @property {Readonly<Record<string, string | Handler>>} [mounts] further folders or handlers by URL prefix
 *   (`'/dist'`); the longest prefix wins
 * @property {number} [port] default 0: any free port
 *
 * @typedef {object} StaticServer
 * @property {string} url origin without a trailing slash, `http://127.0.0.1:43121`
 * @property {() => Promise<void>} close ends open connections too
 */

const contentTypes = new Map([
  ['.bin', 'application/octet-stream'],
  ['.css', 'text/css; charset=utf-8'],
  ['.gif', 'image/gif'],
  ['.html', 'text/html; charset=utf-8'],
  ['.ico', 'image/x-icon'],
  ['.jpg', 'image/jpeg'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.json', 'application/json; charset=utf-8'],
  ['.jsonl', 'application/x-ndjson; charset=utf-8'],
  ['.map', 'application/json; charset=utf-8'],
  ['.md', 'text/markdown; charset=utf-8'],
  ['.mjs', 'text/javascript; charset=utf-8'],
  ['.png', 'image/png'],
  ['.svg', 'image/svg+xml'],
  ['.txt', 'text/plain; charset=utf-8'],
  ['.wasm', 'application/wasm'],
  ['.webmanifest', 'application/manifest+json'],
  ['.woff2', 'font/woff2'],
])

/**
 * Serves a folder until closed. A folder's URL gives its `index.html`; rejects when the port cannot be had.
 * @param {string} root
 * @param {ServeOptions} [options]
 * @returns {Promise<StaticServer>}
 */
export async function serveFolder(root, options = {}) {
  const { headers = {}, mounts = {}, port = 0 } = options
  const mountsByPrefix = orderMounts({ '/': root, ...mounts })

  const server = createServer((request, response) => {
    answer(request, response, mountsByPrefix, headers).catch((error) => {
      if (response.headersSent) response.destroy(error)
      else refuse(response, 500, 'The file could not be read.')
    })
  })
  await new Promise((done, fail) => {
    server.once('error', fail)
    server.listen(port, '127.0.0.1', () => done(undefined))
  })

  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

/**
 * @param {Readonly<Record<string, string | Handler>>} mounts
 * @returns {readonly (readonly [prefix: string, target: string | Handler])[]} prefixes end in `/`, longest first
 */
function orderMounts(mounts) {
  /** @type {[string, string | Handler][]} */
  const pairs = Object.entries(mounts).map(([prefix, target]) => [
    prefix.endsWith('/') ? prefix : `${prefix}/`,
    typeof target === 'string' ? resolve(target) : target,
  ])
  return pairs.sort(([a], [b]) => b.length - a.length)
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 * @param {ReturnType<typeof orderMounts>} mounts
 * @param {Readonly<Record<string, string>>} headers
 */
async function answer(request, response, mounts, headers) {
  const rawPath = (request.url ?? '/').split(/[?#]/, 1)[0] ?? '/'
  const path = decodePath(rawPath)
  if (path === null) return refuse(response, 403, 'This path is refused.')

  const [prefix, target] = mounts.find(([start]) => `${path}/`.startsWith(start)) ?? ['/', '']
  if (typeof target === 'function') return target(request, response)
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 405, 'Only GET and HEAD.')

  const file = resolve(target, path.slice(prefix.length))
  if (file !== target && !file.startsWith(target + sep)) return refuse(response, 403, 'This path is refused.')

  const found = await stat(file).catch(() => null)
  if (found?.isDirectory() && !path.endsWith('/')) {
    // Without the final slash the relative addresses of the folder's page would point one folder too high.
    response.writeHead(301, { Location: `${rawPath}/` }).end()
    return
  }
  const servedFile = found?.isDirectory() ? join(file, 'index.html') : file
  const served = found?.isDirectory() ? await stat(servedFile).catch(() => null) : found
  if (path === '/favicon.ico' && !served) {
    // Browsers ask for it unbidden, and would report its absence as an error of the page.
    response.writeHead(204).end()
    return
  }
  if (!served?.isFile()) return refuse(response, 404, 'There is no such file.')

  response.writeHead(200, {
    'Content-Type': contentTypes.get(extname(servedFile).toLowerCase()) ?? 'application/octet-stream',
    'Content-Length': served.size,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  })
  if (request.method === 'HEAD') response.end()
  else
    createReadStream(servedFile)
      .on('error', (error) => response.destroy(error))
      .pipe(response)
}

/**
 * @param {string} rawPath
 * @returns {string | null} null for whatever no honest client sends: dot segments, backslashes, NUL, bad escapes
 */
function decodePath(rawPath) {
  try {
    const path = decodeURIComponent(rawPath)
    const isHonest = path.startsWith('/') && !/[\0\\]/.test(path) && !path.split('/').includes('..')
    return isHonest && !path.startsWith('//') ? path : null
  } catch {
    return null
  }
}

/**
 * @param {import('node:http').ServerResponse} response
 * @param {number} status
 * @param {string} reason
 */
function refuse(response, status, reason) {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${reason}\n`)
}
