/**
 * The Content-Security-Policy the demos live under: their own scripts and workers, WebAssembly, nothing inline, nothing
 * from elsewhere. It stands as a meta tag in the page and as a header on every file, because a worker obeys only the
 * header it came with.
 */

/**
 * @param {readonly string[]} reach what a page may ask besides its own server
 * @returns {{ readonly page: string, readonly header: string }} for the meta tag, and for the header of every served
 *   file; `frame-ancestors` has no effect in the tag
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
