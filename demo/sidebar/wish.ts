/** What somebody asked to be remembered, and the record it becomes. The same wish is the same record, however often told. */
import type { RecordInput } from 'scrubjay'

export interface Wish {
  readonly url: string
  readonly title: string
  /** The selection, or the page's text; empty where the browser lets nobody read the page. */
  readonly text: string
  readonly isSelection: boolean
}

/** A page has one record, which a later visit replaces; a selection has one per wording. */
export async function recordOf({ url, title, text, isSelection }: Wish): Promise<RecordInput> {
  const page = pageOf(url)
  const id = await hashOf(isSelection ? `${page}\n${text}` : page)
  return {
    id: `${isSelection ? 'selection' : 'page'}:${id}`,
    kind: isSelection ? 'selection' : 'page',
    project: siteOf(url),
    title: title.slice(0, maxTitleLength),
    body: text.slice(0, maxTextLength),
    metadata: { url: page },
  }
}

/** The host; null for what has none. */
export function siteOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).host || null : null
}

const maxTitleLength = 1_000
// Three bytes a character at most, and a body may have 1 MiB.
const maxTextLength = 300_000

/** Without its fragment: that is a place in the page, not another one. */
function pageOf(url: string): string {
  const [page = url] = url.split('#', 1)
  return page.slice(0, 4_000)
}

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest, 0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
