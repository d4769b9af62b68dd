/** list: returns one page, ordered by updatedAt, then id (both descending). A keyset cursor, bound to its filter, continues it. */
import { recallError } from '../../../src/core/model/errors.ts'
import type { ListFilter } from '../../../src/core/model/query.ts'
import type { ListPage } from '../../../src/core/model/receipts.ts'
import { tuning } from '../../../src/core/model/tuning.ts'
import { parseListFilter } from '../../../src/core/query/parse-query.ts'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { sha256Hex } from '../../../src/core/text/hash/sha256.ts'
import type { Store } from '../../store/port/store.ts'
import { checkDeclared } from '../common/scope.ts'

export function list(store: Store, input: ListFilter): ListPage {
  const filter = parseListFilter(input)
  checkDeclared(filter, store)
  const limit = filter.limit ?? tuning.defaultListLimit
  const belongsTo = filterHash(filter)
  const after = filter.cursor === undefined || filter.cursor === null ? null : parseCursor(filter.cursor, belongsTo)
  // One record more than the limit shows whether there is a next page.
  const records = store.list(filter, after, limit + 1)
  const items = records.slice(0, limit)
  const last = items.at(-1)
  const truncated = records.length > limit
  return {
    items,
    nextCursor: truncated && last !== undefined ? formatCursor(last.updatedAt, last.id, belongsTo) : null,
    limit,
    truncated,
  }
}

function filterHash({ cursor: _cursor, limit: _limit, ...conditions }: ListFilter): string {
  return sha256Hex(canonicalJson(conditions)).slice(0, 8)
}

/** Opaque to callers: base64url of the JSON of [filter, updatedAt, id]. */
function formatCursor(updatedAt: number, id: string, belongsTo: string): string {
  const bytes = new TextEncoder().encode(JSON.stringify([belongsTo, updatedAt, id]))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

function parseCursor(cursor: string, belongsTo: string): { readonly updatedAt: number; readonly id: string } {
  const parsed = decode(cursor)
  if (!Array.isArray(parsed) || parsed.length !== 3 || typeof parsed[1] !== 'number' || typeof parsed[2] !== 'string') {
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
  return { updatedAt: parsed[1], id: parsed[2] }
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
