/**
 * Writes the Content-Security-Policy of the demos: own scripts and workers and WebAssembly only, nothing inline, nothing from
 * other servers. It is both a meta tag of the page and a header of every file, because a worker obeys only its own header.
 */

/**
 * @param {readonly string[]} reach sources that the page may connect to besides its own server
 * @returns {{ readonly page: string, readonly header: string }} `page` for the meta tag, `header` for every served file;
 *   `frame-ancestors` works only in the header
 */
export function securityPolicy(reach = []) {
  const page = [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self'",
    ["connect-src 'self'", ...reach].join(' '),
    "style-src 'self'",
    "img-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  return { page, header: `${page}; frame-ancestors 'none'` }
}

export const { page: pagePolicy, header: headerPolicy } = securityPolicy()
