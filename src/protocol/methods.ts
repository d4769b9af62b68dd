/** The method table: how callers treat each method of the engine. The functions themselves are in `worker/engine/methods.ts`. */
import type { Arguments, Method } from './engine-api.ts'

interface MethodRules {
  /**
   * Whether a call may be repeated if its answer was lost because the leader tab ended. `operation`: only with an operation id. These
   * methods change records or what they learned, and store the id in their transaction, so that a repeated call does it once.
   */
  readonly repeat: 'always' | 'operation' | 'never'
  /** Takes longer than other methods, because it reads the whole store. */
  readonly isLong?: true
  /** A policy decides its `query`. */
  readonly usesPolicy?: true
}

/** Reads, or maintenance that is idempotent: it only adds missing data, or removes data that must go. */
const reading: MethodRules = { repeat: 'always' }
const writing: MethodRules = { repeat: 'operation' }
const asking: MethodRules = { ...reading, usesPolicy: true }

const rules: Readonly<Record<Method, MethodRules>> = {
  put: writing,
  patch: writing,
  get: reading,
  list: reading,
  count: reading,
  tags: reading,
  forget: writing,
  verifyForgotten: reading,
  recall: asking,
  // It writes if it commits effects.
  assemble: { ...writing, usesPolicy: true },
  assess: asking,
  why: asking,
  checkFiles: writing,
  acknowledge: writing,
  link: writing,
  strengthen: writing,
  weakenLinks: writing,
  linked: reading,
  predict: writing,
  resolvePrediction: writing,
  predictionErrors: reading,
  proposals: reading,
  expireProposals: writing,
  events: reading,
  exportPart: reading,
  endExport: reading,
  importPart: reading,
  finishImport: { ...writing, isLong: true },
  endImport: reading,
  embedNext: reading,
  attachVectors: reading,
  compact: { ...reading, isLong: true },
  integrityCheck: { ...reading, isLong: true },
  retain: { ...writing, isLong: true },
  status: reading,
  close: { repeat: 'never' },
  destroy: reading,
}

export const methods = Object.keys(rules) as readonly Method[]

export function isMethod(name: unknown): name is Method {
  return typeof name === 'string' && Object.hasOwn(rules, name)
}

/** Whether a request may be repeated if its answer was lost because the leader tab ended. */
export function mayRepeat(method: Method, operation: string | undefined): boolean {
  const { repeat } = rules[method]
  return repeat === 'always' || (repeat === 'operation' && operation !== undefined)
}

/**
 * Whether a request may change records or what they learned. If its caller aborts, only the engine knows whether that was done. Idempotent
 * maintenance (`embedNext`, `compact`, …) does not count: it can be repeated whatever was done.
 */
export function mayWrite(method: Method, request: unknown): boolean {
  if (method !== 'assemble') return rules[method].repeat === 'operation'
  return (request as Partial<Arguments<'assemble'>> | undefined)?.query?.commitEffects === true
}

/** Returns the deadline of a method (ms). Long methods get 60 times as long. */
export function deadlineOf(method: Method, deadlineMs: number): number {
  return rules[method].isLong === true ? 60 * deadlineMs : deadlineMs
}

export function usesPolicy(method: Method): boolean {
  return rules[method].usesPolicy === true
}
