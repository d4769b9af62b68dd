/**
 * The Content-Security-Policy the demo lives under: its own scripts and workers, WebAssembly, nothing inline, nothing
 * from elsewhere. It stands as a meta tag in the page and as a header on every file, because a worker obeys only the
 * header it came with.
 */

const directives = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "connect-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
]

/** For the meta tag; `frame-ancestors` has no effect there. */
export const pagePolicy = directives.join('; ')

/** For the header of every served file. */
export const headerPolicy = [...directives, "frame-ancestors 'none'"].join('; ')
