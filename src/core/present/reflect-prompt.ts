/**
 * What an app sends to its own model to have recalled records answered from: authority, memories, question, in this
 * order, each a message part of its own. Calls no model, and gives no part a role above the user's.
 */
import type { AuthorityConfig } from '../model/authority.ts'
import { recallError } from '../model/errors.ts'
import { contentFields, type StoredRecord } from '../model/record.ts'
import { formatAuthorityBlock } from './authority-block.ts'
import { escapeItem } from './escape.ts'

/** A text with its tier, or a hit as `recall` answers it. */
export type ReflectHit =
  | { readonly text: string; readonly authorityTier?: string | null | undefined }
  | { readonly record: Pick<StoredRecord, (typeof contentFields)[number] | 'authorityTier'> }

export interface ReflectRequest {
  readonly query: string
  readonly hits: readonly ReflectHit[]
  /** A block of `formatAuthorityBlock` (a result's `authorityContext`), or the configuration to make one by. */
  readonly authority?: string | AuthorityConfig | null | undefined
  /** Takes out of each text what must not reach a model, before anything else is done with it. */
  readonly redact?: ((text: string) => string) | undefined
}

export interface PromptPart {
  readonly role: 'user'
  readonly content: string
}

/**
 * The parts in order: `<authority_context>` where there is a block (with or without hits), `<memories>`, the query.
 * A text of a record cannot leave its line; the tags that hold the parts together are said as text wherever else they
 * occur, in rules and in the query too. `standing` is the authority where the request leaves it undefined. Throws
 * `INVALID_ARGUMENT` for a query that is no text or hits that are no list of texts or hits.
 */
export function reflectPrompt(request: ReflectRequest, standing: AuthorityConfig | null = null): PromptPart[] {
  checkRequest(request)
  const { query, hits, authority = standing, redact = (text) => text } = request
  const texts = hits.map((hit) => ({ text: redact(textOf(hit)), authorityTier: tierOf(hit) }))
  const block = authorityBlock(texts, authority)
  const memories = texts.map(({ text }) => `- ${escapeItem(text)}`)
  const parts = block === null ? [] : [`<authority_context>\n${withoutTags(block.trim())}\n</authority_context>`]
  parts.push(['<memories>', ...memories, '</memories>'].join('\n'), withoutTags(query))
  return parts.map((content) => ({ role: 'user', content }))
}

function checkRequest(request: ReflectRequest): void {
  const refuse = (field: string, value: unknown, problem: string, hint: string) =>
    recallError('INVALID_ARGUMENT', problem, { field, value, hint })
  if (!isObject(request)) throw refuse('request', request, 'must be an object', 'Give { query, hits }.')
  const { query, hits } = request
  if (typeof query !== 'string') throw refuse('query', query, 'must be a string', 'Give the question as a string.')
  if (!Array.isArray(hits)) throw refuse('hits', hits, 'must be an array', 'Give the hits of a recall, or [].')
  for (const [i, hit] of hits.entries()) {
    if (isObject(hit) && (typeof hit.text === 'string' || isObject(hit.record))) continue
    throw refuse(`hits[${i}]`, hit, 'must have a text or a record', 'Give hits as recall returns them.')
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function textOf(hit: ReflectHit): string {
  if ('text' in hit) return hit.text
  return contentFields.flatMap((field) => hit.record[field] ?? []).join('\n')
}

function tierOf(hit: ReflectHit): string | null {
  return ('text' in hit ? hit.authorityTier : hit.record.authorityTier) ?? null
}

function authorityBlock(
  hits: readonly { readonly text: string; readonly authorityTier: string | null }[],
  authority: ReflectRequest['authority'],
): string | null {
  if (typeof authority === 'string') return authority.trim() === '' ? null : authority
  if (authority === undefined || authority === null || authority.applyToReflect === false) return null
  return formatAuthorityBlock(hits, authority)
}

/** Of an escaped text no `<` is left; this is for what was not escaped: rules, a block of ADR-004's bytes, the query. */
function withoutTags(text: string): string {
  return text.replace(/<(?=\s{0,8}\/?\s{0,8}(?:authority_context|memories)\b)/gi, '&lt;')
}
