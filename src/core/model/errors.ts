/**
 * The one error class of Scrubjay and its closed set of codes.
 * Every message says what happened, with which value, and what to do about it.
 */

export const errorCodes = [
  'INVALID_RECORD',
  'INVALID_ARGUMENT',
  'INVALID_CONFIG',
  'INVALID_POLICY',
  'INVALID_CURSOR',
  'UNKNOWN_REASON_CODE',
  'UNKNOWN_RISK_FLAG',
  'DIMENSION_MISMATCH',
  'SPACE_MISMATCH',
  'QUOTA_EXCEEDED',
  'STORAGE_UNAVAILABLE',
  'STORE_BUSY',
  'STORE_CORRUPT',
  'STORE_NEWER',
  'DATA_MISSING',
  'LEADER_LOST',
  'DEADLINE_EXCEEDED',
  'VERSION_SKEW',
  'CLOSED',
  'ABORTED',
] as const

export type ErrorCode = (typeof errorCodes)[number]

/** What an error carries across the thread boundary: plain data, no stack, no `cause` object. */
export interface ErrorDetails {
  readonly code: ErrorCode
  readonly message: string
  /** Path of the offending field, for example `tags[3]` or `scope.time.after`. */
  readonly field?: string | undefined
  /** The offending value, shortened to 80 characters. */
  readonly value?: string | undefined
  /** What the caller can do. */
  readonly cure?: string | undefined
  /** Of a call that is carried out in slices: how many records, from the first on, were stored or forgotten for sure. */
  readonly landed?: number | undefined
}

export class RecallError extends Error {
  override readonly name = 'RecallError'
  readonly code: ErrorCode
  readonly field: string | undefined
  readonly value: string | undefined
  readonly cure: string | undefined
  /** Of a call that is carried out in slices: how many records, from the first on, were stored or forgotten for sure. */
  readonly landed: number | undefined

  constructor(details: ErrorDetails) {
    super(details.message)
    this.code = details.code
    this.field = details.field
    this.value = details.value
    this.cure = details.cure
    this.landed = details.landed
  }

  toDetails(): ErrorDetails {
    const { code, message, field, value, cure, landed } = this
    return { code, message, field, value, cure, ...(landed === undefined ? {} : { landed }) }
  }
}

/** Builds a `RecallError` whose message names field, value and cure in one sentence each. */
export function recallError(
  code: ErrorCode,
  problem: string,
  context: {
    readonly field?: string
    readonly value?: unknown
    /** What is printed of the value, where its preview would say too little. */
    readonly got?: string
    readonly cure?: string
  } = {},
): RecallError {
  const value = context.got ?? ('value' in context ? preview(context.value) : undefined)
  // What another program said may end as a sentence of its own.
  const said = problem.replace(/\.$/, '')
  const parts = [context.field === undefined ? said : `${context.field}: ${said}`]
  if (value !== undefined) parts.push(`got ${value}`)
  const sentence = `${parts.join(', ')}.`
  return new RecallError({
    code,
    message: context.cure === undefined ? sentence : `${sentence} ${context.cure}`,
    field: context.field,
    value,
    cure: context.cure,
  })
}

const previewLength = 80

/** A short, safe rendering of any value for an error message. */
export function preview(value: unknown): string {
  if (typeof value === 'string') {
    const text = value.length > previewLength ? `${value.slice(0, previewLength)}…` : value
    return JSON.stringify(text)
  }
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'number' || typeof value === 'boolean' || value === null || value === undefined)
    return String(value)
  if (typeof value === 'function' || typeof value === 'symbol') return typeof value
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (ArrayBuffer.isView(value)) return sizeOf(value)
  return isDate(value) ? 'a Date' : 'an object'
}

function sizeOf(view: ArrayBufferView): string {
  const { name } = view.constructor
  return 'length' in view ? `${name} of ${view.length} elements` : `${name} of ${view.byteLength} bytes`
}

/** Also one of another realm. */
export function isDate(value: unknown): value is { getTime(): number } {
  return Object.prototype.toString.call(value) === '[object Date]'
}
