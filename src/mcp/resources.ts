/** Records as resources: `scrubjay://record/<id>`, with the id percent-encoded. */
import type { CallOptions } from '../client/api/recall.ts'
import { recallError } from '../core/model/errors.ts'
import type { Scope } from '../core/model/query.ts'
import type { StoredRecord } from '../core/model/record.ts'
import { showJson, showLine } from '../core/present/escape.ts'
import type { McpStore } from './options.ts'

const prefix = 'scrubjay://record/'
const mimeType = 'application/json'

export const recordTemplate = {
  uriTemplate: `${prefix}{id}`,
  name: 'record',
  title: 'A stored record',
  description: 'One record with all its fields, as JSON. The tools recall and assemble give ids; percent-encode them.',
  mimeType,
} as const

/** A page of the records in the scope, the last changed first. */
export async function listRecords(
  store: McpStore,
  scope: Scope | undefined,
  cursor: string | undefined,
  options: CallOptions,
) {
  const { items, nextCursor } = await store.list({ ...scope, limit: 100, cursor: cursor ?? null }, options)
  return { resources: items.map(describeRecord), ...(nextCursor === null ? {} : { nextCursor }) }
}

/** The record of a URI; null if the scope has none with its id. Rejects with `INVALID_ARGUMENT` if the URI is not that of a record. */
export async function readRecord(store: McpStore, scope: Scope | undefined, uri: string, options: CallOptions) {
  if (uri.length > mostUri) throw tooLong()
  const id = idOf(uri)
  if (scope?.ids !== undefined && !scope.ids.includes(id)) return null
  const { items } = await store.list({ ...scope, ids: [id] }, options)
  const [record] = items
  return record === undefined
    ? null
    : { contents: [{ uri, mimeType, text: showJson(JSON.stringify(record, null, 1)) }] }
}

function describeRecord(record: StoredRecord) {
  const text = record.summary ?? record.body ?? record.instruction ?? record.command ?? ''
  const line = text.replace(/\s+/g, ' ').trim()
  return {
    uri: prefix + encodeURIComponent(record.id),
    name: showLine(record.title ?? (line === '' ? record.id : shortened(line, 60))),
    ...(line === '' ? {} : { description: showLine(shortened(line, 200)) }),
    mimeType,
  }
}

function shortened(text: string, length: number): string {
  // One unit more than the longest text that fits, so that a longer one is seen to be longer.
  const points = Array.from(text.slice(0, 2 * length + 1))
  return points.length > length ? `${points.slice(0, length - 1).join('')}…` : points.join('')
}

/** An id has at most 256 characters, each of at most nine in a URI. */
const mostUri = 4_096

function tooLong() {
  return recallError('INVALID_ARGUMENT', `must have at most ${mostUri} characters`, {
    field: 'uri',
    hint: 'Use a URI of resources/list, or an id that recall gave.',
  })
}

function idOf(uri: string): string {
  try {
    if (uri.startsWith(prefix) && uri.length > prefix.length) return decodeURIComponent(uri.slice(prefix.length))
  } catch {
    // An incomplete percent sequence.
  }
  throw recallError('INVALID_ARGUMENT', `must begin with ${prefix}, followed by a percent-encoded id`, {
    field: 'uri',
    value: uri,
    hint: 'Use a URI of resources/list, or an id that recall gave.',
  })
}
