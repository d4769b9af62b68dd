/**
 * The messages between tabs, and their parser. Any script of the origin can post here, so every field is checked and copied to
 * a new object, methods come from an allow-list, and invalid messages are ignored. Requests and answers are not checked here:
 * the engine parses requests, and `check-answer.ts` checks answers.
 */
import { type ErrorCode, type ErrorDetails, errorCodes } from '../../src/core/model/errors.ts'
import { isPlainObject } from '../../src/core/model/plain-object.ts'
import type { Status } from '../../src/core/model/status.ts'
import { tuning } from '../../src/core/model/tuning.ts'
import type { Method, RequestContext } from '../../src/protocol/engine-api.ts'
import type { EngineEvent, Progress, StorageEvent } from '../../src/protocol/events.ts'
import { protocolVersion } from '../../src/protocol/handshake.ts'
import { isMethod } from '../../src/protocol/methods.ts'

/** A value, a `RecallError`, or any other error (`fault`). */
export type TabAnswer =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'error'; readonly error: ErrorDetails }
  | { readonly kind: 'fault'; readonly name: string; readonly message: string }

export type TabMessage =
  /** Asks which tab has the store. Also lets a browser evict a cached page that still has it. */
  | { readonly type: 'seek' }
  /** Only its sender uses it (`catchUp`). */
  | { readonly type: 'echo' }
  /** I have the lock and am opening the store: wait. */
  | { readonly type: 'opening' }
  /** I have the store. */
  | {
      readonly type: 'lead'
      readonly backend: Status['backend']
      readonly space: string | null
      readonly dimensions: number | null
      /** Hash of the policy of queries that name none. */
      readonly policy: string
      /** Hash of the authority configuration. */
      readonly authority: string
      /** Hash of the retention configuration. */
      readonly retention: string
      readonly stemmer: Status['settings']['stemmer']
      readonly metadataKeys: readonly string[]
      readonly languages: readonly string[]
      readonly autoLink: boolean
      readonly isLocked: boolean
      readonly history: boolean
      readonly embedderFailure: 'store-without' | 'reject'
      /** Set when the leader's `auto` chose another storage than OPFS. */
      readonly fallback: StorageEvent | null
      /** URL of the extensions module. */
      readonly extensions: string | null
      readonly revision: number
    }
  | Call
  /** My call `id` was aborted: do not run it if it has not begun. */
  | { readonly type: 'cancel'; readonly id: string }
  | { readonly type: 'answer'; readonly id: string; readonly answer: TabAnswer }
  | { readonly type: 'event'; readonly event: EngineEvent & { readonly type: 'changed' | 'progress' } }
  /** The store is being removed, or closed by `lockNow`, at the request of the tab `by`. */
  | { readonly type: 'destroying'; readonly by: string; readonly method: 'destroy' | 'lockNow' }
  /** I do not have the store any more. */
  | { readonly type: 'bye' }

export interface Call {
  readonly type: 'call'
  readonly id: string
  readonly method: RemoteMethod
  readonly request: unknown
  readonly context: RequestContext
}

/** A follower may not close the leader's engine. */
export type RemoteMethod = Exclude<Method, 'close'>

export interface Received {
  readonly version: number
  readonly from: string
  /** Null for another protocol version, of which only the envelope can be read. */
  readonly message: TabMessage | null
}

/** Wraps a message. The shape of the envelope must never change. */
export function wrapMessage(from: string, message: TabMessage): object {
  return { scrubjay: 'tabs', version: protocolVersion, from, message }
}

/** Parses a posted message; null if it is not a valid message of a tab. */
export function parseReceived(posted: unknown): Received | null {
  const { scrubjay, version, from, message } = ownFields(posted)
  if (scrubjay !== 'tabs' || !isCount(version) || !isId(from)) return null
  if (version !== protocolVersion) return { version, from, message: null }
  const parsed = parseMessage(ownFields(message))
  return parsed && { version, from, message: parsed }
}

function parseMessage(fields: Fields): TabMessage | null {
  const { type, id } = fields
  switch (type) {
    case 'seek':
    case 'echo':
    case 'opening':
    case 'bye':
      return { type }
    case 'lead':
      return parseLead(fields)
    case 'call':
      return parseCall(fields)
    case 'cancel':
      return isId(id) ? { type, id } : null
    case 'answer': {
      const answer = parseAnswer(ownFields(fields['answer']))
      return isId(id) && answer ? { type, id, answer } : null
    }
    case 'event': {
      const posted = ownFields(fields['event'])
      const event = parseChanged(posted) ?? parseProgress(posted)
      return event && { type, event }
    }
    case 'destroying':
      return parseDestroying(fields)
    default:
      return null
  }
}

