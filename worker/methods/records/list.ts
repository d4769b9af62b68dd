/** list: returns one page in an order whose last key is the id. A keyset cursor, bound to filter and order, continues it. */
import { recallError } from '../../../src/core/model/errors.ts'
import type { ListFilter } from '../../../src/core/model/query.ts'
import type { ListPage } from '../../../src/core/model/receipts.ts'
import { tuning } from '../../../src/core/model/tuning.ts'
import { parseListFilter } from '../../../src/core/query/parse-query.ts'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { sha256Hex } from '../../../src/core/text/hash/sha256.ts'
import { contradictory } from '../../scheduling/stored-order.ts'
import type { PageRequest, Store } from '../../store/port/store.ts'
import { beyond } from '../../store/queries/pages.ts'
import { matching } from '../common/matching.ts'
import { checkDeclared } from '../common/scope.ts'

export function list(store: Store, input: ListFilter): ListPage {
  const { cursor, text, prefix, typos, order, limit = tuning.defaultListLimit, ...scope } = parseListFilter(input)
  checkDeclared(scope, store)
  const by = order?.by ?? 'updatedAt'
  const direction = order?.direction ?? (by === 'title' ? 'asc' : 'desc')
  const belongsTo = sha256Hex(canonicalJson({ ...scope, text, prefix, typos, by, direction })).slice(0, 8)
  const after = cursor === undefined || cursor === null ? null : parseCursor(cursor, belongsTo)
  return store.reading(() => {
    // One record more than the limit shows whether there is a next page.
    const among = matching(store, scope, text, { prefix, typos })
    const { records } = store.statistics(null)
    const keys = store.page({ by, direction, after, among, records, limit: limit + 1 })
    const items = store.hydrate(keys.slice(0, limit))
    const last = items.at(-1)
    // A row that the table lacks, or rows in another order: an index is damaged, and its cursor may never end.
    if (items.length < Math.min(keys.length, limit)) throw contradictory()
    items.reduce((before, item) => beyond({ by, direction }, before, { value: item[by], id: item.id }), after)
    const truncated = keys.length > limit
    return {
      items,
      nextCursor: truncated && last !== undefined ? formatCursor([belongsTo, last[by], last.id]) : null,
      limit,
      truncated,
    }
  })
}

/** The filter, and the value and id of the last record of the page. */
type Cursor = readonly [belongsTo: string, value: number | string | null, id: string]

/** Opaque to callers: base64url of its JSON. */
function formatCursor(cursor: Cursor): string {
  let binary = ''
  for (const byte of new TextEncoder().encode(JSON.stringify(cursor))) binary += String.fromCharCode(byte)
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function parseCursor(cursor: string, belongsTo: string): NonNullable<PageRequest['after']> {
  const parsed = decode(cursor)
  if (!isCursor(parsed)) {
    throw recallError('INVALID_CURSOR', 'must be a cursor of list()', {
      field: 'filter.cursor',
      value: cursor,
      hint: 'Pass nextCursor of the previous page.',
    })
  }
  if (parsed[0] !== belongsTo) {
    throw recallError('INVALID_CURSOR', 'must come from a page of the same filter', {
      field: 'filter.cursor',
      value: cursor,
      hint: 'Start again without a cursor.',
    })
  }
  return { value: parsed[1], id: parsed[2] }
}

function isCursor(parsed: unknown): parsed is Cursor {
  if (!Array.isArray(parsed) || parsed.length !== 3) return false
  const [, value, id] = parsed
  return (value === null || ['number', 'string'].includes(typeof value)) && typeof id === 'string'
}

function decode(cursor: string): unknown {
  try {
    const binary = atob(cursor.replaceAll('-', '+').replaceAll('_', '/'))
    return JSON.parse(
      new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(binary, (char) => char.charCodeAt(0))),
    )
  } catch {
    return null
  }
}
