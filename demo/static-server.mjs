/**
 * Serves static files on 127.0.0.1 for the demo and the browser tests. sirv finds and sends the files; this module decides
 * mounts, refusals and content types.
 */
import { createServer } from 'node:http'
import { lookup } from 'mrmime'
import sirv from 'sirv'

/**
 * Answers requests of any method, in place of a folder.
 * @typedef {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => void} Handler
 *
 * @typedef {object} ServeOptions
 * @property {Readonly<Record<string, string>>} [headers] headers of every served file, for example a
 *   Content-Security-Policy; they override the headers set here
 * @property {Readonly<Record<string, string | Handler>>} [mounts] further folders or handlers by URL prefix
 *   (`'/dist'`); the longest prefix wins
 * @property {number} [port] default 0: any free port
 *
 * @typedef {object} StaticServer
 * @property {string} url origin without a trailing slash, `http://127.0.0.1:43121`
 * @property {() => Promise<void>} close also ends open connections
 */

/**
 * Serves a folder until closed. The URL of a folder serves its `index.html`. Rejects if the port is in use.
 * @param {string} root
 * @param {ServeOptions} [options]
 * @returns {Promise<StaticServer>}
 */
export async function serveFolder(root, options = {}) {
  const { headers = {}, mounts = {}, port = 0 } = options
  const handlers = Object.entries({ '/': root, ...mounts })
    .map(([mount, target]) => {
      const prefix = mount.endsWith('/') ? mount : `${mount}/`
      return { prefix, handle: typeof target === 'string' ? serveFiles(target, prefix, headers) : target }
    })
    .sort((a, b) => b.prefix.length - a.prefix.length)

  const server = createServer((request, response) => {
    const path = pathOf(request)
    const found = isPlain(path) ? handlers.find(({ prefix }) => `${path}/`.startsWith(prefix)) : undefined
    if (found) found.handle(request, response)
    else refuse(response, 403, 'This path is refused.')
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
 * @param {string} folder
 * @param {string} prefix of its URLs, ends in `/`
 * @param {Readonly<Record<string, string>>} headers
 * @returns {Handler}
 */
function serveFiles(folder, prefix, headers) {
  // `dev` reads the disk at each request and sends `Cache-Control: no-store`.
  const serve = sirv(folder, {
    dev: true,
    extensions: [],
    setHeaders: (response, path) => {
      const all = { 'Content-Type': contentType(path), 'X-Content-Type-Options': 'nosniff', ...headers }
      for (const [name, value] of Object.entries(all)) response.setHeader(name, value)
    },
  })
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return refuse(response, 405, 'The method must be GET or HEAD.')
    const path = pathOf(request)
    request.url = path.slice(prefix.length - 1).replace(/\/$/, '/index.html')
    // sirv leaves a failed read unhandled, which would end the process.
    response.on('pipe', (file) => file.on('error', () => response.destroy()))
    serve(request, response, () => answerMissing(path, response))
  }
}

/**
 * @param {string} path
 * @param {import('node:http').ServerResponse} response
 */
function answerMissing(path, response) {
  // Browsers request it by themselves, and would report a 404 as an error of the page.
  if (path === '/favicon.ico') return void response.writeHead(204).end()
  // A folder: without the final slash, relative URLs of its page would resolve one folder too high.
  if (/\/[^/.]+$/.test(path)) return void response.writeHead(301, { Location: `${path}/` }).end()
  refuse(response, 404, 'File not found.')
}

/** @param {import('node:http').IncomingMessage} request */
function pathOf({ url = '/' }) {
  return url.split(/[?#]/, 1)[0] ?? '/'
}

/**
 * False for dot segments, backslashes, NUL, wrong escapes, and double slashes, which a redirect could turn into another
 * host.
 * @param {string} path
 */
function isPlain(path) {
  try {
    return !/[\\\0]|\/\/|\/\.\.(?:\/|$)/.test(decodeURIComponent(path))
  } catch {
    return false
  }
}

/** @param {string} path */
function contentType(path) {
  const type = path.endsWith('.jsonl') ? 'application/x-ndjson' : (lookup(path) ?? 'application/octet-stream')
  return /^text\/|^application\/(?:json|x-ndjson)$/.test(type) ? `${type}; charset=utf-8` : type
}

/**
 * @param {import('node:http').ServerResponse} response
 * @param {number} status
 * @param {string} reason
 */
function refuse(response, status, reason) {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${reason}\n`)
}