const backends = ['opfs', 'indexeddb', 'file', 'memory', 'server'] as const

function parseLead(fields: Fields): TabMessage | null {
  const { backend, space, dimensions, policy, authority, retention, autoLink, extensions, revision } = fields
  const { embedderFailure, stemmer, metadataKeys, languages } = fields
  const known = backends.find((kind) => kind === backend)
  if (known === undefined || typeof policy !== 'string' || typeof authority !== 'string') return null
  if (typeof retention !== 'string') return null
  if (embedderFailure !== 'store-without' && embedderFailure !== 'reject') return null
  if (typeof autoLink !== 'boolean' || !isCount(revision)) return null
  if (extensions !== null && typeof extensions !== 'string') return null
  if ((stemmer !== 'porter' && stemmer !== 'none') || !areTexts(metadataKeys)) return null
  if (!areTexts(languages)) return null
  const fallback = fields['fallback'] === null ? null : parseStorage(ownFields(fields['fallback']))
  if (fallback === undefined) return null
  const lead = {
    type: 'lead',
    backend: known,
    policy,
    authority,
    retention,
    stemmer,
    metadataKeys: [...metadataKeys],
    languages: [...languages],
    autoLink,
    // Absent in messages of earlier releases.
    isLocked: fields['isLocked'] === true,
    history: fields['history'] === true,
    embedderFailure,
    extensions,
    fallback,
    revision,
  } as const
  if (space === null && dimensions === null) return { ...lead, space, dimensions }
  return typeof space === 'string' && isCount(dimensions) ? { ...lead, space, dimensions } : null
}

function parseDestroying({ by, method }: Fields): TabMessage | null {
  // Earlier releases name no method.
  return isId(by) ? { type: 'destroying', by, method: method === 'lockNow' ? method : 'destroy' } : null
}

function parseCall({ id, method, request, context }: Fields): TabMessage | null {
  const { now, operation } = ownFields(context)
  if (!isId(id) || !isMethod(method) || method === 'close' || !isPlainObject(request)) return null
  if (typeof now !== 'number' || (operation !== undefined && !isId(operation))) return null
  return { type: 'call', id, method, request, context: { now, operation } }
}

function parseAnswer({ kind, value, error, name, message }: Fields): TabAnswer | null {
  if (kind === 'value') return { kind, value }
  if (kind === 'fault') {
    return typeof name === 'string' && typeof message === 'string' ? { kind, name, message } : null
  }
  const details = kind === 'error' ? parseDetails(ownFields(error)) : null
  return details && { kind: 'error', error: details }
}

function parseDetails({ code, message, field, value, hint, cure }: Fields): ErrorDetails | null {
  const known: ErrorCode | undefined = errorCodes.find((name) => name === code)
  if (known === undefined || typeof message !== 'string') return null
  return { code: known, message, field: textOrNone(field), value: textOrNone(value), hint: textOrNone(hint ?? cure) }
}

function parseChanged({ type, revision, ids }: Fields): (EngineEvent & { readonly type: 'changed' }) | null {
  return type === 'changed' && isCount(revision) && areTexts(ids) ? { type, revision, ids: [...ids] } : null
}

function parseStorage({ type, backend, degraded }: Fields): StorageEvent | undefined {
  const isKnown = backend === 'indexeddb' || backend === 'memory'
  return type === 'storage' && isKnown && areTexts(degraded) ? { type, backend, degraded: [...degraded] } : undefined
}

function areTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string')
}

function parseProgress({ type, operation, done, total }: Fields): Progress | null {
  const known = operations.find((name) => name === operation)
  if (type !== 'progress' || known === undefined || !isCount(done) || !isCount(total)) return null
  return { type, operation: known, done, total }
}

const operations = [
  'put',
  'forget',
  'export',
  'import',
  'reembed',
  'integrityCheck',
  'compact',
  'retain',
  'options',
] as const satisfies readonly Progress['operation'][]

type Fields = Readonly<Record<string, unknown>>

/** A copy of the own fields, without a prototype; empty for a value that is not a plain object. */
function ownFields(value: unknown): Fields {
  return Object.assign(Object.create(null), isPlainObject(value) ? value : {}) as Fields
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/** Whether the value can be the id of a tab, call or operation. */
function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= tuning.maxOperationLength
}

function textOrNone(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
