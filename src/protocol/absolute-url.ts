/**
 * Returns an absolute URL, because a relative one means something else in another thread. Next.js compiles
 * `new URL('file', import.meta.url)` into an object whose `href` is a path from the root of the site; apps also give such objects in
 * `assets`.
 */
export function absoluteHref({ href }: { readonly href: string }): string {
  const { document, location } = globalThis as {
    readonly document?: { readonly baseURI: string }
    readonly location?: { readonly href: string }
  }
  try {
    return new URL(href, document?.baseURI ?? location?.href).href
  } catch {
    return href
  }
}
