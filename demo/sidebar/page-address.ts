/** Reads addresses of pages: which can be remembered, their site, and their title without the name of the site. */

/** Whether extensions may remember this page. The browser keeps its own pages, such as settings, to itself. */
export function canRemember(url: string): boolean {
  return /^(https?|file):/.test(url)
}

/** The host; null without one. */
export function siteOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).host || null : null
}

/** The address without fragment: a fragment is a place in the same page. */
export function pageOf(url: string): string {
  const [page = url] = url.split('#', 1)
  return page.slice(0, 4_000)
}

/**
 * The title without the parts that name the site, as in “Web Workers | MDN”. They are on each page of the site, so they say
 * nothing about this one. `siteName` is what the page calls its site; empty if unknown.
 */
export function subjectOf(title: string, url: string, siteName: string): string {
  const names = [lettersOf(siteOf(url) ?? ''), lettersOf(siteName)]
  const parts = title.split(/\s+[-–—|·»:]+\s+/)
  const subject = parts.filter((part) => {
    const letters = lettersOf(part)
    return letters !== '' && !names.some((name) => name.includes(letters))
  })
  return subject.length === 0 ? title : subject.join(' ')
}

/** The words of the path, for a page without a title. */
export function pathWords(url: string): string {
  if (!URL.canParse(url)) return ''
  return new URL(url).pathname.split(/[^\p{L}\p{N}]+/u).join(' ')
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}
