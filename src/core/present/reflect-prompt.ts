/**
 * Builds the prompt with which an app asks its own model to answer from recalled records: authority, memories and query, in
 * this order, each as a message part. Calls no model, and gives every part the role of the user.
 */
import type { AuthorityConfig } from '../model/authority.ts'
import { recallError } from '../model/errors.ts'
import { contentFields, type StoredRecord } from '../model/record.ts'
import { formatAuthorityBlock } from './authority-block.ts'
import { escapeItem } from './escape.ts'

/** A text with its tier, or a hit of `recall`. */
export type ReflectHit =
  | { readonly text: string; readonly authorityTier?: string | null | undefined }
  | { readonly record: Pick<StoredRecord, (typeof contentFields)[number] | 'authorityTier'> }

export interface ReflectRequest {
  readonly query: string
  readonly hits: readonly ReflectHit[]
  /** A block from `formatAuthorityBlock` (the `authorityContext` of a result), or the configuration for one. */
  readonly authority?: string | AuthorityConfig | null | undefined
  /** Removes from each text what must not reach a model. Runs first. */
  readonly redact?: ((text: string) => string) | undefined
}

export interface PromptPart {
  readonly role: 'user'
  readonly content: string
}

/**
 * The parts in order: `<authority_context>` if there is a block (with or without hits), `<memories>`, the query. A text of a
 * record cannot leave its line. The two tags are escaped wherever else they occur, also in rules and query. `standing` is the
 * authority if the request has none. Throws `INVALID_ARGUMENT` if the query is not a string, or the hits are not an array of
 * texts or hits.
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

/** Escapes the two tags in texts that were not escaped: rules, an unescaped block, the query. */
function withoutTags(text: string): string {
  return text.replace(/<(?=\s{0,8}\/?\s{0,8}(?:authority_context|memories)\b)/gi, '&lt;')
}
