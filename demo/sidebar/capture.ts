/** Turns a capture, that is, a page or selection to remember, into a record. The same capture always gives the same record. */
import type { Recall, RecordInput } from 'scrubjay'
import { pageOf, siteOf } from './page-address.ts'

export interface Capture {
  readonly url: string
  readonly title: string
  /** The selection, or the page's text; empty if the browser does not let extensions read the page. */
  readonly text: string
  readonly isSelection: boolean
}

/** A page has one record, which a later visit replaces. Each distinct selection has its own record. */
export async function recordOf({ url, title, text, isSelection }: Capture): Promise<RecordInput> {
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

/** A page that could not be read this time keeps the text that is stored. */
export async function withKnownText(recall: Pick<Recall, 'get'>, record: RecordInput): Promise<RecordInput> {
  if (record.body !== '' || record.id === undefined) return record
  const stored = await recall.get(record.id)
  return stored === undefined ? record : { ...record, body: stored.body }
}

const maxTitleLength = 1_000
// At most three bytes per character; a body may have 1 MiB.
const maxTextLength = 300_000

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest, 0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
