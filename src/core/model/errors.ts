/**
 * The error class of Scrubjay and its closed set of codes.
 * Every message says what happened, with which value, and what to do.
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
  'LOCKED',
  'WRONG_KEY',
  'DATA_MISSING',
  'LEADER_LOST',
  'DEADLINE_EXCEEDED',
  'VERSION_SKEW',
  'CLOSED',
  'ABORTED',
] as const

export type ErrorCode = (typeof errorCodes)[number]

/** The data of an error that crosses a thread boundary: plain data without stack and `cause`. */
export interface ErrorDetails {
  readonly code: ErrorCode
  readonly message: string
  /** Path of the wrong field, for example `tags[3]` or `scope.time.after`. */
  readonly field?: string | undefined
  /** The wrong value, shortened to 80 characters. */
  readonly value?: string | undefined
  /** What the caller can do, in the imperative. The message ends with it, after `Hint: `. */
  readonly hint?: string | undefined
  /** @deprecated Use `hint`, which has the same value. Removed in the next minor version. */
  readonly cure?: string | undefined
  /** For a call that runs in slices: number of records, from the first, that are durably stored or deleted. */
  readonly committed?: number | undefined
  /** @deprecated Use `committed`, which has the same value. Removed in the next minor version. */
  readonly landed?: number | undefined
}

export class RecallError extends Error {
  override readonly name = 'RecallError'
  readonly code: ErrorCode
  readonly field: string | undefined
  readonly value: string | undefined
  /** What the caller can do, in the imperative. The message ends with it, after `Hint: `. */
  readonly hint: string | undefined
  /** For a call that runs in slices: number of records, from the first, that are durably stored or deleted. */
  readonly committed: number | undefined

  constructor(details: ErrorDetails) {
    super(details.message)
    this.code = details.code
    this.field = details.field
    this.value = details.value
    this.hint = hintOf(details)
    this.committed = details.committed ?? details.landed
  }

  /** @deprecated Use `hint`, which has the same value. Removed in the next minor version. */
  get cure(): string | undefined {
    return this.hint
  }

  /** @deprecated Use `committed`, which has the same value. Removed in the next minor version. */
  get landed(): number | undefined {
    return this.committed
  }

  toDetails(): ErrorDetails {
    const { code, message, field, value, hint, committed } = this
    const count = committed === undefined ? {} : { committed, landed: committed }
    return { code, message, field, value, ...withAlias(hint), ...count }
  }
}

/** The hint. Details from an older version have it as `cure` only. */
export function hintOf(details: Pick<ErrorDetails, 'hint' | 'cure'>): string | undefined {
  return details.hint ?? details.cure
}

/** The hint under both names, for readers of an older version. */
export function withAlias(hint: string | undefined): Pick<ErrorDetails, 'hint' | 'cure'> {
  return { hint, cure: hint }
}

/**
 * Builds a `RecallError`. With a field, the message is "`field` problem, got value. Hint: hint", so `problem` begins like
 * "must be an integer". Without a field, `problem` is a whole sentence. `hint` is one or more sentences in the imperative.
 */
export function recallError(
  code: ErrorCode,
  problem: string,
  context: {
    readonly field?: string
    readonly value?: unknown
    /** Replaces the preview of the value in the message. */
    readonly got?: string
    readonly hint?: string
  } = {},
): RecallError {
  const value = context.got ?? ('value' in context ? preview(context.value) : undefined)
  // A text from another program may already end with a full stop.
  const statement = problem.replace(/\.$/, '')
  const sentence = context.field === undefined ? statement : `\`${context.field}\` ${statement}`
  const { hint, field } = context
  const message = withHint(value === undefined ? `${sentence}.` : `${sentence}, got ${value}.`, hint)
  return new RecallError({ code, message, field, value, hint })
}

function withHint(message: string, hint: string | undefined): string {
  return hint === undefined ? message : `${message} Hint: ${hint}`
}

/** The same error with one more hint at its end, and with `changes` to its details. */
export function addHint(error: RecallError, more: string, changes: Partial<ErrorDetails> = {}): RecallError {
  const hint = error.hint === undefined ? more : `${error.hint} ${more}`
  return new RecallError({ ...error.toDetails(), message: withHint(`${problemOf(error)}.`, hint), hint, ...changes })
}

/** The message without the hint and without the last full stop. */
export function problemOf({ message, hint }: Pick<RecallError, 'message' | 'hint'>): string {
  const end = hint === undefined ? '' : ` Hint: ${hint}`
  return (message.endsWith(end) ? message.slice(0, message.length - end.length) : message).trim().replace(/\.$/, '')
}

const previewLength = 80

/** A short, safe text of any value for an error message. */
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

/** True also for a Date of another realm. */
export function isDate(value: unknown): value is { getTime(): number } {
  return Object.prototype.toString.call(value) === '[object Date]'
}
